import type { Arg } from './arg.ts'
import { isDevice, resolvePaths } from './paths.ts'
import type { JudgeWorld, Site } from './world.ts'

/** How a path is used, and where a reason goes for which it must be asked. */
export interface PathUse {
  readonly effect: 'read' | 'write'
  doubt(reason: string): void
}

/**
 * Adds where a path leads that is written as on Windows, to the facts: with slashes of both kinds. Drives and other
 * machines are none of the workspace's places, so they are doubts.
 */
export function addWindowsPath(arg: Arg, { effect, doubt }: PathUse, site: Site, world: JudgeWorld): void {
  if (!arg.values) return doubt(`the path ${arg.text} can't be known: ${arg.unknown}`)
  for (const value of arg.values) {
    if (/^[a-z]:/i.test(value)) doubt(`${value} is on a drive of Windows`)
    else if (/^[\\/]{2}/.test(value)) doubt(`${value} is on another machine`)
    else {
      const path = { ...arg, values: [value.replaceAll('\\', '/')], isGlob: /[*?[]/.test(value) }
      const outcome = resolvePaths(path, site.cwds, effect, world)
      if (outcome.unknown) doubt(outcome.unknown)
      for (const each of outcome.paths) if (!isDevice(each.real)) world.facts.addPath(each)
    }
  }
}
