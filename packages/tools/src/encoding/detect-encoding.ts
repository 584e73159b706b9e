import { isUtf8 } from 'node:buffer'
import { decodeText, type TextEncoding, utf8 } from './text-encoding.ts'

/** At most this much of a file's start is looked at. */
export const maxSampleBytes = 64 * 1024

/** What the start of a file says about the rest. */
export type DetectedEncoding =
  | { readonly kind: 'text'; readonly encoding: TextEncoding }
  /** Text that can't be decoded here. */
  | { readonly kind: 'utf-32' }
  | { readonly kind: 'binary' }

/**
 * Tells text from binary, and in which encoding it is: a mark first, then NUL bytes in every second place (UTF-16),
 * then UTF-8 by validity, then statistics (`guessed`). An empty sample is UTF-8. The sample may end inside a character.
 */
export async function detectEncoding(sample: Buffer): Promise<DetectedEncoding> {
  const marked = detectMark(sample)
  if (marked) return marked
  if (sample.includes(0)) return detectUtf16(sample)
  if (hasManyControls(sample)) return { kind: 'binary' }
  if (isUtf8(withoutCutCharacter(sample)) || isMostlyUtf8(sample)) return { kind: 'text', encoding: utf8 }
  return { kind: 'text', encoding: await guessEncoding(sample) }
}

/** As `detectEncoding`, of a whole content: where the start is plain ASCII, what comes after it decides. */
export async function detectContentEncoding(content: Buffer): Promise<DetectedEncoding> {
  const head = content.subarray(0, maxSampleBytes)
  if (content.length <= maxSampleBytes || head.includes(0)) return detectEncoding(head)
  const first = content.findIndex(byte => byte >= 0x80)
  if (first < maxSampleBytes || isUtf8(content)) return detectEncoding(head)
  return detectEncoding(content.subarray(first, first + maxSampleBytes))
}

function detectMark(sample: Buffer): DetectedEncoding | undefined {
  const starts = (...bytes: number[]) => bytes.every((byte, index) => sample[index] === byte)
  if (starts(0xff, 0xfe, 0, 0) || starts(0, 0, 0xfe, 0xff)) return { kind: 'utf-32' }
  const marked = (name: string, bomBytes: number): DetectedEncoding => ({
    kind: 'text',
    encoding: { name, bomBytes, guessed: false },
  })
  if (starts(0xef, 0xbb, 0xbf)) return marked('UTF-8', 3)
  if (starts(0xff, 0xfe)) return marked('UTF-16LE', 2)
  if (starts(0xfe, 0xff)) return marked('UTF-16BE', 2)
  return undefined
}

// Latin text in UTF-16 has its NULs all in even or all in odd places; chardet does not see it without a mark.
function detectUtf16(sample: Buffer): DetectedEncoding {
  const nuls = [0, 0]
  for (let index = 0; index < sample.length; index++) {
    if (sample[index] === 0) nuls[index % 2] = (nuls[index % 2] ?? 0) + 1
  }
  const [even = 0, odd = 0] = nuls
  const name = even === 0 ? 'UTF-16LE' : odd === 0 ? 'UTF-16BE' : undefined
  if (!name || sample.length < 4) return { kind: 'binary' }
  const text = decodeText(sample.subarray(0, sample.length & ~1), { ...utf8, name })
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffe\uffff]/.test(text) || /\ufffd./.test(text)) return { kind: 'binary' }
  return { kind: 'text', encoding: { name, bomBytes: 0, guessed: true } }
}

function hasManyControls(sample: Buffer): boolean {
  let controls = 0
  for (const byte of sample) {
    if (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b) controls++
  }
  return controls > 3 && controls > sample.length * 0.02
}

/** The sample without a UTF-8 character that its end cuts off. */
function withoutCutCharacter(sample: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= sample.length; back++) {
    const byte = sample[sample.length - back] ?? 0
    if (byte < 0x80) return sample
    if (byte >= 0xc0) {
      const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needs > back ? sample.subarray(0, sample.length - back) : sample
    }
  }
  return sample
}

// A UTF-8 file with a few damaged bytes is still UTF-8: guessing would turn all its good characters into rubbish.
function isMostlyUtf8(sample: Buffer): boolean {
  const text = decodeText(withoutCutCharacter(sample), utf8)
  const damaged = text.split('\ufffd').length - 1
  const good = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0
  return good > damaged
}

interface Candidate {
  readonly name: string
  readonly confidence: number
}

async function guessEncoding(sample: Buffer): Promise<TextEncoding> {
  const { default: chardet } = await import('chardet')
  const candidates = chardet
    .analyse(sample)
    .filter(({ name }) => !/^(utf|ascii)/i.test(name) && isDecodable(name))
    .filter(({ name }) => !/\ufffd./s.test(decodeText(sample, { ...utf8, name })))
  return { name: commonName(chooseCandidate(candidates, sample)), bomBytes: 0, guessed: true }
}

// How much surer the statistics must be of a rarer encoding than of the most common one.
const surerBy = 15
const chance = 10

function chooseCandidate(candidates: readonly Candidate[], sample: Buffer): string {
  const [best] = candidates
  if (!best) return 'windows-1252'
  // Short texts say little: all East Asian encodings then have the same low mark, and pairs of high bytes are how
  // GB and EUC write; Big5 and Shift-JIS would have low bytes among them.
  if (best.confidence <= chance && isPaired(sample) && candidates.some(({ name }) => name === 'GB18030'))
    return 'GB18030'
  const western = candidates.find(({ name }) => name === 'ISO-8859-1' || name === 'windows-1252')
  const isLatin = /^(ISO-8859-(2|9)|windows-125(0|4|7))$/.test(best.name)
  return western && isLatin && best.confidence - western.confidence < surerBy ? western.name : best.name
}

function isPaired(sample: Buffer): boolean {
  const runs = sample.toString('latin1').match(/[\x80-\xff]+/g) ?? []
  return runs.slice(0, -1).every(run => run.length % 2 === 0) && (runs.at(-1)?.length ?? 0) > 1
}

function isDecodable(name: string): boolean {
  try {
    new TextDecoder(name)
    return true
  } catch {
    return false
  }
}

// TextDecoder reads Latin-1 as windows-1252, its superset, as browsers do: say what is truly done.
function commonName(name: string): string {
  return name === 'ISO-8859-1' ? 'windows-1252' : name
}
