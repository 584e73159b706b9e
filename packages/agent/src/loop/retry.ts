import { type Clock, ProviderError } from '@deckhand/core'

/** Bounds on sending a request again. */
export interface RetryLimits {
  /** Requests in all, the first included: 1 never retries. */
  readonly maxAttempts: number
  /** From the first request's start; no wait is begun that would pass it. */
  readonly maxTotalMs: number
  readonly firstDelayMs: number
  readonly maxDelayMs: number
}

export const defaultRetryLimits: RetryLimits = {
  maxAttempts: 6,
  maxTotalMs: 300_000,
  firstDelayMs: 1_000,
  maxDelayMs: 60_000,
}

export type RetryDecision =
  | { readonly retry: true; readonly delayMs: number }
  /** `because` is worded for the end of an error message; undefined where a retry was never in question. */
  | { readonly retry: false; readonly because?: string }

/**
 * May the request be sent again, and when? Doubling back-off with full jitter in its upper half; the server's own wish
 * (Retry-After) counts when it is longer, and a wish beyond the time that is left ends it at once.
 */
export function evaluateRetry(
  error: unknown,
  attempt: number,
  elapsedMs: number,
  limits: RetryLimits,
  random: () => number = Math.random,
): RetryDecision {
  if (!(error instanceof ProviderError) || !error.facts.retryable) return { retry: false }
  if (attempt >= limits.maxAttempts) {
    return { retry: false, because: limits.maxAttempts > 1 ? `given up after ${attempt} attempts` : undefined }
  }
  const backOff = Math.min(limits.maxDelayMs, limits.firstDelayMs * 2 ** (attempt - 1))
  const delayMs = Math.round(Math.max(backOff / 2 + (backOff / 2) * random(), error.facts.retryAfterMs ?? 0))
  if (elapsedMs + delayMs > limits.maxTotalMs) {
    return {
      retry: false,
      because: `given up, as the next attempt would be in ${Math.ceil(delayMs / 1000)} s, beyond the limit of ${Math.round(limits.maxTotalMs / 1000)} s for retries`,
    }
  }
  return { retry: true, delayMs }
}

/** What is told of each retry before its wait begins. */
export interface RetryNotice {
  readonly attempt: number
  readonly maxAttempts: number
  readonly delayMs: number
  readonly error: ProviderError
}

/**
 * Runs `attempt` until it succeeds or `evaluateRetry` says no; then throws the last error, with the reason why it was
 * not tried again in its message. Each retry is told before its wait. An abort ends the wait with the signal's reason.
 */
export async function withRetries<Result>(
  attempt: (number: number) => Promise<Result>,
  {
    limits,
    clock,
    signal,
    onRetry,
  }: { limits: RetryLimits; clock: Clock; signal: AbortSignal; onRetry: (notice: RetryNotice) => Promise<void> },
): Promise<Result> {
  const start = clock.monotonic()
  for (let number = 1; ; number++) {
    try {
      return await attempt(number)
    } catch (error) {
      signal.throwIfAborted()
      const decision = evaluateRetry(error, number, clock.monotonic() - start, limits)
      if (!decision.retry) throw explainEnd(error, decision.because)
      await onRetry({
        attempt: number,
        maxAttempts: limits.maxAttempts,
        delayMs: decision.delayMs,
        error: error as ProviderError,
      })
      await clock.sleep(decision.delayMs, signal)
    }
  }
}

function explainEnd(error: unknown, because: string | undefined): unknown {
  if (!(error instanceof ProviderError) || !because) return error
  return new ProviderError(error.code, `${error.message} (${because})`, error.facts, { cause: error })
}
