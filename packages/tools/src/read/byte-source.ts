import type { FileHandle } from 'node:fs/promises'

/** Bytes that are read by position, so that a window needs only what it shows. */
export interface ByteSource {
  readonly size: number
  /** At most `length` bytes; fewer only at the end, none past it. The buffer may be used again by the next read. */
  read(position: number, length: number): Promise<Buffer>
}

/** What is in memory already. */
export function createBufferSource(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: async (position, length) => bytes.subarray(position, position + length) }
}

/** An open file; whoever opened it closes it. */
export function createFileSource(handle: FileHandle, size: number): ByteSource {
  let buffer = Buffer.alloc(0)
  return {
    size,
    async read(position, length) {
      if (buffer.length < length) buffer = Buffer.allocUnsafeSlow(length)
      let filled = 0
      while (filled < length) {
        const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return buffer.subarray(0, filled)
    },
  }
}
