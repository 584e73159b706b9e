import {
  type Clock,
  type PermissionGate as CoreGate,
  createId,
  isAbort,
  type MessageID,
  PermissionDenied,
  type SessionID,
  ToolFailure,
  type ToolPart,
  type ToolResult,
  type ToolSet,
  type ToolState,
} from '@deckhand/core'
import type { SessionRecorder } from '../run/recorder.ts'
import type { RequestedCall } from './collect-step.ts'

/** Where tools ask for permission: what of the core's gate a turn needs. */
export type PermissionGate = Pick<CoreGate, 'check' | 'evaluate'>

export interface ToolCallDeps {
  readonly tools: ToolSet
  readonly gate: PermissionGate
  readonly recorder: SessionRecorder
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** The parts of a step's calls as they are stored before any of them starts. */
export function createToolParts(
  calls: readonly RequestedCall[],
  sessionID: SessionID,
  messageID: MessageID,
  now: number,
): ToolPart[] {
  return calls.map(call => ({
    id: createId('part'),
    sessionID,
    messageID,
    type: 'tool',
    tool: call.tool,
    callID: call.callID,
    state: { status: 'running', input: call.input, time: { start: now } },
    ...(call.metadata && { metadata: call.metadata }),
  }))
}

/**
 * Runs a step's calls side by side and records each as it ends. What the model can act on becomes the call's result.
 * A bug of ours is recorded too, and thrown once all calls have ended; so is a cancellation.
 */
export async function runToolCalls(parts: readonly ToolPart[], deps: ToolCallDeps): Promise<readonly ToolPart[]> {
  const ends = await Promise.allSettled(parts.map(part => runToolCall(part, deps)))
  const bug = ends.find(end => end.status === 'rejected' && !isAbort(end.reason))
  if (bug?.status === 'rejected') throw bug.reason
  deps.signal.throwIfAborted()
  return ends.flatMap(end => (end.status === 'fulfilled' ? [end.value] : []))
}

async function runToolCall(part: ToolPart, deps: ToolCallDeps): Promise<ToolPart> {
  const { recorder, clock, signal } = deps
  const start = clock.now()
  const input = part.state.input
  const end = async (state: ToolState): Promise<ToolPart> => {
    const ended = { ...part, state }
    await recorder.record({ type: 'part.updated', part: ended })
    return ended
  }
  try {
    const result = await callTool(part, deps)
    return await end(completed(input, result, { start, end: clock.now() }))
  } catch (error) {
    const time = { start, end: clock.now() }
    const ended = await end({ status: 'error', input, error: describeFailure(error, signal), ...facts(error), time })
    if (!isForModel(error)) throw error
    return ended
  }
}

function callTool(part: ToolPart, { tools, gate, recorder, signal }: ToolCallDeps): Promise<ToolResult> {
  const { callID, tool, sessionID } = part
  signal.throwIfAborted()
  return tools.call(tool, part.state.input, {
    sessionID,
    callID,
    signal,
    ask: question => gate.check({ ...question, tool, callID }, signal),
    evaluate: gate.evaluate,
    report: progress => recorder.live({ type: 'tool-progress', callID, ...progress }),
  })
}

function completed(
  input: unknown,
  { title, output, metadata, attachments }: ToolResult,
  time: { start: number; end: number },
): ToolState {
  return { status: 'completed', input, output, title, metadata, time, ...(attachments && { attachments }) }
}

function isForModel(error: unknown): boolean {
  return error instanceof ToolFailure || error instanceof PermissionDenied
}

function facts(error: unknown): { metadata?: Record<string, unknown> } {
  return error instanceof ToolFailure || error instanceof PermissionDenied
    ? { metadata: { ...error.data, error: error.code } }
    : {}
}

/** What the model is told of a call that gave no result. */
function describeFailure(error: unknown, signal: AbortSignal): string {
  if (isForModel(error)) return (error as Error).message
  if (signal.aborted) return 'Cancelled before it ended. It may have had effects; look before you do it again.'
  const message = error instanceof Error ? error.message : String(error)
  return `Deckhand itself failed in this call (${message}). This is a bug of Deckhand, not of the call; what the call did is not known.`
}
