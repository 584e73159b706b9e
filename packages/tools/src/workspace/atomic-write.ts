import { randomBytes } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { access, chmod, chown, constants, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from './io-failure.ts'

/** How a file was written. */
export interface Written {
  readonly stats: BigIntStats
  /** False where the folder allows no new file, so the old one was overwritten in its place. */
  readonly atomic: boolean
}

/**
 * Writes a file whole: into a temporary file beside it, to the disk, then in its place by one rename, so that nobody
 * ever sees half of it and a crash leaves the old or the new one. Mode and owner of an existing file stay; missing
 * folders are made. `path` must be real (no links). Rejects with the system's error, and then the old file is as it was.
 */
export async function writeAtomically(path: string, content: Uint8Array): Promise<Written> {
  const old = await statIfThere(path)
  // A rename needs no right to write the old file; who made it read-only meant it.
  if (old) await access(path, constants.W_OK)
  else await mkdir(dirname(path), { recursive: true })
  try {
    await replace(path, content, old)
    return { stats: await stat(path, { bigint: true }), atomic: true }
  } catch (error) {
    if (!old || !['EACCES', 'EPERM', 'EBUSY', 'EXDEV'].includes(errorCode(error) ?? '')) throw error
    await overwrite(path, content)
    return { stats: await stat(path, { bigint: true }), atomic: false }
  }
}

async function statIfThere(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true })
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function replace(path: string, content: Uint8Array, old: BigIntStats | undefined): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path).slice(0, 80)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    await writeSynced(temporary, 'wx', content)
    if (old) await keepOwnerAndMode(temporary, old)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

async function overwrite(path: string, content: Uint8Array): Promise<void> {
  await writeSynced(path, 'w', content)
}

async function writeSynced(path: string, flags: 'w' | 'wx', content: Uint8Array): Promise<void> {
  await using handle = await open(path, flags)
  await handle.writeFile(content)
  await handle.sync()
}

async function keepOwnerAndMode(path: string, old: BigIntStats): Promise<void> {
  const now = await stat(path, { bigint: true })
  if (now.uid !== old.uid || now.gid !== old.gid) await chown(path, Number(old.uid), Number(old.gid))
  await chmod(path, Number(old.mode & 0o7777n))
}

// The rename itself is safe only when the folder is on the disk; where folders can't be opened (Windows) it is without.
async function syncFolder(path: string): Promise<void> {
  try {
    await using handle = await open(path, constants.O_RDONLY)
    await handle.sync()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
}
