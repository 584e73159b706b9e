import { describeBytes } from '../workspace/describe-bytes.ts'

export interface PromptLimits {
  readonly defaultTimeoutMs: number
  readonly maxTimeoutMs: number
  readonly shownBytes: number
}

/** What the model is told of the tool, with the limits that hold. */
export function describeShellTool({ defaultTimeoutMs, maxTimeoutMs, shownBytes }: PromptLimits): string {
  const shown = describeBytes(shownBytes).replace('.0', '')
  return `Runs a bash command in the workspace and waits for it. It starts where the last call ended: cd, variables, functions and options stay. workdir is for one call. Calls of one step run side by side, but for those that change that state: they take turns, in their order. No stdin, no terminal. timeoutMs: ${defaultTimeoutMs} unless given, at most ${maxTimeoutMs}. Of more than ${shown} of output, start and end are shown and a file has all of it. For a server or anything long: background true, with ready to wait until it serves; it becomes a job, which the job tool follows, and is ended when Deckhand ends.`
}
