// What the judging of a command knows of the world around it.
import type { Workspace } from '../workspace/workspace.ts'
import type { Facts } from './facts.ts'
import type { FolderFacts } from './folder-facts.ts'
import type { Stdin } from './programs/program.ts'

/** Where paths are looked up. */
export interface PathWorld {
  readonly workspace: Workspace
  readonly folders: FolderFacts
}

/** Where a command stands. */
export interface Site {
  /** Every folder that may be the current one. */
  readonly cwds: readonly string[]
  readonly stdin: Stdin
  /** How deep in wrappers and scripts. */
  readonly depth: number
  /** The commands that start what stands here, outermost first. */
  readonly wrappers: readonly string[]
  /** On another machine or in a container: paths are not ours. */
  readonly elsewhere: boolean
}

/** What judging needs from the walk around it. */
export interface JudgeWorld extends PathWorld {
  readonly facts: Facts
  /** Folders that were left, for `cd -` and popd. */
  readonly visited: Set<string>
  /** Follows a text as a script; the folders that may be current after it. */
  runScript(text: string, site: Site): readonly string[]
}
