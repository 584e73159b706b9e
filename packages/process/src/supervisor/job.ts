// One job: what is known of it, and what can be done with it. One that an earlier run of the program started is known by
// its record, its log and its processes alone.
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeLeftover, type Leftover } from '../command/call-processes.ts'
import type { Exit } from '../command/command-call.ts'
import { type StopFacts, stopProcesses } from '../command/stop-processes.ts'
import { readShellEnd } from '../shell-state/named-shell.ts'
import { isProcessAlive } from '../table/process-table.ts'
import { findJobProcesses, isShellAlive, measureMemory } from './job-processes.ts'
import { type JobEnd, type JobRecord, readJobRecord, type StopCause, writeJobRecord } from './job-record.ts'
import { readLogProblem } from './log-keeper.ts'
import type { JobInput, JobTerminal, StartedJob } from './started-job.ts'

/** The facts of a job, as of now. */
export interface JobFacts
  extends Pick<
    JobRecord,
    | 'id'
    | 'command'
    | 'description'
    | 'cwd'
    | 'logPath'
    | 'pid'
    | 'startedAt'
    | 'endedAt'
    | 'end'
    | 'isTerminal'
    | 'hasStdin'
    | 'request'
  > {
  /** Bytes that are in the log. */
  readonly bytes: number
  /** Why the log does not go on, in the system's words. */
  readonly logProblem?: string
  /** An earlier run of the program started it. */
  readonly isFound: boolean
}

export interface Job {
  readonly id: string
  /** Looks anew. */
  facts(): JobFacts
  /** Its live processes; after the end of its shell, what that left running. */
  listProcesses(): readonly Leftover[]
  /** Bytes of memory that its processes hold. */
  measureMemory(): number
  /** Resolves once it has ended and its end is on the disk; never for one that another process follows. */
  readonly ended: Promise<void>
  /** Its standard input; undefined where it has none, or where it is an earlier run's. */
  readonly input: JobInput | undefined
  readonly terminal: JobTerminal | undefined
  /** Sends a signal to all its processes, and tells to how many. */
  signal(name: NodeJS.Signals): number
  /** Ends all its processes: SIGTERM, a grace time, SIGKILL. `wasRunning` false: there was nothing to end. */
  stop(cause: StopCause, graceMs: number): Promise<StoppedJob>
}

export interface StoppedJob {
  readonly wasRunning: boolean
  readonly signals: StopFacts['signals']
  readonly survivors: readonly Leftover[]
}

/** A job that we have just started; its end is written down as it comes. */
export function followJob(folder: string, record: JobRecord, started: StartedJob): Job {
  let current = record
  let stopping: StopCause | undefined
  let stopFacts: StopFacts | undefined
  const stopped = Promise.withResolvers<void>()

  async function writeEnd(exit: Exit): Promise<void> {
    await Promise.race([started.logEnded, waitUntilQuiet(record.logPath)])
    if (stopping) await stopped.promise
    current = { ...current, endedAt: Date.now(), end: judgeEnd(exit, started, stopping, stopFacts) }
    writeJobRecord(folder, current)
  }

  return {
    ...createHandle(() => current, false),
    ended: started.exit.then(writeEnd),
    input: started.input,
    terminal: started.terminal,
    async stop(cause, graceMs) {
      if (!current.end) stopping ??= cause
      const result = await stopJob(current, graceMs)
      stopFacts ??= result.facts
      stopped.resolve()
      return result.stopped
    },
  }
}

/** A job as its record tells. Where whoever followed it is gone, and it has ended too, that is written down now. */
export function findJob(folder: string): Job | undefined {
  let current = readJobRecord(folder)
  if (!current) return undefined
  const look = (): JobRecord => {
    const known = current as JobRecord
    current = known.end ? known : settle(folder, readJobRecord(folder) ?? known)
    return current
  }
  return {
    ...createHandle(look, true),
    ended: new Promise(() => undefined),
    input: undefined,
    terminal: undefined,
    async stop(cause, graceMs) {
      const before = look()
      const { stopped, facts } = await stopJob(before, graceMs)
      if (!before.end && stopped.wasRunning) {
        const end = { kind: 'stopped', cause, ...listSignals(facts) } as const
        current = { ...before, endedAt: Date.now(), end }
        writeJobRecord(folder, current)
      }
      return stopped
    },
  }
}

type Handle = Pick<Job, 'id' | 'facts' | 'listProcesses' | 'measureMemory' | 'signal'>

function createHandle(look: () => JobRecord, isFound: boolean): Handle {
  const { id } = look()
  return {
    id,
    facts() {
      const record = look()
      const logProblem = readLogProblem(record.logPath)
      return { ...record, isFound, bytes: sizeOf(record.logPath), ...(logProblem !== undefined && { logProblem }) }
    },
    listProcesses: () => findJobProcesses(look()).map(describeLeftover),
    measureMemory: () => measureMemory(findJobProcesses(look())),
    signal(name) {
      const found = findJobProcesses(look())
      for (const { pid } of found) sendTo(pid, name)
      return found.length
    },
  }
}

async function stopJob(
  record: JobRecord,
  graceMs: number,
): Promise<{ readonly stopped: StoppedJob; readonly facts: StopFacts }> {
  const find = () => findJobProcesses(record)
  const facts = await stopProcesses({ find, ...(!record.end && { groupId: record.pid }), graceMs })
  const survivors = facts.survivors.map(describeLeftover)
  return { facts, stopped: { wasRunning: facts.signals.length > 0, signals: facts.signals, survivors } }
}

function judgeEnd(
  exit: Exit,
  { hasStarted }: StartedJob,
  cause: StopCause | undefined,
  facts: StopFacts | undefined,
): JobEnd {
  if (hasStarted?.() === false) return { kind: 'not-started' }
  if (!cause || !facts || facts.signals.length === 0) return exit
  return { kind: 'stopped', cause, ...listSignals(facts), ...(exit.kind === 'exited' && { code: exit.code }) }
}

function listSignals({ signals, survivors }: StopFacts) {
  return { signals, survivors: survivors.map(({ pid }) => pid) }
}

// As long as whoever started it lives, it is for them to say how it ended.
function settle(folder: string, record: JobRecord): JobRecord {
  if (record.end || isShellAlive(record) || isProcessAlive(record.owner.pid, record.owner.startTicks)) return record
  const code = record.shell && readShellEnd(record.shell.kind, record.shell.folder)?.code
  const end: JobEnd = code === undefined ? { kind: 'unseen' } : { kind: 'exited', code }
  const settled = { ...record, end, endedAt: lastChangeOf(record) }
  writeJobRecord(folder, settled)
  return settled
}

const quietMs = 40
const settleMs = 400

// A child that it left behind may hold the output for good.
async function waitUntilQuiet(logPath: string): Promise<void> {
  const deadline = performance.now() + settleMs
  for (let before = -1; before !== sizeOf(logPath) && performance.now() < deadline; ) {
    before = sizeOf(logPath)
    await sleep(quietMs)
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function lastChangeOf({ logPath, startedAt }: JobRecord): number {
  return Math.max(startedAt, statSync(logPath, { throwIfNoEntry: false })?.mtimeMs ?? 0)
}

function sendTo(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // It has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
