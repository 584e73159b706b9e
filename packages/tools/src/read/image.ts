import { basename } from 'node:path'
import { type Attachment, ToolFailure } from '@deckhand/core'
import type { FileType } from '../encoding/file-type.ts'
import { describeBytes } from '../workspace/describe-bytes.ts'
import { showPath } from '../workspace/show-path.ts'
import type { ByteSource } from './byte-source.ts'

// Providers take 5 MB of base64, which is four thirds of the bytes.
const maxImageBytes = 3_750_000
const maxImagePixels = 8000
const maxHeaderBytes = 1024 * 1024

interface ImageSize {
  readonly width: number
  readonly height: number
}

export interface ReadImage {
  readonly size: ImageSize
  readonly attachment: Attachment
}

/** Can a vision model be shown this type as it is? */
export function isShownImage(type: FileType): boolean {
  return ['png', 'jpeg', 'gif', 'webp'].includes(type.id)
}

/** Takes an image in for the model. Throws ToolFailure when it is damaged or larger than providers take. */
export async function readImage(source: ByteSource, type: FileType, shown: string): Promise<ReadImage> {
  const whole = source.size <= maxImageBytes
  const bytes = Buffer.from(await source.read(0, whole ? source.size : maxHeaderBytes))
  const size = findImageSize(bytes, type)
  const what = `${showPath(shown)} is a ${type.words} of ${describeBytes(source.size)}`
  if (!size) {
    throw new ToolFailure(
      'unsupported',
      `${what}, but its header is damaged or cut off: its dimensions can't be found.`,
    )
  }
  const dimensions = `${size.width} x ${size.height} px`
  if (!whole || Math.max(size.width, size.height) > maxImagePixels) {
    throw new ToolFailure(
      'too-large',
      `${what}, ${dimensions}. Models take at most ${describeBytes(maxImageBytes)} and ${maxImagePixels} px a side; making it smaller is not there yet. Make a smaller copy and read that, such as: magick PATH -resize 2000x2000 small.png`,
      { ...size },
    )
  }
  const url = `data:${type.mime};base64,${bytes.toString('base64')}`
  return { size, attachment: { mime: type.mime ?? '', filename: basename(shown), url } }
}

/** Width and height from the image's own header; undefined where it is damaged. */
export function findImageSize(bytes: Buffer, type: Pick<FileType, 'id'>): ImageSize | undefined {
  const size = readHeader(bytes, type.id)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

function readHeader(bytes: Buffer, id: string): ImageSize | undefined {
  if (id === 'png' && bytes.length >= 24) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (id === 'gif' && bytes.length >= 10) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  if (id === 'webp' && bytes.length >= 30) return readWebpSize(bytes)
  return id === 'jpeg' ? readJpegSize(bytes) : undefined
}

function readWebpSize(bytes: Buffer): ImageSize | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    default:
      return undefined
  }
}

// A JPEG is a row of segments; the one that begins a frame holds the size.
function readJpegSize(bytes: Buffer): ImageSize | undefined {
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (isFrameStart(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

function isFrameStart(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}
