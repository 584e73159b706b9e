import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clock, ProviderError, type ProviderErrorFacts } from '@deckhand/core'
import fc from 'fast-check'
import { defaultRetryLimits, evaluateRetry, type RetryNotice, withRetries } from './retry.ts'

const facts: ProviderErrorFacts = { provider: 'p', model: 'm', retryable: true, status: 429 }
const busy = (more: Partial<ProviderErrorFacts> = {}) =>
  new ProviderError('rate-limit', 'The server is busy.', { ...facts, ...more })

/** A clock whose sleeps take no time and are written down. */
function createFastClock(): Clock & { slept: number[] } {
  let time = 0
  const slept: number[] = []
  return {
    slept,
    now: () => time,
    monotonic: () => time,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      slept.push(ms)
      time += ms
    },
  }
}

test('core.providers: a retry waits at least as long as the server asked for', () => {
  const decision = evaluateRetry(busy({ retryAfterMs: 7_000 }), 1, 0, defaultRetryLimits)
  assert.deepEqual(decision, { retry: true, delayMs: 7_000 })
})

test('core.providers: back-off doubles, keeps jitter in its upper half, and never passes the longest delay', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempt, random) => {
      const decision = evaluateRetry(busy(), attempt, 0, defaultRetryLimits, () => random)
      assert.ok(decision.retry)
      const full = Math.min(60_000, 1_000 * 2 ** (attempt - 1))
      assert.ok(decision.delayMs >= full / 2 && decision.delayMs <= full, `${decision.delayMs} for attempt ${attempt}`)
    }),
  )
})

test('core.providers: an error that a retry can not mend is never sent again', () => {
  assert.deepEqual(evaluateRetry(busy({ retryable: false }), 1, 0, defaultRetryLimits), { retry: false })
  assert.deepEqual(evaluateRetry(new Error('a bug'), 1, 0, defaultRetryLimits), { retry: false })
})

test('core.providers: a wish of the server beyond the time for retries ends it at once, with the reason', async () => {
  const clock = createFastClock()
  const run = withRetries(() => Promise.reject(busy({ retryAfterMs: 3_600_000 })), {
    limits: defaultRetryLimits,
    clock,
    signal: new AbortController().signal,
    onRetry: async () => {},
  })
  await assert.rejects(run, {
    message:
      'The server is busy. (given up, as the next attempt would be in 3600 s, beyond the limit of 300 s for retries)',
  })
  assert.deepEqual(clock.slept, [])
})

test('core.providers: retries are counted, told before each wait, and end with the last error', async () => {
  const clock = createFastClock()
  const told: RetryNotice[] = []
  const run = withRetries(() => Promise.reject(busy()), {
    limits: { ...defaultRetryLimits, maxAttempts: 3 },
    clock,
    signal: new AbortController().signal,
    onRetry: async notice => void told.push(notice),
  })
  await assert.rejects(run, { message: 'The server is busy. (given up after 3 attempts)' })
  assert.deepEqual(
    told.map(({ attempt, maxAttempts }) => ({ attempt, maxAttempts })),
    [
      { attempt: 1, maxAttempts: 3 },
      { attempt: 2, maxAttempts: 3 },
    ],
  )
  assert.deepEqual(
    clock.slept,
    told.map(notice => notice.delayMs),
  )
})

test('core.cancel: an abort during the wait ends it with the reason of the abort', async () => {
  const controller = new AbortController()
  const clock: Clock = { ...createFastClock(), sleep: async (_, signal) => void signal?.throwIfAborted() }
  const run = withRetries(() => Promise.reject(busy()), {
    limits: defaultRetryLimits,
    clock,
    signal: controller.signal,
    onRetry: async () => controller.abort(new Error('cancelled')),
  })
  await assert.rejects(run, { message: 'cancelled' })
})
