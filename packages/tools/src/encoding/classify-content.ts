import { detectEncoding } from './detect-encoding.ts'
import { type FileType, identifyFileType } from './file-type.ts'
import type { TextEncoding } from './text-encoding.ts'

/** What a file holds, by its content. */
export type Content =
  | { readonly kind: 'text'; readonly encoding: TextEncoding }
  | { readonly kind: 'typed'; readonly type: FileType }
  | { readonly kind: 'utf-32' }
  | { readonly kind: 'binary' }

/** Judges the first bytes of a file (up to 64 KB of them). A text file is text whatever its name says. */
export async function classifyContent(sample: Buffer): Promise<Content> {
  const type = identifyFileType(sample)
  if (type && !type.weak) return { kind: 'typed', type }
  const detected = await detectEncoding(sample)
  return detected.kind === 'binary' && type ? { kind: 'typed', type } : detected
}

/** Words for what is no text. */
export function describeContent(content: Content): string {
  switch (content.kind) {
    case 'text':
      return 'text'
    case 'typed':
      return content.type.words
    case 'utf-32':
      return 'UTF-32 text'
    case 'binary':
      return 'binary data'
  }
}
