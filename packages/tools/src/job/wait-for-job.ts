import { setTimeout as sleep } from 'node:timers/promises'
import type { Job, JobFacts } from '@deckhand/process'
import { decodeOutput } from '../output/decode-output.ts'
import { renderTerminal } from '../output/render-terminal.ts'
import { findCharacterEnd, readBytes } from './job-log.ts'
import { createPattern } from './pattern.ts'

/** What is waited for: asked again and again, with fresh facts. Met: some words on it. */
export type Condition = (facts: JobFacts) => Promise<string | undefined> | string | undefined

/** What a wait came to. */
export interface WaitEnd {
  readonly kind: 'met' | 'ended' | 'timed-out'
  /** What the condition said. */
  readonly words?: string
  readonly waitedMs: number
}

export interface WaitLimits {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

const lookEveryMs = 40

/**
 * Waits until the condition is met, the job has ended, or the time is over. What the job printed just before its end
 * is looked at too. Throws the signal's reason.
 */
export async function waitForJob(job: Job, condition: Condition, { timeoutMs, signal }: WaitLimits): Promise<WaitEnd> {
  const startedAt = performance.now()
  const passed = () => performance.now() - startedAt
  for (;;) {
    const facts = job.facts()
    const words = await condition(facts)
    if (words !== undefined) return { kind: 'met', words, waitedMs: passed() }
    if (facts.end) return { kind: 'ended', waitedMs: passed() }
    const leftMs = timeoutMs - passed()
    if (leftMs <= 0) return { kind: 'timed-out', waitedMs: passed() }
    await sleep(Math.min(lookEveryMs, leftMs), undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/** Never met: the wait is for the end alone. */
export const onlyTheEnd: Condition = () => undefined

/** Met when there is output behind the position. */
export function hasOutputAfter(cursor: number): Condition {
  return ({ bytes }) => (bytes > cursor ? 'there is new output' : undefined)
}

// A line that is longer than this is no line that somebody waits for.
const mostCarriedChars = 64 * 1024
const mostAtOnceBytes = 1024 * 1024

/** Met when a line behind the position matches, also one that is not ended yet. Throws ToolFailure for a bad pattern. */
export function hasLine(source: string, cursor: number): Condition {
  const pattern = createPattern(source)
  let at = cursor
  let carried = ''
  return ({ logPath, bytes }) => {
    while (at < bytes) {
      const end = findCharacterEnd(logPath, Math.min(bytes, at + mostAtOnceBytes))
      if (end <= at) return undefined
      const text = carried + renderTerminal(decodeOutput(readBytes(logPath, at, end)))
      at = end
      const line = pattern.findLine(text)
      if (line !== undefined) return `a line matches ${source}: ${line.trim().slice(0, 200)}`
      carried = text.slice(text.lastIndexOf('\n') + 1).slice(-mostCarriedChars)
    }
    return undefined
  }
}
