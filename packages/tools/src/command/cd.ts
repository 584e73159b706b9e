import { type Arg, soleValue } from './arg.ts'
import { locate, resolvePaths } from './paths.ts'
import { ask, type Findings } from './programs/program.ts'
import type { JudgeWorld, Site } from './world.ts'

/** Does this builtin change the current folder? */
export function isCdName(name: string): boolean {
  return name === 'cd' || name === 'pushd' || name === 'popd'
}

const maxFolders = 16

/**
 * The folders that may be current after a `cd`, `pushd` or `popd` that succeeded; undefined where that can't be known,
 * which is asked. Where it leads out of the workspace, the folder is added to the paths.
 */
export function followCd(
  args: readonly Arg[],
  site: Site,
  world: JudgeWorld,
  found: Findings,
): readonly string[] | undefined {
  if (site.elsewhere) return undefined
  const name = args[0]?.text
  const target = findTarget(args)
  const goesBack =
    name === 'popd' || (target && /^(-|[-+]\d+)$/.test(soleValue(target) ?? '')) || (name === 'pushd' && !target)
  if (goesBack) return goBack(site, world, found, name)
  const folders = resolveTarget(target, site, world, found)
  for (const cwd of site.cwds) world.visited.add(cwd)
  return folders
}

function findTarget(args: readonly Arg[]): Arg | undefined {
  return args.slice(1).find(arg => !/^(-[LPe@n]+|--)$/.test(arg.text))
}

function goBack(
  site: Site,
  world: JudgeWorld,
  found: Findings,
  name: string | undefined,
): readonly string[] | undefined {
  if (world.visited.size > 0) return [...new Set([...site.cwds, ...world.visited])]
  if (name !== 'popd') ask(found, 'the folder before the current one is not known here')
  return undefined
}

function resolveTarget(
  target: Arg | undefined,
  site: Site,
  world: JudgeWorld,
  found: Findings,
): readonly string[] | undefined {
  const word = target ?? { text: '~', values: ['~'], isGlob: false, isLiteral: true, start: '~' }
  const outcome = resolvePaths(word, site.cwds, 'read', world)
  if (outcome.unknown || word.isGlob) {
    ask(found, outcome.unknown ?? `which folder ${word.text} is can't be known`)
    return undefined
  }
  const folders = new Set<string>()
  for (const value of word.values ?? []) {
    for (const cwd of site.cwds) {
      const path = locate(value, cwd, 'read', world, true)
      if (!path.inside) world.facts.addPath(path)
      folders.add(path.real)
      folders.add(path.absolute)
    }
  }
  if (folders.size > maxFolders) ask(found, 'the current folder can be too many')
  return [...folders].slice(0, maxFolders)
}
