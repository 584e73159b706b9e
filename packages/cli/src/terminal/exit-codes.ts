import { ConfigError, SessionError, type TurnOutcome, UsageError } from '@deckhand/core'

/** The exit codes of `deckhand run` (docs/run.md). */
export const exitCodes = { done: 0, failed: 1, usage: 2, unanswered: 3, limit: 4, interrupted: 130 } as const

/** The exit code that tells how a turn ended. A question that nobody could answer outweighs an answer that was given. */
export function resolveExitCode(outcome: TurnOutcome): number {
  switch (outcome.reason) {
    case 'done':
      return outcome.unanswered > 0 ? exitCodes.unanswered : exitCodes.done
    case 'doom-loop':
      return exitCodes.unanswered
    case 'step-limit':
    case 'time-limit':
      return exitCodes.limit
    case 'cancelled':
      return exitCodes.interrupted
    case 'output-limit':
    case 'error':
      return exitCodes.failed
  }
}

/** The exit code of an error: was the command line or the configuration wrong, or did the work fail? */
export function resolveErrorCode(error: unknown): number {
  const isUsage =
    error instanceof UsageError ||
    error instanceof ConfigError ||
    (error instanceof SessionError && error.code === 'not-found')
  return isUsage ? exitCodes.usage : exitCodes.failed
}
