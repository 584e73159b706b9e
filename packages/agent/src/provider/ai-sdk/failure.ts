/** The facts that can be read from an error of the AI SDK, of fetch, or of a stream. */
export interface Failure {
  readonly message: string
  readonly status?: number
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The provider's own code and type, such as `insufficient_quota`. */
  readonly code?: string
  readonly type?: string
  /** The code of a failed connection, such as ECONNREFUSED. */
  readonly network?: string
  /** An answer that could not be understood; or a request that can't be put into the protocol. */
  readonly unreadable?: 'answer' | 'unsupported'
  /** What the AI SDK thinks, where nothing else tells. */
  readonly retryable?: boolean
}

type Bag = Readonly<Record<string, unknown>>

/** Reads them. Works by shape and name, not by class: a bundle may hold two copies of a class. */
export function readFailure(error: unknown): Failure {
  const bag = isBag(error) ? error : {}
  const inBody = readBody(asString(bag.responseBody)) ?? readErrorObject(bag.data) ?? readErrorObject(bag)
  return {
    message: inBody?.message || asString(bag.message) || (typeof error === 'string' ? error : ''),
    status: readStatus(bag, inBody),
    url: asString(bag.url),
    headers: isBag(bag.responseHeaders) ? (bag.responseHeaders as Readonly<Record<string, string>>) : undefined,
    body: asString(bag.responseBody) ?? (isBag(bag.data) ? JSON.stringify(bag.data) : undefined),
    code: inBody?.code,
    type: inBody?.type,
    network: findNetworkCode(error),
    unreadable: readUnreadable(bag),
    retryable: typeof bag.isRetryable === 'boolean' ? bag.isRetryable : undefined,
  }
}

interface ErrorObject {
  readonly message?: string
  readonly code?: string
  readonly type?: string
  readonly status?: number
}

function readBody(body: string | undefined): ErrorObject | undefined {
  if (body === undefined) return undefined
  try {
    return readErrorObject(JSON.parse(body))
  } catch {
    // HTML pages of proxies say more in their title than in their markup.
    const text = (/<title>([^<]*)/i.exec(body)?.[1] ?? body.replace(/<[^>]*>/g, ' ')).trim()
    return text === '' ? undefined : { message: text }
  }
}

// {error: {message, type, code}} (most), {type: "error", error: {…}} (Anthropic), [{error: …}] (Google's list form),
// {type: "response.failed", response: {error}} (Responses), {error: "words"} (Ollama), {message, code} (plain).
function readErrorObject(value: unknown): ErrorObject | undefined {
  const first = Array.isArray(value) ? value[0] : value
  if (!isBag(first)) return undefined
  if (typeof first.error === 'string') return { message: first.error }
  if (isBag(first.response) && isBag(first.response.error)) return readErrorObject(first.response.error)
  const inner = isBag(first.error) ? first.error : first
  const message = asString(inner.message) ?? asString(inner.detail)
  if (message === undefined) return undefined
  return {
    message,
    code: asString(inner.code) ?? (typeof inner.code === 'number' ? String(inner.code) : asString(inner.status)),
    type: asString(inner.type),
    status: typeof inner.code === 'number' && inner.code >= 400 && inner.code < 600 ? inner.code : undefined,
  }
}

const statusOfType: Readonly<Record<string, number>> = {
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  invalid_request_error: 400,
  timeout_error: 504,
  api_error: 500,
  server_error: 500,
  overloaded_error: 529,
}

function readStatus(bag: Bag, inBody: ErrorObject | undefined): number | undefined {
  if (typeof bag.statusCode === 'number') return bag.statusCode
  if (inBody?.status !== undefined) return inBody.status
  return statusOfType[inBody?.code ?? ''] ?? statusOfType[inBody?.type ?? '']
}

function readUnreadable(bag: Bag): Failure['unreadable'] {
  const name = asString(bag.name) ?? ''
  if (/AI_(UnsupportedFunctionality|InvalidPrompt|InvalidArgument)Error/.test(name)) return 'unsupported'
  if (/AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoContentGenerated)Error/.test(name))
    return 'answer'
  return undefined
}

const networkCode =
  /^(E[A-Z0-9_]{3,}|UND_ERR_[A-Z_]+|CERT_[A-Z_]+|SELF_SIGNED[A-Z_]*|DEPTH_ZERO[A-Z_]*|UNABLE_TO_[A-Z_]+|ERR_TLS[A-Z_]*|HPE_[A-Z_]+)$/

function findNetworkCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; isBag(current) && depth < 8; current = current.cause, depth++) {
    const code = asString(current.code)
    if (current instanceof Error && code !== undefined && networkCode.test(code)) return code
    if (
      current instanceof Error &&
      /^(terminated|other side closed|fetch failed)$/i.test(current.message) &&
      !current.cause
    ) {
      return 'UND_ERR_SOCKET'
    }
  }
  return undefined
}

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null
}

function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
