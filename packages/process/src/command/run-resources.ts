import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { randomText } from '@deckhand/core'
import { createFifoPool, type FifoPool } from '../channel/fifo-pool.ts'
import { createDeathWatch } from './death-watch.ts'

/** What all commands and jobs of one run of the program share: their mark, the FIFOs, and the watch over our own death. */
export interface RunResources {
  /** What the marks of all its commands begin with. */
  readonly runID: string
  /** Undefined where there are no FIFOs (Windows). */
  readonly pool: FifoPool | undefined
  /** A new mark. */
  createToken(): string
  /** To be called when something was started: from now on what carries a mark is ended when we die without a word. */
  watch(): void
  /** What carries this mark is a job's: it is not ended as something that a call left behind. */
  markAsJob(token: string): void
  /** Is it the mark of a job? */
  isJob(token: string): boolean
  /** The job with this mark is to outlive us, also when we die without a word. */
  spare(token: string): void
  /** Removes the FIFOs, ends the watch. Twice is fine. */
  close(): Promise<void>
}

export interface RunResourcesOptions {
  /** Where FIFOs are made, in a private folder of its own: on a file system that can have them, such as /tmp. */
  readonly temporaryDirectory: string
}

const isWindows = process.platform === 'win32'

/** Makes them; nothing is started or written before it is needed. */
export function createRunResources({ temporaryDirectory }: RunResourcesOptions): RunResources {
  const runID = randomText(10)
  const pool = isWindows ? undefined : createFifoPool(temporaryDirectory)
  const watch = isWindows ? undefined : createDeathWatch(runID)
  const jobs = new Set<string>()
  let calls = 0
  return {
    runID,
    pool,
    createToken: () => `${runID}.${++calls}`,
    watch: () => watch?.start(pool?.folder()),
    markAsJob: token => void jobs.add(token),
    isJob: token => jobs.has(token),
    spare(token) {
      const path = pool?.sparedPath()
      if (path === undefined) return
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      appendFileSync(path, `${token}\n`, { mode: 0o600 })
    },
    async close() {
      await pool?.close()
      await watch?.stop()
    },
  }
}
