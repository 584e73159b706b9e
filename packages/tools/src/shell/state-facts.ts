import type { CommandOutcome, PreparedCall, StateChange } from '@deckhand/process'
import type { Workspace } from '../workspace/workspace.ts'
import type { AllowedCommand } from './ask-permission.ts'

/** What became of the shell's state by one call. */
export interface StateFacts {
  /** The folder where the next call starts, when it is not the workspace's own or has changed. */
  readonly cwd?: string
  /** The folder of this call alone. */
  readonly workdir?: string
  /** The folder that the call was to start in, which is gone; it ran in the workspace. */
  readonly vanished?: string
  /** It may have changed variables or its folder, and that is lost. */
  readonly isLost: boolean
  /** Options of `set` that have come on with this call, and stay. */
  readonly newOptions: readonly string[]
  /** It was ended by errexit (`set -e`), which an earlier call has set. */
  readonly hasOldErrexit: boolean
  /** What a command in the sandbox had set, and one outside of it must not be led by. */
  readonly leftOut: readonly string[]
}

interface StateCall {
  readonly allowed: AllowedCommand
  readonly prepared: PreparedCall
  readonly run: Pick<CommandOutcome, 'end'>
}

/** Compares the state before and after. */
export function findStateFacts(
  { before, after, isAdopted }: StateChange,
  { allowed, prepared, run: { end } }: StateCall,
  { directory, resolve }: Workspace,
): StateFacts {
  const { workdir, mayChangeState } = allowed
  const folder = resolve(after.cwd)
  const isMoved = after.cwd !== before.cwd || folder.real !== directory
  const failed = end.kind === 'exited' && end.code !== 0
  return {
    ...(workdir.isForThisCall
      ? workdir.shown !== undefined && { workdir: workdir.shown }
      : isMoved && { cwd: folder.shown }),
    ...(workdir.vanished !== undefined && { vanished: workdir.vanished }),
    isLost: !isAdopted && mayChangeState,
    newOptions: after.setOptions.filter(option => !before.setOptions.includes(option)),
    hasOldErrexit: failed && before.setOptions.includes('errexit'),
    leftOut: prepared.leftOut,
  }
}

/** The facts in words, each only where it is true. */
export function describeStateFacts(facts: StateFacts): readonly string[] {
  const { cwd, workdir, vanished, isLost, newOptions, hasOldErrexit, leftOut } = facts
  return [
    vanished === undefined ? '' : `${vanished} does not exist any more, so it ran in the workspace`,
    cwd === undefined ? '' : `cwd ${cwd} (stays for the next call)`,
    workdir === undefined ? '' : `cwd ${workdir} (for this call)`,
    isLost ? 'cd and variables of this call are not kept; the next starts as this one did' : '',
    newOptions.length === 0 ? '' : `set -o ${newOptions.join(' ')} stays on for the next call`,
    hasOldErrexit ? 'set -e is on since an earlier call: the first command that fails ends a call' : '',
    leftOut.length === 0 ? '' : `outside the sandbox without what commands in it had set: ${leftOut.join(', ')}`,
  ].filter(words => words !== '')
}
