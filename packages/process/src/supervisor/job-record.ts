// What is known of a job on the disk: enough for another run of the program to find it, follow it and end it.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StopSignal } from '../command/stop-processes.ts'
import type { ShellKind } from '../shell-state/shell-kind.ts'

/** How a job ended. */
export type JobEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
  /** It was ended: by request, with the session, or as it went over a limit. */
  | {
      readonly kind: 'stopped'
      readonly cause: StopCause
      readonly signals: readonly StopSignal[]
      /** Pids that are alive after all of it. */
      readonly survivors: readonly number[]
      /** What its shell ended with, where it did. */
      readonly code?: number
    }
  /** Its sandbox could not be set up at the last moment; nothing was run. */
  | { readonly kind: 'not-started' }
  /** It ended while nobody was there to see how. */
  | { readonly kind: 'unseen' }

export type StopCause = 'request' | 'session-end' | 'log-limit' | 'memory-limit'

/** A job as it stands on the disk. */
export interface JobRecord {
  readonly version: 1
  readonly id: string
  readonly sessionID: string
  readonly command: string
  readonly description?: string
  /** Where it was started. */
  readonly cwd: string
  readonly logPath: string
  readonly isTerminal: boolean
  readonly hasStdin: boolean
  /** Of its shell, which is also the id of its process group and session. */
  readonly pid: number
  /** With the pid and the boot, it names one process for good. */
  readonly startTicks: number
  readonly bootID: string
  /** The mark in the environment of all its processes. */
  readonly token: string
  /** Who follows it. */
  readonly owner: { readonly pid: number; readonly startTicks: number }
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly endedAt?: number
  readonly end?: JobEnd
  /** Where its shell writes its own exit code. */
  readonly shell?: { readonly kind: ShellKind; readonly folder: string }
  /** What its owner needs to start it again; of no meaning here. */
  readonly request?: Readonly<Record<string, unknown>>
}

const recordName = 'job.json'

/** A new folder `job-1`, `job-2`, … in that of the session: two processes never get the same. Throws the system's error. */
export function createJobFolder(sessionFolder: string): { readonly id: string; readonly folder: string } {
  mkdirSync(sessionFolder, { recursive: true, mode: 0o700 })
  for (let number = nextNumber(sessionFolder); ; number++) {
    const id = `job-${number}`
    const folder = join(sessionFolder, id)
    try {
      mkdirSync(folder, { mode: 0o700 })
      return { id, folder }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** The ids of a session's jobs, oldest first. */
export function listJobIDs(sessionFolder: string): readonly string[] {
  return listNumbers(sessionFolder).map(number => `job-${number}`)
}

function nextNumber(sessionFolder: string): number {
  return (listNumbers(sessionFolder).at(-1) ?? 0) + 1
}

function listNumbers(sessionFolder: string): readonly number[] {
  let names: readonly string[]
  try {
    names = readdirSync(sessionFolder)
  } catch {
    return []
  }
  const numbers = names.flatMap(name => {
    const found = /^job-(\d+)$/.exec(name)?.[1]
    return found === undefined ? [] : [Number(found)]
  })
  return numbers.sort((a, b) => a - b)
}

/** Replaces the record as a whole: whoever reads it meanwhile sees the one before. */
export function writeJobRecord(folder: string, record: JobRecord): void {
  const path = join(folder, recordName)
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, JSON.stringify(record), { mode: 0o600 })
  renameSync(fresh, path)
}

/** Undefined where there is none yet (its start failed, or was cut off), or none that can be read. */
export function readJobRecord(folder: string): JobRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(join(folder, recordName), 'utf8'))
    return isRecord(record) ? record : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is JobRecord {
  const { version, id, pid, token, logPath } = (value ?? {}) as Partial<JobRecord>
  return (
    version === 1 &&
    typeof id === 'string' &&
    Number.isInteger(pid) &&
    typeof token === 'string' &&
    typeof logPath === 'string'
  )
}
