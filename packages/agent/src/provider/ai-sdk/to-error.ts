import { DeckhandError, ProviderError, type ProviderErrorCode } from '@deckhand/core'
import type { Redact } from '../redact.ts'
import { isContextLimit, isOversizedForRate } from './context-limit.ts'
import { type Failure, readFailure } from './failure.ts'
import { parseDurationMs, parseRetryAfterMs } from './retry-after.ts'

/** What the words of an error need to know of the request. */
export interface ErrorContext {
  readonly providerID: string
  readonly modelID: string
  readonly baseURL: string
  /** Where the key comes from, for "check …": a variable's name or a place in the configuration. */
  readonly keyName?: string
  /** How far the request came: nothing came back; the answer's headers did; some of the answer did. */
  readonly progress: 'sent' | 'answered' | 'begun'
  /** Milliseconds since 1970, for Retry-After dates. */
  readonly now: number
  readonly redact: Redact
}

interface Verdict {
  readonly code: ProviderErrorCode
  readonly retryable: boolean
  readonly words: string
}

const maxBodyChars = 2_000
const maxSaidChars = 500

/**
 * Makes a ProviderError of anything that a request threw or that its stream told of. What is no failure of the
 * provider comes back untouched: an error that is ours already (a cassette that differs, a limit that was not kept),
 * and a bug.
 */
export function toProviderError(error: unknown, context: ErrorContext): Error {
  const ours = findOurs(error)
  if (ours) return ours
  const failure = readFailure(error)
  if (isBug(error, failure)) return error
  if (/stream ended without a finish reason/i.test(failure.message)) return createStreamCutError(context, error)
  const verdict = evaluateFailure(failure, context)
  const retryAfterMs = verdict.retryable ? readRetryAfterMs(failure, context.now) : undefined
  return new ProviderError(
    verdict.code,
    context.redact(verdict.words),
    {
      provider: context.providerID,
      model: context.modelID,
      retryable: verdict.retryable,
      url: context.redact(failure.url ?? context.baseURL),
      ...(failure.status !== undefined && { status: failure.status }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(failure.body && { body: context.redact(failure.body).slice(0, maxBodyChars) }),
    },
    { cause: error },
  )
}

/** The error for a stream that ended without the provider's word that it was whole. */
export function createStreamCutError(context: ErrorContext, cause?: unknown): ProviderError {
  return new ProviderError(
    'stream-cut',
    `The answer of ${context.providerID} broke off ${describeProgress(context)}.`,
    { provider: context.providerID, model: context.modelID, retryable: true, url: context.redact(context.baseURL) },
    { cause },
  )
}

/** What came with status 200 instead of a stream of events. */
export interface WholeAnswer {
  readonly contentType: string
  readonly body: string
  readonly url: string
}

/**
 * The error for an answer that is a page or a JSON text in one piece: an error that came with status 200, or an
 * address that is not the API's.
 */
export function createNoStreamError({ contentType, body, url }: WholeAnswer, context: ErrorContext): Error {
  const told = readFailure({ responseBody: body, url })
  if (/json/.test(contentType) && /"error"/.test(body)) return toProviderError({ responseBody: body, url }, context)
  return new ProviderError(
    'bad-response',
    context.redact(
      `${context.providerID} answered with ${contentType} instead of a stream of events: ${said(told)}. Is options.baseURL (${context.baseURL}) the address of its API?`,
    ),
    {
      provider: context.providerID,
      model: context.modelID,
      status: 200,
      retryable: false,
      url: context.redact(url),
      body: context.redact(body).slice(0, maxBodyChars),
    },
  )
}

function findOurs(error: unknown): DeckhandError | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 8; current = current.cause, depth++) {
    if (current instanceof DeckhandError) return current
  }
  return undefined
}

function isBug(error: unknown, failure: Failure): error is Error {
  const isOwn = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  return isOwn && failure.network === undefined && !isBadHeader(failure)
}

// As fetch words it; the value is in some of these sentences, so they are never shown.
function isBadHeader({ message }: Failure): boolean {
  return /ByteString|invalid header (value|name)/i.test(message)
}

function evaluateFailure(failure: Failure, context: ErrorContext): Verdict {
  if (isBadHeader(failure)) {
    const words = `The key for ${context.providerID}, or one of its headers, holds a character that can't be sent, such as a line break or "…". ${adviseOnKey(context)}`
    return { code: 'auth', retryable: false, words }
  }
  if (failure.network) return evaluateNetwork(failure, failure.network, context)
  if (failure.unreadable) return evaluateUnreadable(failure, context)
  return evaluateAnswer(failure, context)
}

function evaluateNetwork(failure: Failure, network: string, context: ErrorContext): Verdict {
  if (context.progress !== 'sent' || failure.status === 200) {
    return {
      code: 'stream-cut',
      retryable: true,
      words: `The answer of ${context.providerID} broke off ${describeProgress(context)}: ${describeNetwork(network)}.`,
    }
  }
  if (/TIMEOUT|TIMEDOUT/.test(network)) {
    return {
      code: 'timeout',
      retryable: true,
      words: `${describeTarget(context)} did not answer in time (${network}).`,
    }
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(network)) {
    return {
      code: 'network',
      retryable: false,
      words:
        `The certificate of ${describeTarget(context)} is not trusted (${network}). ` +
        'Behind a company proxy, set NODE_EXTRA_CA_CERTS to the file with its certificate.',
    }
  }
  return {
    code: 'network',
    retryable: true,
    words: `Can't reach ${describeTarget(context)}: ${describeNetwork(network)}. ${adviseOnNetwork(context.baseURL)}`,
  }
}

function describeProgress({ progress }: ErrorContext): string {
  return progress === 'begun' ? 'in the middle' : 'before its first word'
}

const networkWords: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: "the host's name can't be looked up now",
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
}

function describeNetwork(network: string): string {
  return networkWords[network] ? `${networkWords[network]} (${network})` : network
}

function adviseOnNetwork(baseURL: string): string {
  return /^https?:\/\/(localhost|127\.|\[::1\]|0\.0\.0\.0)/i.test(baseURL)
    ? 'Is the local server running?'
    : 'Check the network, a proxy, and options.baseURL.'
}

function evaluateUnreadable(failure: Failure, context: ErrorContext): Verdict {
  if (failure.unreadable === 'unsupported') {
    return {
      code: 'bad-request',
      retryable: false,
      words: `${context.providerID} can't take this request: ${said(failure)}.`,
    }
  }
  return {
    code: 'bad-response',
    // A broken event in a stream is mostly a hiccup of a proxy.
    retryable: true,
    words: `${context.providerID} sent something that is not in its protocol: ${said(failure)}.`,
  }
}

function evaluateAnswer(failure: Failure, context: ErrorContext): Verdict {
  const { status } = failure
  const who = `${context.providerID}${status ? ` (${status})` : ''}`
  const answer = said(failure)
  if (isQuota(failure)) {
    return {
      code: 'quota',
      retryable: false,
      words: `The account at ${who} has no credit or quota left: ${answer}. Retrying does not help; look at its billing page.`,
    }
  }
  if (isContextLimit(failure)) {
    return {
      code: 'context-limit',
      retryable: false,
      words: `The conversation is too long for ${context.modelID}: ${answer}. Start a new session, or use a model with a larger context.`,
    }
  }
  if (/content_filter|content_policy|content management policy/i.test(`${failure.code} ${failure.message}`)) {
    return {
      code: 'content-filter',
      retryable: false,
      words: `${who} does not answer this by its content rules: ${answer}.`,
    }
  }
  return evaluateStatus(failure, context, who, answer)
}

function evaluateStatus(failure: Failure, context: ErrorContext, who: string, answer: string): Verdict {
  const { status } = failure
  switch (status) {
    case 401:
      return { code: 'auth', retryable: false, words: `${who} refused the key: ${answer}. ${adviseOnKey(context)}` }
    case 403:
      return { code: 'auth', retryable: false, words: `${who} does not allow this: ${answer}. ${adviseOnKey(context)}` }
    case 404:
    case 405:
    case 410:
      return evaluateNotFound(failure, context, who, answer)
    case 408:
    case 504:
      return { code: 'timeout', retryable: true, words: `${who} ran out of time: ${answer}.` }
    case 409:
    case 425:
      return { code: 'server', retryable: true, words: `${who} could not take the request now: ${answer}.` }
    case 429:
      return {
        code: 'rate-limit',
        retryable: !isOversizedForRate(failure),
        words: `${who} asks to slow down: ${answer}.`,
      }
    case 498:
    case 503:
    case 529:
      return { code: 'overloaded', retryable: true, words: `${who} is overloaded: ${answer}.` }
    case undefined:
      return { code: 'server', retryable: failure.retryable ?? true, words: `${who} told of an error: ${answer}.` }
    default:
      if (status >= 500 && status !== 501) {
        return { code: 'server', retryable: true, words: `${who} failed: ${answer}.` }
      }
      return { code: 'bad-request', retryable: false, words: `${who} refused the request: ${answer}.` }
  }
}

function evaluateNotFound(failure: Failure, context: ErrorContext, who: string, answer: string): Verdict {
  const aboutModel = /model|deployment/i.test(`${failure.message} ${failure.code ?? ''}`)
  const words = aboutModel
    ? `${who} has no model "${context.modelID}": ${answer}. \`deckhand models\` lists what is configured.`
    : `There is nothing at ${failure.url ?? context.baseURL}: ${who} said ${answer}. Check options.baseURL (most end in /v1)${
        /\/responses$/.test(failure.url ?? '')
          ? ', or set options.api to "chat" for a server without the Responses API'
          : ''
      }.`
  return { code: 'not-found', retryable: false, words }
}

function adviseOnKey(context: ErrorContext): string {
  return context.keyName ? `Check ${context.keyName}.` : `Check provider.${context.providerID}.options.apiKey.`
}

function describeTarget(context: ErrorContext): string {
  return `${context.providerID} at ${context.baseURL}`
}

// The sentence that the server said, without a closing full stop, since ours follows.
function said(failure: Failure): string {
  const line = failure.message.replace(/\s+/g, ' ').trim()
  const short = line.length > maxSaidChars ? `${line.slice(0, maxSaidChars - 1)}…` : line
  return short.replace(/\.$/, '') || 'no reason given'
}

function isQuota(failure: Failure): boolean {
  if (failure.status === 402) return true
  const text = `${failure.code ?? ''} ${failure.type ?? ''} ${failure.message}`
  if (
    /insufficient_quota|billing_error|credit balance is too low|used all available credits|insufficient (balance|credits)/i.test(
      text,
    )
  ) {
    return true
  }
  // Google words a minute's limit and a spent day alike; only for the first it says when to come back.
  return (
    /exceeded your current quota/i.test(text) &&
    (/PerDay/.test(failure.body ?? '') || !/retryDelay/.test(failure.body ?? ''))
  )
}

function readRetryAfterMs(failure: Failure, now: number): number | undefined {
  const fromHeaders = failure.headers && parseRetryAfterMs(failure.headers, now)
  if (fromHeaders !== undefined) return fromHeaders
  const inBody =
    /"retryDelay"\s*:\s*"([\d.]+s)"/.exec(failure.body ?? '') ?? /try again in ([\dhms.]+\d*m?s)/i.exec(failure.message)
  return inBody?.[1] === undefined ? undefined : parseDurationMs(inBody[1])
}
