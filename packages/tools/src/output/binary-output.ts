import { isUtf8 } from 'node:buffer'
import { identifyFileType } from '../encoding/file-type.ts'

/** Output that is not for reading, with the readable lines around it. */
export interface BinaryOutput {
  /** What it is, by its first bytes: "gzip", "PNG image". Absent when that can't be told. */
  readonly type?: string
  /** Whole lines of text before the first byte that is not text, and after the last. */
  readonly before: string
  readonly after: string
}

const sampleBytes = 64 * 1024
const leastControls = 8
const leastShare = 0.03
const readableBytes = 4 * 1024

/**
 * Is it binary data? Judged by control characters that no text has: about a tenth of compressed data, more of programs.
 * Bytes that are not UTF-8 are no sign, as text in older encodings is full of them; nor is a NUL now and then in what
 * is else plain text (`find -print0`). Undefined for text.
 */
export function identifyBinary(head: Buffer, tail: Buffer): BinaryOutput | undefined {
  const sample = head.subarray(0, sampleBytes)
  const end = tail.length > 0 ? tail.subarray(-sampleBytes) : head.subarray(-sampleBytes)
  if (!isBinary(sample) && !isBinary(end)) return undefined
  const before = readableStart(head)
  const type = identifyFileType(head.subarray(before.length, before.length + sampleBytes))
  return {
    ...(type && { type: type.words.replace(/ data$/, '') }),
    before: before.toString(),
    after: readableEnd(tail.length > 0 ? tail : head).toString(),
  }
}

function isBinary(sample: Buffer): boolean {
  const { nuls, controls } = countControls(sample)
  const isSeparated = controls === 0 && nuls < sample.length / 4
  return !isSeparated && nuls + controls >= leastControls && nuls + controls > sample.length * leastShare
}

function countControls(sample: Buffer): { nuls: number; controls: number } {
  let nuls = 0
  let controls = 0
  // By index: an iterator takes three times as long here, and this runs once per call, before it is compiled.
  for (let at = 0; at < sample.length; at++) {
    const byte = sample[at] as number
    if (byte === 0) nuls++
    else if (isControl(byte)) controls++
  }
  return { nuls, controls }
}

// Not BEL, BS, TAB, LF, VT, FF, CR and ESC, which programs print for terminals.
function isControl(byte: number): boolean {
  return byte < 0x20 ? byte < 7 || (byte > 13 && byte !== 0x1b) : byte === 0x7f
}

function isReadable(line: Buffer): boolean {
  return isUtf8(line) && !line.some(isControl)
}

function readableStart(bytes: Buffer): Buffer {
  let end = 0
  for (let next = bytes.indexOf(10); next !== -1 && next < readableBytes; next = bytes.indexOf(10, end)) {
    if (!isReadable(bytes.subarray(end, next))) break
    end = next + 1
  }
  return bytes.subarray(0, end)
}

function readableEnd(bytes: Buffer): Buffer {
  let start = bytes.length
  for (let at = start; at > 0; ) {
    at = bytes.lastIndexOf(10, at - 1)
    if (at === -1 || bytes.length - at > readableBytes) break
    if (isReadable(bytes.subarray(at + 1, start))) start = at + 1
    else break
  }
  return bytes.subarray(start)
}
