/**
 * A server on loopback that speaks the streaming protocols of OpenAI (chat completions and Responses), Anthropic
 * (messages) and Google (streamGenerateContent) as a test wrote it, faults among them. Nothing of it knows Deckhand.
 *
 * Here: starting, stopping, and playing a step on a connection. The wire itself is in protocol.ts, the script's form
 * in step.ts; main.ts runs it as a program.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Protocol, type RequestBody, resolveProtocol, type ServerEvent } from './protocol.ts'
import { completeStep, type ServerStep } from './step.ts'

export type { ServerStep } from './step.ts'

export interface LoggedRequest {
  /** 1 for the first. */
  readonly number: number
  readonly protocol: Protocol['name']
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: RequestBody
  /** How many turns of the assistant the request holds: where a conversation stands, whichever process asks. */
  readonly turn: number
}

export interface ModelServerOptions {
  /** The answer to the first request, to the second, …; a request after the last gets status 400. */
  readonly steps?: readonly ServerStep[]
  /** "history" chooses the step by the turns in the request, so that many conversations can run at once. */
  readonly by?: 'order' | 'history'
  /** The last step answers all that comes after it; without this, that is an error. */
  readonly repeatLast?: boolean
  /** Instead of `steps`. */
  readonly handler?: (request: LoggedRequest) => ServerStep
  /** Answers requests without tools (titles, summaries); they then use up no step and are not logged. */
  readonly side?: ServerStep
  /** What `GET …/models` lists; default "test-model". */
  readonly models?: readonly string[]
  readonly port?: number
  /** Called with each request as it comes. */
  readonly onRequest?: (request: LoggedRequest) => void
}

export interface ModelServer {
  /** Without a path: `http://127.0.0.1:PORT`. Most clients want `${url}/v1`; Google's wants `${url}/v1beta`. */
  readonly url: string
  readonly requests: readonly LoggedRequest[]
  /** Connections that are open now, idle ones among them. */
  openConnections(): number
  /** Connections that were made since the start. */
  connections(): number
  /** How many answers were left by the client before their end. */
  abandoned(): number
  /** Ends it, whatever is open. Closing twice is fine. */
  close(): Promise<void>
}

/** Starts one on a free port. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const state = {
    requests: [] as LoggedRequest[],
    sockets: new Set<Socket>(),
    connections: 0,
    abandoned: 0,
    closing: new AbortController(),
  }
  const server = createServer((request, response) => {
    answer(request, response, options, state).catch(error => {
      if (!state.closing.signal.aborted) response.destroy(error as Error)
    })
  })
  server.on('connection', socket => {
    state.connections++
    state.sockets.add(socket)
    socket.on('close', () => state.sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: state.requests,
    openConnections: () => state.sockets.size,
    connections: () => state.connections,
    abandoned: () => state.abandoned,
    close: () =>
      new Promise(resolve => {
        state.closing.abort()
        server.close(() => resolve())
        for (const socket of state.sockets) socket.destroy()
      }),
  }
}

interface ServerState {
  readonly requests: LoggedRequest[]
  readonly sockets: Set<Socket>
  connections: number
  abandoned: number
  readonly closing: AbortController
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ModelServerOptions,
  state: ServerState,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? ''
  const body = await readJson(request)
  if (path.endsWith('/models')) return sendJson(response, 200, describeModels(options.models ?? ['test-model']))
  const protocol = resolveProtocol(path)
  if (!protocol) return sendJson(response, 404, { error: { message: `No such endpoint: ${path}` } })
  if (options.side && !body.tools?.length) return play(options.side, protocol, response, 0, 'side', state)

  const logged: LoggedRequest = {
    number: state.requests.length + 1,
    protocol: protocol.name,
    path: request.url ?? '',
    headers: request.headers,
    body,
    turn: protocol.countTurns(body),
  }
  state.requests.push(logged)
  options.onRequest?.(logged)
  await play(chooseStep(options, logged), protocol, response, logged.number, body.model ?? 'test-model', state)
}

function chooseStep(options: ModelServerOptions, request: LoggedRequest): ServerStep {
  if (options.handler) return options.handler(request)
  const steps = options.steps ?? []
  const index = options.by === 'history' ? request.turn : request.number - 1
  return (
    steps[index] ??
    (options.repeatLast ? steps.at(-1) : undefined) ?? {
      fail: { status: 400, message: `The server's script has ${steps.length} steps; step ${index + 1} was asked.` },
    }
  )
}

async function play(
  step: ServerStep,
  protocol: Protocol,
  response: ServerResponse,
  number: number,
  model: string,
  state: ServerState,
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => {
    if (!response.writableEnded && !isCut.has(response)) state.abandoned++
    gone.abort()
  })
  const signal = AbortSignal.any([gone.signal, state.closing.signal])
  const pause = async (ms: number | undefined) => {
    if (ms) await sleep(ms, undefined, { signal, ref: false })
  }
  await pause(step.delayMs)
  if (step.drop) return cut(response)
  if (step.fail) return sendFailure(response, protocol, step.fail)
  if (step.whole) {
    response.writeHead(200, { 'content-type': step.whole.contentType }).end(step.whole.body)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  await pause(step.firstByteDelayMs)
  await playEvents(protocol.events(completeStep(step, number, model)), step, protocol, response, pause)
}

async function playEvents(
  events: readonly ServerEvent[],
  step: ServerStep,
  protocol: Protocol,
  response: ServerResponse,
  pause: (ms: number | undefined) => Promise<void>,
): Promise<void> {
  for (let sent = 0; sent <= events.length; sent++) {
    if (step.cutAfter === sent) return cut(response)
    if (step.silentAfter === sent) return
    if (step.endAfter === sent) break
    if (step.garbageAfter === sent)
      response.write(Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0x20, 0x7b, 0xff, 0xfe, 0x00, 0x0a, 0x0a]))
    if (step.errorAfter?.events === sent) {
      response.write(
        `${protocol.errorEvent(step.errorAfter.message, step.errorAfter.code, step.errorAfter.status)}\n\n`,
      )
      break
    }
    const event = events[sent]
    if (event === undefined) break
    if (sent > 0) await pause(step.eventDelayMs)
    response.write(`${event}\n\n`)
  }
  if (!step.keepOpen) response.end()
}

/** Answers that were not left by the client. */
const isCut = new WeakSet<ServerResponse>()

// What was written is let out first; then the connection is reset without a proper end.
function cut(response: ServerResponse): void {
  isCut.add(response)
  setImmediate(() => response.socket?.destroySoon())
}

function sendFailure(response: ServerResponse, protocol: Protocol, failure: NonNullable<ServerStep['fail']>): void {
  const body =
    failure.body ??
    JSON.stringify(protocol.errorBody(failure.message ?? 'The server was told to fail.', failure.code, failure.status))
  response.writeHead(failure.status, { 'content-type': 'application/json', ...failure.headers }).end(body)
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

async function readJson(request: IncomingMessage): Promise<RequestBody> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? {} : (JSON.parse(text) as RequestBody)
}

function describeModels(ids: readonly string[]): unknown {
  return { object: 'list', data: ids.map(id => ({ id, object: 'model', created: 0, owned_by: 'test' })) }
}
