import type { PermissionAnswer, TokenUsage, TurnOutcome } from '@deckhand/core'
import { groupDigits } from '@deckhand/core'
import { oneLine } from './neutralise.ts'

/** How a turn ended, for the last line. */
export function describeEnd(outcome: TurnOutcome): string {
  switch (outcome.reason) {
    case 'done':
      return outcome.unanswered > 0
        ? `done, with ${outcome.unanswered} question${outcome.unanswered === 1 ? '' : 's'} that nobody could answer`
        : 'done'
    case 'step-limit':
      return `ended at the limit of ${outcome.limit} step${outcome.limit === 1 ? '' : 's'} (--max-steps)`
    case 'time-limit':
      return `ended at the limit of ${outcome.limitMs / 1000} s (--timeout)`
    case 'doom-loop':
      return `ended, as the model asked for the same call of ${oneLine(outcome.tool)} ${outcome.times} times in a row`
    case 'output-limit':
      return "ended, as the answer reached the model's limit of output"
    case 'cancelled':
      return 'interrupted'
    case 'error':
      return `failed: ${oneLine(outcome.error.data.message)}`
  }
}

/** What a turn took, fact by fact: time, steps, tokens, and the cost where it is known. */
export function describeUsage({ steps, tokens, cost }: TurnOutcome, elapsedMs: number): string {
  const facts = [
    describeSeconds(elapsedMs),
    `${steps} step${steps === 1 ? '' : 's'}`,
    describeTokens(tokens),
    ...(cost > 0 ? [`$${cost.toFixed(4)}`] : []),
  ]
  return facts.join(' · ')
}

function describeTokens({ input, output, cache }: TokenUsage): string {
  const cached = cache.read > 0 ? `, ${groupDigits(cache.read)} cached` : ''
  return `${groupDigits(input)} tokens in${cached}, ${groupDigits(output)} out`
}

/** `0.4 s`, `75.0 s`, `430 s`, `12 min 5 s`. */
export function describeSeconds(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return whole <= 600 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** How a question was answered. */
export function describeAnswer(answer: PermissionAnswer): string {
  switch (answer.reply) {
    case 'once':
      return 'allowed once'
    case 'always':
      return `allowed always (${answer.scope})`
    case 'reject':
      return answer.words ? `no, because: ${oneLine(answer.words)}` : 'no'
    case 'unanswered':
      return describeUnanswered(answer.why)
  }
}

function describeUnanswered(why: Extract<PermissionAnswer, { reply: 'unanswered' }>['why']): string {
  switch (why) {
    case 'nobody-to-ask':
      return 'no, as nobody is here to answer. Allow it with a rule, or run with --auto.'
    case 'expired':
      return 'no, as nobody answered in time'
    case 'cancelled':
      return 'cancelled'
  }
}
