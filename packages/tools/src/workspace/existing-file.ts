// What stands at a path before it is written: its bytes, and how they stand for text.
import { type BigIntStats, constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { ToolFailure } from '@deckhand/core'
import { classifyContent, describeContent } from '../encoding/classify-content.ts'
import { detectContentEncoding, maxSampleBytes } from '../encoding/detect-encoding.ts'
import { decodeText, type TextEncoding } from '../encoding/text-encoding.ts'
import { type ContentStamp, createContentStamp } from '../ledger/content-stamp.ts'
import { describeBytes } from './describe-bytes.ts'
import { findSpecialFile } from './file-kind.ts'
import { createIoFailure, errorCode } from './io-failure.ts'
import { showPath } from './show-path.ts'
import type { ResolvedPath } from './workspace.ts'

/** Larger files are not changed by write and edit. */
const maxEditedBytes = 64 * 1024 * 1024

export interface ExistingFile {
  readonly bytes: Buffer
  readonly stamp: ContentStamp
}

/**
 * Reads the whole file that a path leads to; undefined where there is none. Throws ToolFailure for folders, devices,
 * too large files and what the system refuses.
 */
export async function readExisting(target: ResolvedPath): Promise<ExistingFile | undefined> {
  const shown = showPath(target.shown)
  try {
    // Opening a device can act on it, and opening a pipe can block: what is there is looked at first.
    refuseOther(target, await stat(target.real, { bigint: true }))
    await using handle = await open(target.real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = await handle.stat({ bigint: true })
    refuseOther(target, stats)
    const bytes = await handle.readFile()
    return { bytes, stamp: createContentStamp(stats, bytes) }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw createIoFailure(error, `read ${shown}`)
  }
}

function refuseOther(target: ResolvedPath, stats: BigIntStats): void {
  const shown = showPath(target.shown)
  if (stats.isDirectory()) throw new ToolFailure('not-a-file', `${shown} is a folder, not a file. Name a file in it.`)
  const special = findSpecialFile(target.real, stats)
  if (special)
    throw new ToolFailure('not-a-file', `${shown} is ${special.words}, not a regular file; it was left alone.`)
  if (stats.size > maxEditedBytes) {
    throw new ToolFailure(
      'too-large',
      `${shown} has ${describeBytes(Number(stats.size))}; files over ${describeBytes(maxEditedBytes)} are changed with the shell (sed, or a script), not with this tool.`,
    )
  }
}

/** A file's text with the encoding it is in. */
export interface DecodedFile {
  readonly encoding: TextEncoding
  /** Without a byte order mark; line endings as they are. */
  readonly text: string
}

/** Decodes it. Throws ToolFailure where it is not text. */
export async function decodeExisting({ bytes }: ExistingFile, target: ResolvedPath): Promise<DecodedFile> {
  const content = await classifyContent(bytes.subarray(0, maxSampleBytes))
  const detected = content.kind === 'text' ? await detectContentEncoding(bytes) : undefined
  if (detected?.kind !== 'text') {
    throw new ToolFailure(
      'unsupported',
      `${showPath(target.shown)} is not text but ${describeContent(content)} (${describeBytes(bytes.length)}); it was left alone. To put text in its place, delete it first with the shell.`,
    )
  }
  const { encoding } = detected
  return { encoding, text: decodeText(bytes.subarray(encoding.bomBytes), encoding) }
}
