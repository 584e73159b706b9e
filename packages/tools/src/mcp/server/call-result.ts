import { type Attachment, type DeckhandError, PermissionDenied, type ToolResult } from '@deckhand/core'
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'

/** A tool's result for an MCP client: the words for the model as text, images beside them, a few facts in `_meta`. */
export function describeCallResult({ title, output, metadata, attachments = [] }: ToolResult): CallToolResult {
  return {
    content: [{ type: 'text', text: output }, ...attachments.map(describeAttachment)],
    _meta: { 'deckhand/title': title, 'deckhand/facts': keepSmallFacts(metadata) },
  }
}

/**
 * A call that failed in a way the model or the user can act on, in the words of the error.
 * `howToAllow` stands behind a question that could not be put to anybody.
 */
export function describeCallFailure(error: DeckhandError, howToAllow: string): CallToolResult {
  const isUnasked = error instanceof PermissionDenied && error.code === 'nobody-to-ask'
  return {
    content: [{ type: 'text', text: isUnasked ? `${error.message} ${howToAllow}` : error.message }],
    isError: true,
    _meta: { 'deckhand/error': error.code },
  }
}

/** The reason why nothing was done, as a call's result. */
export function describeRefusal(words: string): CallToolResult {
  return { content: [{ type: 'text', text: words }], isError: true }
}

function describeAttachment({ mime, filename, url }: Attachment): ContentBlock {
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? []
  if (data !== undefined && mime.startsWith('image/')) return { type: 'image', data, mimeType: mime }
  return { type: 'text', text: `(${filename ?? 'An attachment'}, ${mime}, can't be shown over MCP.)` }
}

const maxFacts = 20
const maxFactCharacters = 200

// Clients may put _meta before the model: what is long (a diff, the output again) is paid for twice.
function keepSmallFacts(metadata: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  const small = Object.entries(metadata).filter((entry): entry is [string, string | number | boolean] => {
    const [name, value] = entry
    if (name === 'output') return false
    if (typeof value === 'string') return value.length <= maxFactCharacters
    return typeof value === 'number' || typeof value === 'boolean'
  })
  return Object.fromEntries(small.slice(0, maxFacts))
}
