import { type Clock, DeckhandError, messageOf, randomText, type ToolContext } from '@deckhand/core'
import { type CallToolResult, ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server'
import { createBugError } from './bug-error.ts'
import { describeCallFailure, describeCallResult, describeRefusal } from './call-result.ts'
import type { ClientVoice } from './client-voice.ts'
import { createProgressSender, describeProgress, type ProgressSender } from './progress-sender.ts'
import type { SessionHolder, SessionLease } from './session-holder.ts'
import { describeRefusedFolders } from './workspace-folders.ts'

export interface ToolCallOptions {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly holder: SessionHolder
  readonly clock: Clock
  readonly tell: (line: string) => void
}

/** A tool call that runs, whatever requests of the client it is served by. */
export interface ToolCall {
  /** Can't be guessed: it also stands for the call when the client sends it again with answers. */
  readonly id: string
  readonly voice: ClientVoice
  /** Rejects with a ProtocolError, or the reason of the abort. */
  readonly result: Promise<CallToolResult>
  /** From now on this request waits for the call: its cancellation ends the call, its token gets the progress. */
  attach(request: ServerContext['mcpReq']): void
  /** No request waits for the call just now. */
  detach(): void
  isAttached(): boolean
  abort(reason: string): void
}

/** Starts a call. */
export function startToolCall(options: ToolCallOptions, voice: ClientVoice): ToolCall {
  const id = `call_${randomText(24)}`
  const abort = new AbortController()
  let progress: ProgressSender | undefined
  let isAttached = false

  const stop = (why: string) => abort.abort(new DOMException(why, 'AbortError'))
  const report = (message: string) => {
    if (message !== '') progress?.report(message)
  }
  const result = runCall(options, { id, voice, signal: abort.signal, report }).finally(() => progress?.end())
  // Between two requests nobody listens, and that must not end the process.
  result.catch(() => undefined)

  return {
    id,
    voice,
    result,
    attach(request) {
      isAttached = true
      progress?.end()
      progress = createRequestProgress(request, options)
      const cancel = () => stop(`cancelled by the client: ${messageOf(request.signal.reason)}`)
      if (request.signal.aborted) cancel()
      request.signal.addEventListener('abort', cancel, { once: true })
    },
    detach() {
      isAttached = false
      progress?.end()
    },
    isAttached: () => isAttached,
    abort: stop,
  }
}

interface CallRun {
  readonly id: string
  readonly voice: ClientVoice
  readonly signal: AbortSignal
  report(message: string): void
}

async function runCall(options: ToolCallOptions, run: CallRun): Promise<CallToolResult> {
  try {
    const lease = await options.holder.acquire(run.voice.askRoots)
    try {
      return await runTool(options, run, lease)
    } finally {
      lease.release()
    }
  } catch (error) {
    return describeThrown(error, options, run.signal)
  }
}

async function runTool(
  { name, input }: ToolCallOptions,
  { id, signal, report }: CallRun,
  { session, folders }: SessionLease,
): Promise<CallToolResult> {
  const { tools, gate, sessionID } = session
  const tool = tools.get(name)
  if (!tool) throw createUnknownTool(name, tools.list())
  const refusal = describeRefusedFolders(folders)
  if (refusal !== undefined) return describeRefusal(refusal)
  signal.throwIfAborted()
  const context: ToolContext = {
    sessionID,
    callID: id,
    signal,
    ask: question => gate.check({ ...question, tool: tool.name, callID: id }, signal),
    evaluate: gate.evaluate,
    report: progress => report(describeProgress(progress)),
  }
  return describeCallResult(await tools.call(tool.name, input, context))
}

function createUnknownTool(name: string, tools: readonly { readonly name: string }[]): ProtocolError {
  const names = tools.map(tool => tool.name).join(', ')
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}. The tools are: ${names}.`)
}

const howToAllow = 'For this MCP server that is: deckhand mcp --mode auto.'

function describeThrown(error: unknown, { name, tell }: ToolCallOptions, signal: AbortSignal): CallToolResult {
  if (error instanceof ProtocolError) throw error
  if (error instanceof DeckhandError) return describeCallFailure(error, howToAllow)
  if (signal.aborted) throw error
  throw createBugError(error, `in a call of ${name}`, tell)
}

function createRequestProgress(
  { _meta, notify }: ServerContext['mcpReq'],
  { clock, tell }: ToolCallOptions,
): ProgressSender | undefined {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  return createProgressSender({
    clock,
    notify: (progress, message) =>
      notify({ method: 'notifications/progress', params: { progressToken, progress, message } }),
    onError: error => tell(`progress could not be sent: ${messageOf(error)}`),
  })
}
