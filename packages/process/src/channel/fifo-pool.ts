import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { removeAbandonedFolders } from './abandoned-folders.ts'
import { openFifoChannel } from './fifo-channel.ts'
import type { FreeFifo } from './free-fifo.ts'
import type { OutputChannel } from './output-channel.ts'

/** FIFOs made ahead. Node can't make them, and one `mkfifo` costs as much as the shell of a call. */
export interface FifoPool {
  /** Makes the first FIFOs, so that the first call need not wait. Throws when they can't be made here. */
  prepare(): Promise<void>
  /** A free FIFO, opened as the output of a command. Throws when FIFOs can't be made here. */
  open(): Promise<OutputChannel>
  /** A free FIFO, to be opened by the caller, and to be released once nobody holds an end of it any more. */
  take(): Promise<FreeFifo>
  /** The folder that they are in now. */
  folder(): string | undefined
  /** Where in that folder it is noted which marks are to be spared when we die; undefined before there is a folder. */
  sparedPath(): string | undefined
  /** Removes the FIFOs. Closing twice is fine. */
  close(): Promise<void>
}

const batch = 8
const prefix = 'deckhand-fifo-'

/** Of the file with the marks of those that are to outlive us. The watch reads it. */
export const sparedName = 'spared'

/**
 * Makes a pool in a private folder below `directory`. A FIFO goes back to the pool once no process holds its writing
 * end; so most programs make eight in their whole life.
 */
export function createFifoPool(directory: string): FifoPool {
  let folder: string | undefined
  let making: Promise<void> | undefined
  let made = 0
  const free: string[] = []

  async function makeFolder(): Promise<string> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await removeAbandonedFolders(directory, prefix)
    return mkdtemp(join(directory, `${prefix}${process.pid}-`))
  }

  async function makeBatch(): Promise<void> {
    const parent = folder ?? (await makeFolder())
    folder = parent
    const paths = Array.from({ length: batch }, () => join(parent, String(++made)))
    await promisify(execFile)('mkfifo', ['-m', '600', ...paths])
    free.push(...paths)
  }

  function makeMore(): Promise<void> {
    making ??= makeBatch().finally(() => {
      making = undefined
    })
    return making
  }

  // The folder may have been cleaned away under us: start over in a new one.
  function forgetFolder(): void {
    folder = undefined
    free.length = 0
  }

  async function takeFree(): Promise<FreeFifo> {
    while (free.length === 0) await makeMore()
    const path = free.pop() ?? ''
    const parent = folder
    return {
      path,
      release: () => {
        if (parent === folder) free.push(path)
      },
    }
  }

  async function takeWorking<T>(use: (fifo: FreeFifo) => T): Promise<T> {
    try {
      return use(await takeFree())
    } catch {
      forgetFolder()
      return use(await takeFree())
    }
  }

  return {
    prepare: async () => {
      if (free.length === 0) await makeMore()
    },
    open: () => takeWorking(openFifoChannel),
    take: () => takeWorking(checkFifo),
    folder: () => folder,
    sparedPath: () => (folder === undefined ? undefined : join(folder, sparedName)),
    async close() {
      await making?.catch(() => undefined)
      const parent = folder
      forgetFolder()
      if (parent !== undefined) await rm(parent, { recursive: true, force: true })
    },
  }
}

function checkFifo(fifo: FreeFifo): FreeFifo {
  statSync(fifo.path)
  return fifo
}
