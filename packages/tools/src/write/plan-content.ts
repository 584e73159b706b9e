import { ToolFailure } from '@deckhand/core'
import { countLineEndings } from '../encoding/line-ending.ts'
import { encodeText, markOf, type TextEncoding, utf8 } from '../encoding/text-encoding.ts'
import { decodeExisting, type ExistingFile } from '../workspace/existing-file.ts'
import { findPastedText } from '../workspace/pasted-text.ts'
import { showPath } from '../workspace/show-path.ts'
import type { ResolvedPath } from '../workspace/workspace.ts'

/** What will be written, and what that keeps of the old file. */
export interface PlannedContent {
  readonly bytes: Buffer
  readonly before: string
  readonly after: string
  readonly encoding: TextEncoding
  /** The content came with LF and goes out with CRLF, as the old file was. */
  readonly madeCrlf: boolean
}

/**
 * Turns content into bytes in the manner of the file that it replaces: encoding, byte order mark, CRLF. Throws
 * ToolFailure where the content can't be meant, or can't be written in that encoding.
 */
export async function planContent(
  target: ResolvedPath,
  content: string,
  existing: ExistingFile | undefined,
): Promise<PlannedContent> {
  const old = existing ? await decodeExisting(existing, target) : { encoding: utf8, text: '' }
  refusePastedText(target, content, old.text)
  const madeCrlf = isCrlf(old.text) && content.includes('\n') && !content.includes('\r')
  const after = madeCrlf ? content.replaceAll('\n', '\r\n') : content
  // A mark that the model sends itself would stand there twice.
  const body = old.encoding.bomBytes > 0 && after.startsWith('\ufeff') ? after.slice(1) : after
  const bytes = await encodeText(body, old.encoding)
  if (!bytes) throw await createUnencodable(target, body, old.encoding)
  return {
    bytes: Buffer.concat([markOf(old.encoding), bytes]),
    before: old.text,
    after: body,
    encoding: old.encoding,
    madeCrlf,
  }
}

function refusePastedText(target: ResolvedPath, content: string, before: string): void {
  const pasted = findPastedText(content, before)
  if (pasted) throw new ToolFailure('invalid-input', `${showPath(target.shown)} was not written: ${pasted}.`)
}

function isCrlf(text: string): boolean {
  const { crlf, lf } = countLineEndings(text)
  return crlf > 0 && lf === 0
}

async function createUnencodable(target: ResolvedPath, text: string, encoding: TextEncoding): Promise<ToolFailure> {
  const shown = showPath(target.shown)
  const char = await findUnencodable(text, encoding)
  return new ToolFailure(
    'unsupported',
    `${shown} is in ${encoding.name}, which can't hold ${char}; it was left alone. Use other characters, or convert the file first: iconv -f ${encoding.name} -t UTF-8`,
  )
}

async function findUnencodable(text: string, encoding: TextEncoding): Promise<string> {
  for (const char of new Set(text)) {
    if ((await encodeText(char, encoding)) === undefined) {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      return char.isWellFormed() ? `${JSON.stringify(char)} (U+${code})` : `half of a character (U+${code})`
    }
  }
  return 'this text'
}
