import type { ShellState } from './shell-state.ts'

/** What a shell wrote on its way out. */
export interface ShellEnd {
  /** Its exit code; undefined where the shell became another program (`exec`). */
  readonly code?: number
  /** The codes of all commands of the pipeline that ran last, in their order. */
  readonly pipe?: readonly number[]
  readonly state: Omit<ShellState, 'isContained'>
}
