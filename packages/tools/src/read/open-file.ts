import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { ToolFailure } from '@deckhand/core'
import { maxSampleBytes } from '../encoding/detect-encoding.ts'
import { type ContentStamp, createContentStamp, maxHashedBytes } from '../ledger/content-stamp.ts'
import { findSpecialFile } from '../workspace/file-kind.ts'
import { createIoFailure } from '../workspace/io-failure.ts'
import { showPath } from '../workspace/show-path.ts'
import type { ResolvedPath } from '../workspace/workspace.ts'
import { type ByteSource, createBufferSource, createFileSource } from './byte-source.ts'

/** A plain file that was opened, with its first bytes. Small files are in memory as a whole, so they are read once. */
export interface OpenFile {
  readonly source: ByteSource
  readonly head: Buffer
  readonly stamp: ContentStamp
}

/**
 * Opens the file that a path leads to, hands it to `use`, and closes it whatever happens. Neither blocks on a pipe nor
 * follows a link that was put there after the path was resolved. Throws ToolFailure in words.
 */
export async function withOpenFile<T>(target: ResolvedPath, use: (file: OpenFile) => Promise<T>): Promise<T> {
  // Windows has neither flag.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
  try {
    await using handle = await open(target.real, flags)
    return await use(await createOpenFile(handle, target))
  } catch (error) {
    throw createIoFailure(error, `read ${showPath(target.shown)}`)
  }
}

async function createOpenFile(handle: FileHandle, target: ResolvedPath): Promise<OpenFile> {
  const stats = await handle.stat({ bigint: true })
  refuseSpecialFile(target, stats)
  // What /proc holds has a size of 0 and content all the same: only reading tells.
  const content = await readStart(handle, maxHashedBytes + 1)
  if (content.length <= maxHashedBytes) {
    return {
      source: createBufferSource(content),
      head: content.subarray(0, maxSampleBytes),
      stamp: createContentStamp(stats, content),
    }
  }
  const head = Buffer.from(content.subarray(0, maxSampleBytes))
  return { source: createFileSource(handle, Number(stats.size)), head, stamp: createContentStamp(stats) }
}

async function readStart(handle: FileHandle, length: number): Promise<Buffer> {
  return createFileSource(handle, length).read(0, length)
}

/** Throws for what may block, never end, or act on the machine when it is opened. */
export function refuseSpecialFile(target: ResolvedPath, stats: BigIntStats): void {
  const special = findSpecialFile(target.real, stats)
  if (!special) return
  throw new ToolFailure(
    'not-a-file',
    `${showPath(target.shown)} is ${special.words}, not a regular file: reading it could block or never end, so it was not opened. If you need its data, use the shell with a limit, such as: timeout 5 head -c 1000 PATH`,
    { kind: special.words },
  )
}
