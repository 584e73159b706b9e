import { resolve } from 'node:path'
import type { PromptPart } from '@deckhand/agent'
import { type SessionID, type ToolContext, ToolFailure, type ToolSet, UsageError } from '@deckhand/core'

/**
 * Reads the files of `--file` as the model would, and makes prompt parts of them. The person named them, so no
 * permission is asked. Throws UsageError for one that can't be read: a prompt without it would not be what was meant.
 */
export async function attachFiles(
  files: readonly string[],
  tools: ToolSet,
  sessionID: SessionID,
  cwd: string,
  signal: AbortSignal,
): Promise<readonly PromptPart[]> {
  const context: ToolContext = {
    sessionID,
    callID: 'attached-file',
    signal,
    // The person named the file: that is the permission.
    ask: async () => {},
    evaluate: async () => ({ action: 'allow', parts: [] }),
    report() {},
  }
  const parts: PromptPart[] = []
  for (const file of files) parts.push(...(await attachFile(resolve(cwd, file), tools, context)))
  return parts
}

async function attachFile(path: string, tools: ToolSet, context: ToolContext): Promise<readonly PromptPart[]> {
  try {
    const { output, attachments = [] } = await tools.call('read', { path }, context)
    return [
      { type: 'text', text: `Attached by the user:\n${output}`, synthetic: true },
      ...attachments.map(
        ({ mime, filename, url }): PromptPart => ({ type: 'file', mime, filename: filename ?? path, url }),
      ),
    ]
  } catch (error) {
    if (error instanceof ToolFailure) throw new UsageError(`--file ${path}: ${error.message}`)
    throw error
  }
}
