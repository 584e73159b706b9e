import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError, ProviderError } from '@deckhand/core'
import { createRedactor } from '../redact.ts'
import { type ErrorContext, toProviderError } from './to-error.ts'

const now = Date.parse('2026-12-01T04:00:00Z')
const context: ErrorContext = {
  providerID: 'acme',
  modelID: 'big',
  baseURL: 'https://api.acme.test/v1',
  progress: 'sent',
  now,
  redact: createRedactor(['the-secret-key']),
}

/** As the AI SDK throws it for an HTTP error. */
function answered(status: number, body: unknown, headers: Record<string, string> = {}): Error {
  return Object.assign(new Error('the status text'), {
    name: 'AI_APICallError',
    statusCode: status,
    url: 'https://api.acme.test/v1/chat/completions',
    responseBody: typeof body === 'string' ? body : JSON.stringify(body),
    responseHeaders: headers,
  })
}

function judge(error: unknown, more: Partial<ErrorContext> = {}): ProviderError {
  const judged = toProviderError(error, { ...context, ...more })
  assert.ok(judged instanceof ProviderError, judged.stack)
  return judged
}

const verdict = (error: unknown, more: Partial<ErrorContext> = {}) => {
  const { code, facts } = judge(error, more)
  return [code, facts.retryable]
}

const openai = (message: string, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', code },
})
const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } })
const google = (code: number, message: string, status: string, details?: unknown[]) => ({
  error: { code, message, status, details },
})

describe('core.providers: what an error of a provider means', () => {
  it('core.providers: a conversation that is too long is told as such, whoever says it', () => {
    const said: [number, unknown][] = [
      [
        400,
        openai(
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
          'context_length_exceeded',
        ),
      ],
      [
        400,
        openai(
          'Your input exceeds the context window of this model. Please adjust your input and try again.',
          'context_length_exceeded',
        ),
      ],
      [400, anthropic('invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum')],
      [
        400,
        anthropic(
          'invalid_request_error',
          'input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000',
        ),
      ],
      [413, anthropic('request_too_large', 'Request exceeds the maximum size')],
      [
        400,
        google(
          400,
          'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          'INVALID_ARGUMENT',
        ),
      ],
      [400, { error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens." }],
      [400, openai('Please reduce the length of the messages or completion.', 'context_length_exceeded')],
      [
        400,
        {
          object: 'error',
          message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
          type: 'invalid_request_prompt',
        },
      ],
      [
        400,
        {
          error: {
            code: 400,
            message: 'the request exceeds the available context size, try increasing it',
            type: 'exceed_context_size_error',
          },
        },
      ],
      [
        400,
        {
          error:
            'Trying to keep the first 9000 tokens when the context overflows. However, the model is loaded with context length of only 4096 tokens',
        },
      ],
      [500, { error: 'prompt too long; exceeded max context length by 12 tokens' }],
    ]
    for (const [status, body] of said) {
      assert.deepEqual(verdict(answered(status, body)), ['context-limit', false], JSON.stringify(body))
    }
    assert.equal(
      judge(answered(400, anthropic('invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum')))
        .message,
      'The conversation is too long for big: prompt is too long: 208310 tokens > 200000 maximum. Start a new session, or use a model with a larger context.',
    )
  })

  it('core.providers: an empty account is told as such and not asked again', () => {
    const said: [number, unknown][] = [
      [
        429,
        openai('You exceeded your current quota, please check your plan and billing details.', 'insufficient_quota'),
      ],
      [400, anthropic('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.')],
      [402, { error: { message: 'Insufficient Balance' } }],
      [402, { error: { message: 'This request requires more credits', code: 402 } }],
      [
        429,
        google(429, 'You exceeded your current quota.', 'RESOURCE_EXHAUSTED', [
          { quotaId: 'GenerateRequestsPerDayPerProject' },
          { retryDelay: '34s' },
        ]),
      ],
    ]
    for (const [status, body] of said)
      assert.deepEqual(verdict(answered(status, body)), ['quota', false], JSON.stringify(body))
  })

  it("Google's limit of a minute is a rate limit, with the time that is in the body", () => {
    const error = judge(
      answered(429, google(429, 'You exceeded your current quota.', 'RESOURCE_EXHAUSTED', [{ retryDelay: '34.5s' }])),
    )
    assert.equal(error.code, 'rate-limit')
    assert.equal(error.facts.retryAfterMs, 34_500)
  })

  it('one request that is larger than what a minute allows is not sent again', () => {
    const words =
      'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 40000.'
    assert.deepEqual(verdict(answered(429, openai(words, 'rate_limit_exceeded'))), ['rate-limit', false])
  })

  it('statuses', () => {
    const expected: [number, string, boolean][] = [
      [400, 'bad-request', false],
      [401, 'auth', false],
      [403, 'auth', false],
      [404, 'not-found', false],
      [408, 'timeout', true],
      [409, 'server', true],
      [413, 'context-limit', false],
      [418, 'bad-request', false],
      [422, 'bad-request', false],
      [425, 'server', true],
      [429, 'rate-limit', true],
      [498, 'overloaded', true],
      [500, 'server', true],
      [501, 'bad-request', false],
      [502, 'server', true],
      [503, 'overloaded', true],
      [504, 'timeout', true],
      [529, 'overloaded', true],
    ]
    for (const [status, code, retryable] of expected) {
      assert.deepEqual(verdict(answered(status, { error: { message: 'no' } })), [code, retryable], String(status))
    }
  })

  it('a model that is not there, and an address that is not there', () => {
    const model = judge(
      answered(404, openai('The model `big` does not exist or you do not have access to it.', 'model_not_found')),
    )
    assert.equal(
      model.message,
      'acme (404) has no model "big": The model `big` does not exist or you do not have access to it. `deckhand models` lists what is configured.',
    )
    const address = answered(404, '<html><title>Not Found</title></html>')
    assert.equal(
      judge(Object.assign(address, { url: 'https://api.acme.test/responses' })).message,
      'There is nothing at https://api.acme.test/responses: acme (404) said Not Found. Check options.baseURL (most end in /v1), or set options.api to "chat" for a server without the Responses API.',
    )
  })

  it('errors that a stream tells of are judged by their type', () => {
    assert.deepEqual(verdict({ type: 'overloaded_error', message: 'Overloaded' }), ['overloaded', true])
    assert.deepEqual(verdict({ message: 'slow down', type: 'rate_limit_error' }), ['rate-limit', true])
    assert.deepEqual(verdict({ message: 'broken', statusCode: 400, isRetryable: false, data: {} }), [
      'bad-request',
      false,
    ])
    assert.deepEqual(verdict({ message: 'something' }), ['server', true])
    assert.deepEqual(verdict('only words'), ['server', true])
    assert.equal(judge('only words').message, 'acme told of an error: only words.')
  })

  it('networks', () => {
    const failed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) })
    assert.deepEqual(verdict(failed('ECONNREFUSED')), ['network', true])
    assert.deepEqual(verdict(failed('ECONNRESET')), ['network', true])
    assert.deepEqual(verdict(failed('UND_ERR_CONNECT_TIMEOUT')), ['timeout', true])
    assert.deepEqual(verdict(failed('UND_ERR_HEADERS_TIMEOUT')), ['timeout', true])
    assert.deepEqual(verdict(failed('SELF_SIGNED_CERT_IN_CHAIN')), ['network', false])
    assert.deepEqual(verdict(failed('UND_ERR_SOCKET'), { progress: 'begun' }), ['stream-cut', true])
    assert.equal(
      judge(failed('ENOTFOUND')).message,
      "Can't reach acme at https://api.acme.test/v1: there is no host of this name (ENOTFOUND). Check the network, a proxy, and options.baseURL.",
    )
    assert.equal(
      judge(failed('SELF_SIGNED_CERT_IN_CHAIN')).message,
      'The certificate of acme at https://api.acme.test/v1 is not trusted (SELF_SIGNED_CERT_IN_CHAIN). Behind a company proxy, set NODE_EXTRA_CA_CERTS to the file with its certificate.',
    )
  })

  it('secrets are never in the words, the body or the address', () => {
    const error = judge(
      Object.assign(answered(401, { error: { message: 'Bad key the-secret-key' } }), {
        url: 'https://x/?key=the-secret-key',
      }),
    )
    assert.ok(!JSON.stringify([error.message, error.facts]).includes('the-secret-key'))
  })

  it('a key that cannot be sent is told without showing it', () => {
    const error = new TypeError('Headers.append: "Bearer the-secret-key…" is an invalid header value.')
    assert.equal(
      judge(error, { keyName: 'ACME_KEY' }).message,
      'The key for acme, or one of its headers, holds a character that can\'t be sent, such as a line break or "…". Check ACME_KEY.',
    )
    assert.deepEqual(verdict(error), ['auth', false])
  })

  it('bodies and sentences are kept short', () => {
    const error = judge(answered(500, { error: { message: 'x'.repeat(10_000) } }))
    assert.ok((error.facts.body?.length ?? 0) <= 2_000)
    assert.ok(error.message.length < 600)
  })

  it('content rules, and requests that the protocol has no place for', () => {
    assert.deepEqual(verdict(answered(400, openai('Filtered', 'content_filter'))), ['content-filter', false])
    const unsupported = Object.assign(new Error("'audio' functionality not supported."), {
      name: 'AI_UnsupportedFunctionalityError',
    })
    assert.deepEqual(verdict(unsupported), ['bad-request', false])
    assert.equal(judge(unsupported).message, "acme can't take this request: 'audio' functionality not supported.")
  })

  it('what is no failure of the provider travels up untouched', () => {
    const bug = new TypeError("Cannot read properties of undefined (reading 'x')")
    assert.equal(toProviderError(bug, context), bug)
    const ours = new ConfigError('invalid', 'ours')
    assert.equal(toProviderError(new Error('wrapped', { cause: ours }), context), ours)
  })
})
