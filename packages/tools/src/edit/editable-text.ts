// A file's content in a form in which parts can be replaced while every other byte stays as it is.
import {
  decodeText,
  encodeText,
  isSingleByte,
  isUtf8Encoding,
  isUtf16,
  type TextEncoding,
} from '../encoding/text-encoding.ts'

/**
 * `units` is what is searched and cut: a string in which a newline is "\n" and from which the very bytes can be made
 * again. For UTF-8 and single-byte encodings its characters are the bytes, so even bytes that are no valid text survive.
 */
export interface EditableText {
  readonly units: string
  readonly encoding: TextEncoding
  /** A text as units; undefined where this encoding can't hold it. */
  toUnits(text: string): Promise<string | undefined>
  toBytes(units: string): Promise<Buffer>
  /** Units as people read them. */
  toText(units: string): string
}

/** Undefined where decoding and encoding back would not give the same bytes: then nothing can be changed safely. */
export async function createEditableText(bytes: Buffer, encoding: TextEncoding): Promise<EditableText | undefined> {
  if (isUtf8Encoding(encoding) || isSingleByte(encoding)) return createByteText(bytes, encoding)
  return isUtf16(encoding) ? createUtf16Text(bytes, encoding) : createMultiByteText(bytes, encoding)
}

function createByteText(bytes: Buffer, encoding: TextEncoding): EditableText {
  return {
    units: bytes.toString('latin1'),
    encoding,
    toUnits: async text => (await encodeText(text, encoding))?.toString('latin1'),
    toBytes: async units => Buffer.from(units, 'latin1'),
    toText: units => decodeText(Buffer.from(units, 'latin1'), encoding),
  }
}

function createUtf16Text(bytes: Buffer, encoding: TextEncoding): EditableText | undefined {
  if (bytes.length % 2 === 1) return undefined
  const swap = (units: Buffer) => (encoding.name === 'UTF-16BE' ? Buffer.from(units).swap16() : units)
  return {
    units: swap(bytes).toString('utf16le'),
    encoding,
    toUnits: async text => text,
    toBytes: async units => swap(Buffer.from(units, 'utf16le')),
    toText: units => units,
  }
}

async function createMultiByteText(bytes: Buffer, encoding: TextEncoding): Promise<EditableText | undefined> {
  const units = decodeText(bytes, encoding)
  const back = await encodeText(units, encoding)
  if (!back?.equals(bytes)) return undefined
  return {
    units,
    encoding,
    toUnits: async text => ((await encodeText(text, encoding)) ? text : undefined),
    toBytes: async changed => (await encodeText(changed, encoding)) ?? Buffer.from(changed),
    toText: same => same,
  }
}
