import type { Clock, MessageWithParts, Part, SessionEvent } from '@deckhand/core'
import type { SessionRecorder } from '../run/recorder.ts'
import { interruptedResult } from './history.ts'

/**
 * A process that was killed leaves calls without a result. They are closed for good, as interrupted, before the next
 * turn begins; the history that comes back holds them so.
 */
export async function recoverInterrupted(
  history: readonly MessageWithParts[],
  recorder: SessionRecorder,
  clock: Clock,
): Promise<readonly MessageWithParts[]> {
  const closed = new Map<string, Part>()
  for (const { parts } of history) for (const part of parts) closeOpenCall(part, clock.now(), closed)
  if (closed.size === 0) return history
  const events = [...closed.values()].map((part): SessionEvent => ({ type: 'part.updated', part }))
  await recorder.record(...events, {
    type: 'notice',
    code: 'interrupted-calls',
    message: `An earlier turn was ended in the middle: ${closed.size} tool call${closed.size === 1 ? ' has' : 's have'} no result, and the model is told so.`,
  })
  return history.map(({ info, parts }) => ({ info, parts: parts.map(part => closed.get(part.id) ?? part) }))
}

function closeOpenCall(part: Part, now: number, closed: Map<string, Part>): void {
  if (part.type !== 'tool' || (part.state.status !== 'running' && part.state.status !== 'pending')) return
  const { input, time } = part.state
  closed.set(part.id, {
    ...part,
    state: { status: 'error', input, error: interruptedResult, time: { start: time.start, end: now } },
  })
}
