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
  return history.flatMap(({ info, parts }) =>
    info.role === 'user' ? userMessages(parts) : assistantMessages(info, parts, providerID),
  )
}

function userMessages(parts: readonly Part[]): ModelMessage[] {
  const content = parts.flatMap((part): (ModelText | ModelFile)[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    if (part.type === 'file') return [{ type: 'file', mime: part.mime, filename: part.filename, url: part.url }]
    return []
  })
  return content.length === 0 ? [] : [{ role: 'user', content }]
}

// A message holds one step or several; each step's calls are answered before the next step's words.
function assistantMessages(info: AssistantMessage, parts: readonly Part[], providerID: string): ModelMessage[] {
  const sameProvider = info.model.providerID === providerID
  return splitSteps(parts).flatMap(all => {
    const step = withoutHalves(all)
    const content = step.flatMap(part => assistantContent(part, sameProvider))
    if (content.length === 0) return []
    const results = step.filter(part => part.type === 'tool').map(toolResult)
    return [
      { role: 'assistant' as const, content },
      ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
    ]
  })
}

function splitSteps(parts: readonly Part[]): Part[][] {
  const steps: Part[][] = [[]]
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(part)
  }
  return steps
}

// The half text of a cut stream counts only where no later attempt came through.
function withoutHalves(step: readonly Part[]): readonly Part[] {
  const whole = step.filter(part => !(part.type === 'text' && part.interrupted))
  return whole.some(part => part.type === 'text' || part.type === 'tool') ? whole : step
}

function assistantContent(part: Part, sameProvider: boolean): (ModelText | ModelReasoning | ModelToolCall)[] {
  switch (part.type) {
    case 'text':
      return part.text === ''
        ? []
        : [{ type: 'text', text: part.text, ...(sameProvider && { metadata: part.metadata }) }]
    case 'reasoning':
      // Another provider can't verify these thoughts, and some refuse them.
      return sameProvider ? [{ type: 'reasoning', text: part.text, metadata: part.metadata }] : []
    case 'tool':
      return [
        {
          type: 'tool-call',
          callID: part.callID,
          tool: part.tool,
          input: toObject(part.state.input),
          ...(sameProvider && { metadata: part.metadata }),
        },
      ]
    case 'file':
    case 'step-start':
    case 'step-finish':
      return []
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
