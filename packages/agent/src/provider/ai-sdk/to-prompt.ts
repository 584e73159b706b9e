import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import type { ModelFile, ModelMessage, ModelRequest, ModelText, ModelToolResult } from '../contract.ts'
import type { Dialect } from './dialect.ts'

type AssistantPart = LanguageModelV4TextPart | LanguageModelV4ReasoningPart | LanguageModelV4ToolCallPart
type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart

export interface PromptFacts {
  readonly dialect: Pick<Dialect, 'imagesInToolResults' | 'errorFlag' | 'cacheMarks'>
  readonly acceptsImages: boolean
  /** May the model's earlier reasoning go along? */
  readonly sendsReasoning: boolean
}

/**
 * Turns a request into the AI SDK's prompt. Files that the provider can't take become a sentence that says so; images
 * in tool results move into a user message where the provider has no place for them; tool input that was no JSON is
 * wrapped, as every provider wants an object; what is empty is left out, as providers refuse it.
 */
export function toPrompt(
  request: Pick<ModelRequest, 'system' | 'messages'>,
  facts: PromptFacts,
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = []
  if (request.system !== '') prompt.push({ role: 'system', content: request.system })
  for (const message of request.messages) addMessage(prompt, message, facts)
  return facts.dialect.cacheMarks ? markForCaching(prompt) : prompt
}

function addMessage(prompt: LanguageModelV4Message[], message: ModelMessage, facts: PromptFacts): void {
  switch (message.role) {
    case 'user':
      addUserParts(
        prompt,
        message.content.map(part => toUserPart(part, facts)),
      )
      return
    case 'assistant': {
      const content: AssistantPart[] = []
      for (const part of message.content) addAssistantPart(content, part, facts)
      if (content.length > 0) prompt.push({ role: 'assistant', content })
      return
    }
    case 'tool': {
      const content = message.content.map(result => toToolResult(result, facts))
      if (content.length > 0) prompt.push({ role: 'tool', content })
      if (!facts.dialect.imagesInToolResults) addUserParts(prompt, movedAttachments(message.content, facts))
    }
  }
}

// Two user messages in a row become one: the templates of some local models insist on alternating roles.
function addUserParts(prompt: LanguageModelV4Message[], parts: readonly UserPart[]): void {
  const content = parts.filter(part => part.type !== 'text' || part.text !== '')
  if (content.length === 0) return
  const last = prompt.at(-1)
  if (last?.role === 'user') prompt[prompt.length - 1] = { ...last, content: [...last.content, ...content] }
  else prompt.push({ role: 'user', content })
}

function toUserPart(part: ModelText | ModelFile, facts: PromptFacts): UserPart {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const file = parseFile(part, facts)
  return typeof file === 'string' ? { type: 'text', text: file } : { type: 'file', ...file }
}

function addAssistantPart(
  content: AssistantPart[],
  part: Extract<ModelMessage, { role: 'assistant' }>['content'][number],
  facts: PromptFacts,
): void {
  if (part.type === 'reasoning' && !facts.sendsReasoning) return
  // The metadata came from the provider as JSON, and goes back as it came.
  const own = part.metadata && { providerOptions: part.metadata as SharedV4ProviderOptions }
  switch (part.type) {
    case 'text':
    case 'reasoning':
      if (part.text !== '' || own) content.push({ type: part.type, text: part.text, ...own })
      return
    case 'tool-call': {
      const { callID: toolCallId, tool: toolName } = part
      content.push({ type: 'tool-call', toolCallId, toolName, input: toToolInput(part.input), ...own })
    }
  }
}

function toToolInput(input: unknown): Record<string, unknown> {
  const value = typeof input === 'string' ? parseJson(input) : input
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  return input === undefined || input === '' ? {} : { rawInvalidInput: input }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toToolResult(result: ModelToolResult, facts: PromptFacts): LanguageModelV4ToolResultPart {
  return { type: 'tool-result', toolCallId: result.callID, toolName: result.tool, output: toOutput(result, facts) }
}

function toOutput(result: ModelToolResult, facts: PromptFacts): LanguageModelV4ToolResultOutput {
  const attachments = facts.dialect.imagesInToolResults ? (result.attachments ?? []) : []
  if (attachments.length === 0) {
    return { type: result.isError && facts.dialect.errorFlag ? 'error-text' : 'text', value: result.output }
  }
  const files = attachments.map(attachment => {
    const file = parseFile(attachment, facts)
    return typeof file === 'string' ? ({ type: 'text', text: file } as const) : ({ type: 'file', ...file } as const)
  })
  return { type: 'content', value: [{ type: 'text', text: result.output }, ...files] }
}

function movedAttachments(results: readonly ModelToolResult[], facts: PromptFacts): UserPart[] {
  return results.flatMap(result =>
    (result.attachments ?? []).flatMap((attachment): UserPart[] => [
      { type: 'text', text: `The result of ${result.tool} (${result.callID}) holds ${describeFile(attachment)}:` },
      toUserPart(attachment, facts),
    ]),
  )
}

type FileData = { mediaType: string; data: { type: 'data'; data: string }; filename?: string }

/** The file for the provider; or words, where it is text itself or can't be sent. */
function parseFile(file: ModelFile, facts: PromptFacts): FileData | string {
  const base64 = toBase64(file.url)
  const mime = file.mime.toLowerCase()
  if (base64 === undefined) return `(${describeFile(file)} was not sent: its data can't be read.)`
  if (mime.startsWith('text/')) return Buffer.from(base64, 'base64').toString('utf8')
  if (mime.startsWith('image/') && !facts.acceptsImages) {
    return `(${describeFile(file)} was not sent: this model does not take images.)`
  }
  if (!mime.startsWith('image/') && mime !== 'application/pdf') {
    return `(${describeFile(file)} was not sent: the provider takes images and PDF.)`
  }
  return { mediaType: mime, data: { type: 'data', data: base64 }, ...(file.filename && { filename: file.filename }) }
}

function toBase64(url: string): string | undefined {
  const match = /^data:[^,]*?(;base64)?,/i.exec(url)
  if (!match) return undefined
  const data = url.slice(match[0].length)
  return match[1] ? data : Buffer.from(decodeURIComponent(data)).toString('base64')
}

function describeFile(file: ModelFile): string {
  return file.filename ? `${file.filename} (${file.mime})` : `a file (${file.mime})`
}

const cached: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/**
 * Marks the system prompt (which covers the tools before it) and the last two messages that are not the model's own:
 * the older mark is found again by the next request, the newer one is for the one after.
 */
function markForCaching(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const marked = new Set<LanguageModelV4Message>(
    prompt.filter(message => message.role === 'user' || message.role === 'tool').slice(-2),
  )
  return prompt.map(message =>
    message.role === 'system' || marked.has(message) ? { ...message, providerOptions: cached } : message,
  )
}
