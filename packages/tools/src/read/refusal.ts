import { ToolFailure } from '@deckhand/core'
import { type Content, describeContent } from '../encoding/classify-content.ts'
import { describeBytes } from '../workspace/describe-bytes.ts'
import { showPath } from '../workspace/show-path.ts'

const conversions: Readonly<Record<string, string>> = {
  pdf: 'pdftotext -layout PATH -',
  docx: 'pandoc -t plain PATH',
  odt: 'pandoc -t plain PATH',
  epub: 'pandoc -t plain PATH',
  xlsx: 'soffice --headless --convert-to csv PATH',
  ods: 'soffice --headless --convert-to csv PATH',
  pptx: 'soffice --headless --convert-to pdf PATH',
  odp: 'soffice --headless --convert-to pdf PATH',
  ole: 'soffice --headless --convert-to txt PATH',
  zip: 'unzip -l PATH',
  tar: 'tar -tvf PATH',
  gzip: 'gzip -dc PATH | head -c 20000',
  xz: 'xz -dc PATH | head -c 20000',
  bzip2: 'bzip2 -dc PATH | head -c 20000',
  zstd: 'zstd -dc PATH | head -c 20000',
  sqlite: 'sqlite3 PATH .schema',
  bmp: 'magick PATH out.png',
  tiff: 'magick PATH out.png',
  heic: 'magick PATH out.png',
  avif: 'magick PATH out.png',
  ico: 'magick PATH out.png',
}

/** The failure for content that `read` can't show: what it is, how large, and what would help. */
export function createUnreadable(
  shown: string,
  sizeBytes: number,
  content: Exclude<Content, { kind: 'text' }>,
): ToolFailure {
  const path = showPath(shown)
  const what = describeContent(content)
  const size = describeBytes(sizeBytes)
  const data = { type: content.kind === 'typed' ? content.type.id : content.kind, bytes: sizeBytes }
  if (content.kind === 'utf-32') {
    return new ToolFailure(
      'unsupported',
      `${path} is ${what} (${size}), which can't be decoded here. Convert it with: iconv -f UTF-32 -t UTF-8 PATH`,
      data,
    )
  }
  if (content.kind === 'typed' && content.type.group === 'document') {
    return new ToolFailure(
      'unsupported',
      `${path} is ${/^[aeiou]/i.test(what) ? 'an' : 'a'} ${what} (${size}). Reading documents of this kind is not there yet. Convert it with the shell, such as: ${conversions[content.type.id] ?? 'pandoc PATH'}`,
      data,
    )
  }
  const advice = content.kind === 'typed' ? conversions[content.type.id] : undefined
  return new ToolFailure(
    'unsupported',
    `${path} is not text: ${what}, ${size}. It was not shown.${advice ? ` With the shell, try: ${advice}` : ' With the shell, try: file PATH; xxd PATH | head'}`,
    data,
  )
}
