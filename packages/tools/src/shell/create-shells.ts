import { createNamedShells, type NamedShells, type Shell } from '@deckhand/process'
import { findAssignmentRisk } from '../command/assignments.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface ShellsOptions {
  readonly workspace: Workspace
  readonly shell: Shell
  /** Where private folders can be made that a sandbox does not hide. */
  readonly temporaryDirectory: string
  /** The environment of a new shell; see `createChildEnvironment`. */
  environment(): Readonly<Record<string, string>>
}

/** The shells of a session, which start in its workspace. They must be closed. */
export function createShells({ workspace, ...options }: ShellsOptions): NamedShells {
  return createNamedShells({
    ...options,
    cwd: workspace.directory,
    isRisky: name => findAssignmentRisk(name) !== undefined,
  })
}
