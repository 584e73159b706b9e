// What a file is by its first bytes, never by its name.

type FileGroup = 'image' | 'document' | 'archive' | 'program' | 'media' | 'data'

export interface FileType {
  /** Short and stable: `png`, `docx`, `elf`. */
  readonly id: string
  /** For people and the model: "PNG image". */
  readonly words: string
  readonly group: FileGroup
  /** MIME type, for images. */
  readonly mime?: string
  /** Its first bytes are letters that text may start with too: it counts only where the content is not text. */
  readonly weak?: boolean
}

interface Signature extends FileType {
  readonly bytes: string
  readonly at?: number
}

const signature = (bytes: string, id: string, words: string, group: FileGroup, more: Partial<Signature> = {}) => ({
  bytes,
  id,
  words,
  group,
  ...more,
})

// Bytes are written as Latin-1.
const signatures: readonly Signature[] = [
  signature('\x89PNG\r\n\x1a\n', 'png', 'PNG image', 'image', { mime: 'image/png' }),
  signature('\xff\xd8\xff', 'jpeg', 'JPEG image', 'image', { mime: 'image/jpeg' }),
  signature('GIF87a', 'gif', 'GIF image', 'image', { mime: 'image/gif', weak: true }),
  signature('GIF89a', 'gif', 'GIF image', 'image', { mime: 'image/gif', weak: true }),
  signature('WEBP', 'webp', 'WebP image', 'image', { mime: 'image/webp', at: 8, weak: true }),
  signature('II*\0', 'tiff', 'TIFF image', 'image'),
  signature('MM\0*', 'tiff', 'TIFF image', 'image'),
  signature('\0\0\x01\0', 'ico', 'ICO image', 'image'),
  signature('8BPS', 'psd', 'Photoshop image', 'image', { weak: true }),
  signature('BM', 'bmp', 'BMP image', 'image', { weak: true }),
  signature('ftypheic', 'heic', 'HEIC image', 'image', { at: 4 }),
  signature('ftypheix', 'heic', 'HEIC image', 'image', { at: 4 }),
  signature('ftypmif1', 'heic', 'HEIF image', 'image', { at: 4 }),
  signature('ftypavif', 'avif', 'AVIF image', 'image', { at: 4 }),
  signature('ftyp', 'mp4', 'MP4 or QuickTime video', 'media', { at: 4 }),
  signature('%PDF-', 'pdf', 'PDF document', 'document'),
  signature('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'ole', 'old Office document (doc, xls or ppt)', 'document'),
  signature('PK\x03\x04', 'zip', 'ZIP archive', 'archive'),
  signature('PK\x05\x06', 'zip', 'empty ZIP archive', 'archive'),
  signature('\x1f\x8b', 'gzip', 'gzip data', 'archive'),
  signature('BZh', 'bzip2', 'bzip2 data', 'archive', { weak: true }),
  signature('\xfd7zXZ\0', 'xz', 'xz data', 'archive'),
  signature('\x28\xb5\x2f\xfd', 'zstd', 'Zstandard data', 'archive'),
  signature('\x04\x22\x4d\x18', 'lz4', 'LZ4 data', 'archive'),
  signature('7z\xbc\xaf\x27\x1c', '7z', '7-Zip archive', 'archive'),
  signature('Rar!\x1a\x07', 'rar', 'RAR archive', 'archive'),
  signature('ustar', 'tar', 'tar archive', 'archive', { at: 257, weak: true }),
  signature('!<arch>\n', 'ar', 'ar archive (static library or deb package)', 'archive', { weak: true }),
  signature('\x7fELF', 'elf', 'ELF program or library', 'program'),
  signature('\xcf\xfa\xed\xfe', 'macho', 'Mach-O program or library', 'program'),
  signature('\xce\xfa\xed\xfe', 'macho', 'Mach-O program or library', 'program'),
  signature('\xca\xfe\xba\xbe', 'class', 'Java class or universal Mach-O program', 'program'),
  signature('\0asm', 'wasm', 'WebAssembly module', 'program'),
  signature('MZ', 'pe', 'Windows program or library', 'program', { weak: true }),
  signature('SQLite format 3\0', 'sqlite', 'SQLite database', 'data'),
  signature('PAR1', 'parquet', 'Parquet table', 'data', { weak: true }),
  signature('PACK', 'gitpack', 'Git pack', 'data', { weak: true }),
  signature('wOFF', 'woff', 'WOFF font', 'data', { weak: true }),
  signature('wOF2', 'woff2', 'WOFF2 font', 'data', { weak: true }),
  signature('\0\x01\0\0', 'ttf', 'TrueType font', 'data'),
  signature('OTTO', 'otf', 'OpenType font', 'data', { weak: true }),
  signature('ID3', 'mp3', 'MP3 audio', 'media', { weak: true }),
  signature('\xff\xfb', 'mp3', 'MP3 audio', 'media'),
  signature('OggS', 'ogg', 'Ogg audio or video', 'media', { weak: true }),
  signature('fLaC', 'flac', 'FLAC audio', 'media', { weak: true }),
  signature('WAVE', 'wav', 'WAV audio', 'media', { at: 8, weak: true }),
  signature('AVI ', 'avi', 'AVI video', 'media', { at: 8, weak: true }),
  signature('\x1a\x45\xdf\xa3', 'mkv', 'Matroska or WebM video', 'media'),
]

/** The type that the first bytes name, or undefined. Needs some kilobytes to tell documents from other ZIP archives. */
export function identifyFileType(head: Buffer): FileType | undefined {
  const found = signatures.find(
    ({ bytes, at = 0 }) => head.toString('latin1', at, at + bytes.length) === bytes && isRiff(head, at),
  )
  if (found?.id === 'zip') return identifyZip(head) ?? found
  return found
}

// WAVE, WEBP and AVI stand behind "RIFF" and a length.
function isRiff(head: Buffer, at: number): boolean {
  return at !== 8 || head.toString('latin1', 0, 4) === 'RIFF'
}

const openDocuments: readonly (readonly [string, string, string])[] = [
  ['opendocument.text', 'odt', 'OpenDocument text'],
  ['opendocument.spreadsheet', 'ods', 'OpenDocument spreadsheet'],
  ['opendocument.presentation', 'odp', 'OpenDocument presentation'],
  ['application/epub+zip', 'epub', 'EPUB book'],
]

const officeFolders: readonly (readonly [string, string, string])[] = [
  ['word/', 'docx', 'Word document (docx)'],
  ['xl/', 'xlsx', 'Excel workbook (xlsx)'],
  ['ppt/', 'pptx', 'PowerPoint presentation (pptx)'],
]

// Documents are ZIP archives; the names of their first members, or a stored `mimetype`, give them away.
function identifyZip(head: Buffer): FileType | undefined {
  const text = head.toString('latin1')
  const open = text.slice(30, 120).startsWith('mimetype') && openDocuments.find(([mime]) => text.includes(mime))
  if (open) return { id: open[1], words: open[2], group: 'document' }
  const office = memberNames(head).flatMap(name => officeFolders.filter(([folder]) => name.startsWith(folder)))[0]
  return office && { id: office[1], words: office[2], group: 'document' }
}

function memberNames(head: Buffer): readonly string[] {
  const names: string[] = []
  for (let at = head.indexOf('PK\x03\x04'); at >= 0 && at + 30 < head.length; at = head.indexOf('PK\x03\x04', at + 4)) {
    names.push(head.toString('latin1', at + 30, at + 30 + head.readUInt16LE(at + 26)))
  }
  return names
}
