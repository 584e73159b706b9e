import { maxChunkBytes } from './output-log.ts'

/** The memory that outputs are read into. */
export interface ReadBuffer {
  readonly bytes: Buffer
  /** Newlines in its first `length` bytes; undefined where vectors can't be had. */
  readonly count: ((length: number) => number) | undefined
}

let shared: ReadBuffer | undefined

/**
 * The one buffer that all channels read into: what is read is taken before anything else is read. Where this processor,
 * or the way in which Node was started, has WebAssembly with vectors, its newlines are counted sixteen bytes at a time.
 */
export function openReadBuffer(): ReadBuffer {
  shared ??= createVectorBuffer() ?? { bytes: Buffer.allocUnsafeSlow(maxChunkBytes), count: undefined }
  return shared
}

// The little of WebAssembly's JavaScript side that is used here; its types are in none of the libraries that we have.
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  count(length: number): number
}

function createVectorBuffer(): ReadBuffer | undefined {
  try {
    const module = new WebAssembly.Module(Buffer.from(counterCode, 'base64'))
    const { memory, count } = new WebAssembly.Instance(module).exports as Exports
    return { bytes: Buffer.from(memory.buffer, 0, maxChunkBytes), count }
  } catch {
    return undefined
  }
}

/** count-newlines.wat, assembled; a test compares them. */
export const counterCode =
  'AGFzbQEAAAABBgFgAX8BfwMCAQAFAwEAAQcSAgZtZW1vcnkCAAVjb3VudAAACkABPgECfwJAA0AgASAATw0BIAIgAf0ABAD9DAoKCgoKCgoKCgoKCgoKCgr9I/1kaWohAiABQRBqIQEMAAsLIAIL'
