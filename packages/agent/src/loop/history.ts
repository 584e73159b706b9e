import type { AssistantMessage, MessageWithParts, Part, ToolPart } from '@deckhand/core'
import type {
  ModelFile,
  ModelMessage,
  ModelReasoning,
  ModelText,
  ModelToolCall,
  ModelToolResult,
} from '../provider/contract.ts'

/**
 * Turns what is stored into what a model is sent. Every tool call gets its result in the very next message, since
 * providers refuse a history without; a call that never ended is told as interrupted. Empty messages are left out.
 * Provider metadata goes only to the provider that gave it.
 */
export function buildModelMessages(history: readonly MessageWithParts[], providerID: string): ModelMessage[] {
  const messages: ModelMessage[] = []
  for (const { info, parts } of history) {
    if (info.role === 'user') addUserMessage(messages, parts)
    else addAssistantMessages(messages, info, parts, providerID)
  }
  return messages
}

function addUserMessage(messages: ModelMessage[], parts: readonly Part[]): void {
  const content: (ModelText | ModelFile)[] = []
  for (const part of parts) {
    if (part.type === 'text' && part.text !== '') content.push({ type: 'text', text: part.text })
    if (part.type === 'file') content.push({ type: 'file', mime: part.mime, filename: part.filename, url: part.url })
  }
  if (content.length > 0) messages.push({ role: 'user', content })
}

// A message holds one step or several; each step's calls are answered before the next step's words.
function addAssistantMessages(
  messages: ModelMessage[],
  { model }: AssistantMessage,
  parts: readonly Part[],
  providerID: string,
): void {
  const sameProvider = model.providerID === providerID
  for (const step of splitSteps(parts)) {
    const content: AssistantContent[] = []
    const results: ModelToolResult[] = []
    for (const part of withoutHalves(step)) {
      addAssistantContent(content, part, sameProvider)
      if (part.type === 'tool') results.push(toolResult(part))
    }
    if (content.length > 0) messages.push({ role: 'assistant', content })
    if (results.length > 0) messages.push({ role: 'tool', content: results })
  }
}

function splitSteps(parts: readonly Part[]): (readonly Part[])[] {
  if (!parts.some(part => part.type === 'step-start')) return [parts]
  const steps: Part[][] = [[]]
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(part)
  }
  return steps
}

// The half text of a cut stream counts only where no later attempt came through.
function withoutHalves(step: readonly Part[]): readonly Part[] {
  if (!step.some(isHalf)) return step
  const whole = step.filter(part => !isHalf(part))
  return whole.some(part => part.type === 'text' || part.type === 'tool') ? whole : step
}

function isHalf(part: Part): boolean {
  return part.type === 'text' && part.interrupted === true
}

type AssistantContent = ModelText | ModelReasoning | ModelToolCall

function addAssistantContent(content: AssistantContent[], part: Part, sameProvider: boolean): void {
  switch (part.type) {
    case 'text':
      if (part.text === '') return
      content.push({ type: 'text', text: part.text, metadata: sameProvider ? part.metadata : undefined })
      return
    case 'reasoning':
      // Another provider can't verify these thoughts, and some refuse them.
      if (sameProvider) content.push({ type: 'reasoning', text: part.text, metadata: part.metadata })
      return
    case 'tool':
      content.push({
        type: 'tool-call',
        callID: part.callID,
        tool: part.tool,
        input: toObject(part.state.input),
        metadata: sameProvider ? part.metadata : undefined,
      })
      return
    case 'file':
    case 'step-start':
    case 'step-finish':
      return
  }
}

// Providers take objects only; what a model wrote instead is kept in one.
function toObject(input: unknown): unknown {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { invalid: input }
}

function toolResult(part: ToolPart): ModelToolResult {
  const base = { type: 'tool-result', callID: part.callID, tool: part.tool } as const
  switch (part.state.status) {
    case 'completed':
      return {
        ...base,
        output: part.state.output,
        isError: false,
        attachments: part.state.attachments?.map(({ mime, filename, url }) => ({ type: 'file', mime, filename, url })),
      }
    case 'error':
      return { ...base, output: part.state.error, isError: true }
    case 'pending':
    case 'running':
      return { ...base, output: interruptedResult, isError: true }
  }
}

/** What the model is told of a call whose end nobody saw. */
export const interruptedResult =
  'Interrupted: Deckhand was ended while this call ran, and its result is not known. It may have had effects; look before you do it again.'
