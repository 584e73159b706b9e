import type { Readable, Writable } from 'node:stream'
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { createLineSplitter } from './line-splitter.ts'

export interface StdioTransportOptions {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly maxMessageBytes?: number
  /** How long answers may still come after the end of stdin. */
  readonly lastAnswersMs?: number
  /** Something was wrong with what came in, or a stream failed; told in words. */
  onFault(words: string): void
  /** Once, however it came about. */
  onClosed(): void
}

const defaultMaxMessageBytes = 64 * 1024 * 1024
const defaultLastAnswersMs = 200

const parseErrorCode = -32_700
const invalidRequestCode = -32_600

/**
 * MCP's stdio framing, a JSON message per line. Beside the library's own: it takes long messages in time that grows
 * with their length, answers a line that is no message (the library drops it without a word), and lives on after one
 * that is too long. At the end of stdin, answers that are nearly there are still given; then it closes.
 */
export function createStdioTransport(options: StdioTransportOptions): Transport {
  const { stdin, stdout, onFault, onClosed } = options
  const { maxMessageBytes = defaultMaxMessageBytes, lastAnswersMs = defaultLastAnswersMs } = options
  const unanswered = new Set<RequestId>()
  let isClosed = false
  let endTimer: NodeJS.Timeout | undefined

  const takeLine = createLineSplitter({
    maxBytes: maxMessageBytes,
    onLine: line => receive(line),
    onTooLong: () => refuse(invalidRequestCode, `A message may have at most ${maxMessageBytes} bytes.`),
  })

  function receive(line: Buffer): void {
    const text = line.toString('utf8')
    if (text.trim() === '' || isClosed) return
    const message = parseMessage(text)
    if ('refusal' in message) {
      refuse(message.code, message.refusal, message.id)
      return
    }
    if (isJSONRPCRequest(message)) unanswered.add(message.id)
    if (isCancellation(message)) unanswered.delete(message.params.requestId)
    transport.onmessage?.(message)
  }

  function refuse(code: number, message: string, id?: RequestId): void {
    onFault(`refused a line of stdin: ${message}`)
    const answer = { jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message } } as const
    transport.send(answer).catch(onWriteError)
  }

  function onEnd(): void {
    if (unanswered.size === 0) close()
    else endTimer ??= setTimeout(close, lastAnswersMs)
  }

  // A reader that went away is how a client ends, not a fault.
  function onWriteError(error: Error): void {
    if (!isClosed && (error as NodeJS.ErrnoException).code !== 'EPIPE') onFault(`stdout failed: ${error.message}`)
    close()
  }

  function onReadError(error: Error): void {
    onFault(`stdin failed: ${error.message}`)
    close()
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    clearTimeout(endTimer)
    stdin.off('data', takeLine)
    stdin.pause()
    transport.onclose?.()
    onClosed()
  }

  const transport: Transport = {
    async start() {
      // These stay: what a stream says after the close must not become an uncaught error.
      stdout.on('error', onWriteError)
      stdin.on('error', onReadError)
      stdin.on('end', onEnd)
      stdin.on('close', onEnd)
      stdin.on('data', takeLine)
      if (stdin.readableEnded || stdin.destroyed) setImmediate(onEnd)
    },
    async send(message) {
      if (isClosed) throw new Error('The connection is closed.')
      await write(stdout, `${JSON.stringify(message)}\n`)
      if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return
      if (message.id !== undefined) unanswered.delete(message.id)
      if (endTimer && unanswered.size === 0) close()
    },
    async close() {
      close()
    },
  }
  return transport
}

function write(stdout: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, error => (error ? reject(error) : resolve()))
  })
}

interface Refusal {
  readonly refusal: string
  readonly code: number
  readonly id?: RequestId
}

function parseMessage(text: string): JSONRPCMessage | Refusal {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { refusal: `It is not valid JSON (${(error as Error).message}).`, code: parseErrorCode }
  }
  try {
    return parseJSONRPCMessage(value)
  } catch {
    const id = findID(value)
    return { refusal: 'It is no JSON-RPC 2.0 message.', code: invalidRequestCode, ...(id !== undefined && { id }) }
  }
}

function findID(value: unknown): RequestId | undefined {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

function isCancellation(message: JSONRPCMessage): message is JSONRPCMessage & { params: { requestId: RequestId } } {
  return 'method' in message && message.method === 'notifications/cancelled' && message.params?.requestId !== undefined
}
