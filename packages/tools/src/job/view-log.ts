import type { JobFacts } from '@deckhand/process'
import { describeOutput } from '../output/describe-output.ts'
import { fenceText } from '../output/fence.ts'
import { viewOutput } from '../output/output-view.ts'
import { readRange } from './job-log.ts'

export interface ShownBytes {
  readonly shownHeadBytes: number
  readonly shownTailBytes: number
}

/** A piece of a job's log in its fence, as much of it as may be shown; empty where there is nothing to show. */
export function viewLog(
  { logPath, command }: Pick<JobFacts, 'logPath' | 'command'>,
  { from, to }: { readonly from: number; readonly to: number },
  { shownHeadBytes, shownTailBytes }: ShownBytes,
): string {
  const view = viewOutput(readRange(logPath, from, to), { headBytes: shownHeadBytes, tailBytes: shownTailBytes })
  const text = describeOutput(view, { path: logPath, bytes: to })
  return text === '' ? '' : fenceText(text, command)
}
