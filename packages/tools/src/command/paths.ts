import { dirname } from 'node:path'
import type { Workspace } from '../workspace/workspace.ts'
import type { Arg } from './arg.ts'
import type { PathFact } from './facts.ts'
import { findGlobTargets, hasWildcard } from './glob-targets.ts'
import type { PathWorld } from './world.ts'

/** Where the paths of a word lead, or why that can't be known. */
export interface PathOutcome {
  readonly paths: readonly PathFact[]
  readonly unknown?: string
}

type PathEffect = PathFact['effect']

const devices = /^\/dev\/(null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd\/\d+|ptmx)$/
const network = /^\/dev\/(tcp|udp)\//
const url = /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i

/** Is it a device that keeps nothing: /dev/null, the standard streams, the terminal? */
export function isDevice(path: string): boolean {
  return devices.test(path)
}

/** Resolves a word as a path, from each folder that the command may run in. Devices and URLs are none. */
export function resolvePaths(arg: Arg, cwds: readonly string[], effect: PathEffect, world: PathWorld): PathOutcome {
  if (!arg.values)
    return { paths: [], unknown: `the path ${arg.text || '(from its input)'} can't be known: ${arg.unknown}` }
  const paths: PathFact[] = []
  for (const value of arg.values) {
    for (const cwd of cwds) {
      const outcome = resolveOne(value, arg.isGlob, cwd, effect, world)
      if (outcome.unknown) return outcome
      paths.push(...outcome.paths)
    }
  }
  return { paths }
}

function resolveOne(written: string, isGlob: boolean, cwd: string, effect: PathEffect, world: PathWorld): PathOutcome {
  const value = written.replace(/^file:(\/\/(localhost)?(?=\/))?/i, '')
  // `-` stands for standard input; a redirection to it makes a file of that name.
  if (value === '' || (value === '-' && effect === 'read') || url.test(value)) return { paths: [] }
  if (/^~[^/]/.test(value)) return { paths: [], unknown: `${value} is a folder that is not known here` }
  if (isDevice(value)) return { paths: [] }
  if (network.test(value)) return { paths: [], unknown: `${value} opens a connection` }
  if (isGlob && hasWildcard(value)) return resolveGlob(value, cwd, effect, world)
  return { paths: [locate(value, cwd, effect, world)] }
}

function resolveGlob(value: string, cwd: string, effect: PathEffect, world: PathWorld): PathOutcome {
  const { base, targets, unknown } = findGlobTargets(value, cwd, world)
  if (unknown !== undefined) return { paths: [], unknown: `the path ${value} can't be known: ${unknown}` }
  const start = locate(base, cwd, effect, world, true)
  const paths = targets.map(target => locate(target, cwd, effect, world))
  return { paths: start.inside ? paths : [start, ...paths] }
}

/** Where one path leads. `..` goes up from where the path before it really leads, as the kernel does. */
export function locate(
  value: string,
  cwd: string,
  effect: PathEffect,
  { workspace, folders }: PathWorld,
  isFolder?: boolean,
): PathFact {
  const physical = followParents(value, cwd, workspace)
  const lexical = workspace.resolve(value, cwd)
  const resolved = physical.inside ? lexical : physical
  const target = lexical.inside && !physical.inside ? physical : resolved
  return {
    real: target.real,
    absolute: target.absolute,
    shown: target.shown,
    inside: lexical.inside && physical.inside,
    isFolder: isFolder ?? folders.isFolder(target.real),
    effect,
  }
}

function followParents(value: string, cwd: string, workspace: Workspace): ReturnType<Workspace['resolve']> {
  const components = value.split('/')
  const up = components.findIndex(
    (component, index) => component === '..' && index > 0 && components[index - 1] !== '..',
  )
  if (up === -1) return workspace.resolve(value, cwd)
  const before = components.slice(0, up).join('/') || '/'
  const parent = dirname(workspace.resolve(before, cwd).real)
  const rest = components.slice(up + 1).join('/')
  return rest === '' ? workspace.resolve(parent) : followParents(rest, parent, workspace)
}
