import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, noTokens, ProviderError, SessionError, type TurnOutcome, UsageError } from '@deckhand/core'
import { resolveErrorCode, resolveExitCode } from './exit-codes.ts'

const facts = { text: '', tokens: noTokens, cost: 0, steps: 1, unanswered: 0 }

test('core.headless: the exit code says how the turn ended', () => {
  const cases: readonly (readonly [TurnOutcome, number])[] = [
    [{ ...facts, reason: 'done' }, 0],
    [{ ...facts, reason: 'done', unanswered: 1 }, 3],
    [{ ...facts, reason: 'doom-loop', tool: 'shell', times: 3 }, 3],
    [{ ...facts, reason: 'step-limit', limit: 5 }, 4],
    [{ ...facts, reason: 'step-limit', limit: 5, unanswered: 1 }, 4],
    [{ ...facts, reason: 'time-limit', limitMs: 5 }, 4],
    [{ ...facts, reason: 'output-limit' }, 1],
    [{ ...facts, reason: 'error', error: { name: 'APIError', data: { message: 'no' } } }, 1],
    [{ ...facts, reason: 'cancelled' }, 130],
  ]
  for (const [outcome, code] of cases) assert.equal(resolveExitCode(outcome), code, JSON.stringify(outcome))
})

test('core.headless: a wrong command line, configuration or session is told from work that failed', () => {
  assert.equal(resolveErrorCode(new UsageError('x')), 2)
  assert.equal(resolveErrorCode(new ConfigError('invalid', 'x')), 2)
  assert.equal(resolveErrorCode(new SessionError('not-found', 'x')), 2)
  assert.equal(resolveErrorCode(new SessionError('busy', 'x')), 1)
  assert.equal(resolveErrorCode(new ProviderError('auth', 'x', { provider: 'p', model: 'm', retryable: false })), 1)
  assert.equal(resolveErrorCode(new Error('x')), 1)
})
