import type { Hooks, PermissionPart } from '@deckhand/core'
import type { CommandRunner, JobSupervisor, NamedShells, OutputLimits, ShellState } from '@deckhand/process'
import type { Workspace } from '../workspace/workspace.ts'
import type { Containment } from './containment.ts'

export interface ShellLimits {
  readonly defaultTimeoutMs: number
  readonly maxTimeoutMs: number
  /** What is shown of an output: of its start, and of its end, where errors usually are. */
  readonly shownHeadBytes: number
  readonly shownTailBytes: number
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs: number
  readonly output?: Partial<OutputLimits>
}

const defaultShellLimits: ShellLimits = {
  defaultTimeoutMs: 120_000,
  maxTimeoutMs: 600_000,
  shownHeadBytes: 12 * 1024,
  shownTailBytes: 18 * 1024,
  graceMs: 2000,
}

export interface ShellDeps {
  readonly workspace: Workspace
  readonly runner: CommandRunner
  readonly jobs: JobSupervisor
  /** The session's shells, whose state each call takes up and hands on. */
  readonly shells: NamedShells
  /** What a command would do in that shell, for the permission question; at least one part. */
  assess(command: string, cwd: string, state: ShellState): Promise<readonly PermissionPart[]>
  /** Variables that plugins have for a command. Without it there are none. */
  readonly hooks?: Pick<Hooks, 'shellEnv'>
  /** Names of variables that were kept from commands; told where a command speaks of one. */
  readonly withheld?: readonly string[]
  /** Where commands are run in a sandbox. Without it they may do what we may. */
  readonly containment?: Containment
  /** What happens at the timeout of a call that does not say; default `kill`. */
  readonly onTimeout?: 'kill' | 'background'
  /** Where whole outputs are kept that are too long to be shown. */
  readonly logDirectory: string
  readonly limits?: Partial<ShellLimits>
}

/** With every limit filled in. */
export type ShellSetup = Omit<ShellDeps, 'limits'> & { readonly limits: ShellLimits }

export function fillLimits(deps: ShellDeps): ShellSetup {
  return { ...deps, limits: { ...defaultShellLimits, ...deps.limits } }
}
