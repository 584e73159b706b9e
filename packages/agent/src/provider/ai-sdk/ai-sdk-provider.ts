/**
 * Real models, through the AI SDK's provider packages. They are used directly (`doStream` of the V4 specification)
 * and without the `ai` package: the loop, the retries and the tools are Deckhand's own, and start-up is felt. One
 * package is loaded, when the first request is sent.
 *
 * Here: what goes in (to-prompt), what comes out (from-stream), what goes wrong (to-error), silence (watched-fetch).
 * Which provider is used, with which key, is decided in ../choose.ts.
 */
import type {
  JSONObject,
  JSONSchema7,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { ConfigError, ProviderError } from '@deckhand/core'
import type { ModelCapabilities, ModelEvent, ModelProvider, ModelRequest } from '../contract.ts'
import { createRedactor, type Redact } from '../redact.ts'
import { type Dialect, resolveDialect } from './dialect.ts'
import { createStreamTranslator } from './from-stream.ts'
import { loadModel } from './load-model.ts'
import { createPatientFetch } from './patient-fetch.ts'
import { createStreamOnlyFetch } from './stream-only-fetch.ts'
import { createNoStreamError, createStreamCutError, type ErrorContext, toProviderError } from './to-error.ts'
import { toPrompt } from './to-prompt.ts'
import { createWatchedFetch, type Silence, type WatchHooks } from './watched-fetch.ts'

/** `provider.ID.options` of the configuration, secrets resolved. Unknown fields are ignored. */
export interface AiSdkOptions {
  readonly baseURL?: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** "chat" makes `@ai-sdk/openai` use chat completions; default is Responses. */
  readonly api?: string
  readonly organization?: string
  readonly project?: string
  readonly queryParams?: Readonly<Record<string, string>>
  /** May reasoning be sent back? Some services refuse the field; default true. */
  readonly sendReasoning?: boolean
  /** Must usage be asked for? Some services refuse the question and tell it anyway; default true. */
  readonly includeUsage?: boolean
  /** From the request to the first byte of the answer; default 300,000. */
  readonly firstByteTimeoutMs?: number
  /** Between two bytes of the answer; default 300,000. */
  readonly idleTimeoutMs?: number
}

export interface AiSdkProviderSettings {
  /** One of the built-in packages, as in `provider.ID.npm`. */
  readonly npm: string
  readonly providerID: string
  readonly modelID: string
  /** The model's name for the API, where it differs. */
  readonly apiModelID?: string
  readonly options: AiSdkOptions
  /** `provider.ID.models.ID.options`: given to the AI SDK as they are (`reasoningEffort`, `thinking`, …). */
  readonly modelOptions?: Readonly<Record<string, unknown>>
  /** Is it a reasoning model, though its name does not say so? */
  readonly reasoning?: boolean
  readonly capabilities?: ModelCapabilities
  /** For "check …" in errors: where the key comes from. */
  readonly keyName?: string
  /** Values that must never be shown, besides the key and the headers. */
  readonly secrets?: readonly string[]
  readonly fetch?: typeof fetch
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

const defaultTimeoutMs = 300_000

// Room that is asked for is taken from the prompt's: some services count both against the context.
const maxOutputTokens = 32_000

/** Makes a provider of a built-in package. ConfigError when `npm` is not one, or when there is no address. */
export function createAiSdkProvider(settings: AiSdkProviderSettings): ModelProvider {
  const dialect = resolveDialect(settings.npm, settings.options.api, settings.providerID)
  const connection = createConnection(settings, dialect)
  const capabilities = settings.capabilities ?? { acceptsImages: true }
  let model: Promise<LanguageModelV4> | undefined
  return {
    providerID: settings.providerID,
    modelID: settings.modelID,
    capabilities,
    async *stream(request, signal) {
      signal.throwIfAborted()
      const options = toCallOptions(request, settings, connection, capabilities)
      model ??= connection.load()
      yield* streamAnswer(await model, options, request, connection, signal)
    },
  }
}

interface Connection {
  readonly dialect: Dialect
  readonly optionsKey: string
  load(): Promise<LanguageModelV4>
  context(progress: ErrorContext['progress']): ErrorContext
  /** Why the body of the answer to the request with this signal broke, if it did. */
  brokenBy(signal: AbortSignal): unknown
}

function createConnection(settings: AiSdkProviderSettings, dialect: Dialect): Connection {
  const { options, providerID, modelID } = settings
  const baseURL = resolveBaseURL(options.baseURL, dialect, providerID)
  const redact = createSettingsRedactor(settings)
  const optionsKey = dialect.optionsKey ?? toOptionsKey(providerID)
  const broken = new WeakMap<AbortSignal, unknown>()
  const context: Connection['context'] = progress => ({
    providerID,
    modelID,
    baseURL: redact(baseURL),
    keyName: settings.keyName,
    progress,
    now: (settings.now ?? Date.now)(),
    redact,
  })
  return {
    dialect,
    optionsKey,
    context,
    brokenBy: signal => broken.get(signal),
    load: () =>
      loadModel({
        dialect,
        optionsKey,
        modelID: settings.apiModelID ?? modelID,
        baseURL,
        apiKey: options.apiKey ?? '',
        headers: options.headers ?? {},
        organization: options.organization,
        project: options.project,
        queryParams: options.queryParams,
        includeUsage: options.includeUsage ?? true,
        fetch: createFetch(settings, context, (signal, error) => {
          if (signal) broken.set(signal, error)
        }),
      }),
  }
}

function resolveBaseURL(baseURL: string | undefined, dialect: Dialect, providerID: string): string {
  const address = baseURL ?? dialect.defaultBaseURL
  if (address !== undefined && /^https?:\/\/[^/]/i.test(address) && URL.canParse(address))
    return address.replace(/\/+$/, '')
  throw new ConfigError(
    'invalid',
    `provider.${providerID}.options.baseURL ${address === undefined ? 'is missing' : `is "${address}"`}; it must be the address of the API, such as "http://127.0.0.1:8080/v1".`,
    { providerID },
  )
}

function createSettingsRedactor({ options, secrets = [] }: AiSdkProviderSettings): Redact {
  return createRedactor([options.apiKey ?? '', ...Object.values(options.headers ?? {}), ...secrets])
}

// The AI SDK takes the name up to the first dot, and warns about names that are not in camel case.
function toOptionsKey(providerID: string): string {
  const key = providerID
    .replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase())
    .replace(/^[A-Z]/, first => first.toLowerCase())
  return key === '' ? 'provider' : key
}

function createFetch(
  settings: AiSdkProviderSettings,
  context: Connection['context'],
  onBroken: WatchHooks['onBroken'],
): typeof fetch {
  const limits = {
    firstByteTimeoutMs: settings.options.firstByteTimeoutMs ?? defaultTimeoutMs,
    idleTimeoutMs: settings.options.idleTimeoutMs ?? defaultTimeoutMs,
  }
  const base = createPatientFetch(settings.fetch ?? fetch, Math.max(limits.firstByteTimeoutMs, limits.idleTimeoutMs))
  const createError = (silence: Silence) => createSilenceError(silence, context('sent'))
  const watched = createWatchedFetch(base, limits, { createError, onBroken })
  return createStreamOnlyFetch(watched, answer => createNoStreamError(answer, context('answered')))
}

function createSilenceError({ phase, limitMs }: Silence, context: ErrorContext): ProviderError {
  const what = phase === 'first-byte' ? 'did not begin to answer' : 'fell silent in the middle of its answer'
  return new ProviderError(
    'timeout',
    `${context.providerID} at ${context.baseURL} ${what}: nothing came for ${limitMs / 1000} s ` +
      `(options.${phase === 'first-byte' ? 'firstByteTimeoutMs' : 'idleTimeoutMs'} is ${limitMs}).`,
    { provider: context.providerID, model: context.modelID, retryable: true, url: context.baseURL },
  )
}

function toCallOptions(
  request: ModelRequest,
  settings: AiSdkProviderSettings,
  { dialect, optionsKey }: Connection,
  capabilities: ModelCapabilities,
): LanguageModelV4CallOptions {
  return {
    prompt: toPrompt(request, {
      dialect,
      acceptsImages: capabilities.acceptsImages,
      sendsReasoning: settings.options.sendReasoning ?? true,
    }),
    tools: request.tools.map(tool => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema as JSONSchema7,
    })),
    maxOutputTokens: capabilities.outputTokens && Math.min(capabilities.outputTokens, maxOutputTokens),
    providerOptions: { [optionsKey]: toProviderOptions(request, settings, dialect) },
  }
}

// Nothing is stored at OpenAI (`store: false`): reasoning comes to us encrypted and goes along with the next request,
// so a session that is resumed refers to nothing that only exists there.
function toProviderOptions(request: ModelRequest, settings: AiSdkProviderSettings, dialect: Dialect): JSONObject {
  const defaults: JSONObject =
    dialect.name === 'openai-responses'
      ? { store: false, promptCacheKey: request.sessionID, ...(settings.reasoning && { forceReasoning: true }) }
      : {}
  // What the configuration holds came from JSON.
  return { ...defaults, ...(settings.modelOptions as JSONObject | undefined) }
}

async function* streamAnswer(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  request: ModelRequest,
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const own = new AbortController()
  const abort = () => own.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  let progress: ErrorContext['progress'] = 'sent'
  let whole = false
  try {
    signal.throwIfAborted()
    const { stream } = await unlessAborted(model.doStream({ ...options, abortSignal: own.signal }), own.signal)
    for await (const event of readEvents(stream, request, own.signal, () => connection.context(progress))) {
      progress = 'begun'
      whole = event.type === 'finish'
      yield event
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const cause = connection.brokenBy(own.signal)
    if (cause === undefined) throw toProviderError(error, connection.context(progress))
    throw toProviderError(cause, connection.context(progress === 'sent' ? 'answered' : progress))
  } finally {
    signal.removeEventListener('abort', abort)
    // Closes the connection where the answer was not read to its end; else it is kept for the next request.
    if (!whole) own.abort()
  }
}

async function* readEvents(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  request: ModelRequest,
  signal: AbortSignal,
  context: () => ErrorContext,
): AsyncGenerator<ModelEvent> {
  const translate = createStreamTranslator(callIDsOf(request))
  const reader = stream.getReader()
  // Ends a read that waits, at once.
  const cancel = () => void reader.cancel(signal.reason).catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  while (true) {
    const { done, value } = await reader.read()
    signal.throwIfAborted()
    if (done) throw createStreamCutError(context())
    const translated = translate(value)
    if ('failure' in translated) throw translated.failure
    if ('broken' in translated) throw createBrokenError(translated, context())
    if (value.type !== 'finish') {
      yield* translated.events
      continue
    }
    signal.removeEventListener('abort', cancel)
    await readToEnd(reader)
    yield* translated.events
    return
  }
}

// Anthropic's stream goes on for a moment after its finish. What comes then, or fails then, changes nothing.
async function readToEnd(reader: ReadableStreamDefaultReader<unknown>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    return
  }
}

function createBrokenError(end: { broken: 'cut' | 'finished-with-error'; raw?: string }, context: ErrorContext) {
  if (end.broken === 'cut') return createStreamCutError(context)
  return new ProviderError(
    'bad-response',
    `${context.providerID} ended its answer with an error${end.raw ? ` (${end.raw})` : ''}: the model wrote something that its own service could not read.`,
    { provider: context.providerID, model: context.modelID, retryable: true, url: context.baseURL },
  )
}

function* callIDsOf(request: ModelRequest): Generator<string> {
  for (const message of request.messages) {
    if (message.role !== 'assistant') continue
    for (const part of message.content) if (part.type === 'tool-call') yield part.callID
  }
}

// The AI SDK looks at the first events before it hands the stream out, and that wait has no other way to be left.
function unlessAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject)
  })
}
