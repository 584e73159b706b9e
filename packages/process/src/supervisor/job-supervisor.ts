// The jobs of all sessions of one run of the program: started, adopted from calls, found again, and held to their limits.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultGraceMs, type StartFailure, type StartOptions } from '../command/command-call.ts'
import type { RunningCall } from '../command/command-outcome.ts'
import type { RunResources } from '../command/run-resources.ts'
import type { ShellKind } from '../shell-state/shell-kind.ts'
import { readStartTicks } from '../table/process-table.ts'
import { findJob, followJob, type Job } from './job.ts'
import { readBootID } from './job-processes.ts'
import { createJobFolder, type JobRecord, listJobIDs, writeJobRecord } from './job-record.ts'
import { type KeeperPlan, startLogKeeper } from './log-keeper.ts'
import { startPiped } from './start-piped.ts'
import type { StartedJob } from './started-job.ts'

export interface JobLimits {
  /** Jobs of a session that run at once. */
  readonly maxJobs: number
  /** A job whose log grows beyond this is ended. */
  readonly maxLogBytes: number
  /** A job whose processes together hold more than this is ended. Absent: no limit. */
  readonly maxMemoryBytes?: number
}

export const defaultJobLimits: JobLimits = { maxJobs: 32, maxLogBytes: 1024 ** 3 }

export interface SupervisorOptions {
  readonly resources: RunResources
  /** Where records and logs are kept, in a folder for each session. */
  readonly directory: string
  readonly limits?: Partial<JobLimits>
  /** Are jobs to go on when this run of the program ends? */
  readonly keepsJobs?: boolean
}

export interface JobSupervisor {
  /** The jobs of a session: those of earlier runs of the program too. */
  open(sessionID: string): SessionJobs
  /**
   * Ends the jobs that this run has started, and tells which; with `keepsJobs` only those that can't go
   * on without us (on a terminal, in a sandbox), and it tells which go on.
   */
  end(graceMs?: number): Promise<{ readonly ended: readonly Job[]; readonly kept: readonly Job[] }>
}

export interface SessionJobs {
  /** Starts one. What can't be started is told, not thrown; so is that there are too many. */
  start(plan: JobPlan): Promise<Job | StartFailure | TooManyJobs>
  /** May one more be added? */
  hasRoom(): boolean
  /** Takes over a call that goes on, however many there are. Throws the system's error when its log can't be kept. */
  adopt(plan: AdoptPlan): Job
  /** All that are known, oldest first. */
  list(): readonly Job[]
  find(id: string): Job | undefined
}

export interface TooManyJobs {
  readonly kind: 'too-many'
  readonly running: readonly Job[]
}

/** What is written down of a job, besides what its start tells. */
interface JobWords {
  readonly command: string
  readonly description?: string
  readonly cwd: string
  readonly shell?: { readonly kind: ShellKind; readonly folder: string } | undefined
  readonly request?: Readonly<Record<string, unknown>>
}

export interface JobPlan extends Omit<JobWords, 'shell'> {
  /** The kind of its shell, when that writes its own exit code into the folder that `start` is given. */
  readonly shell?: ShellKind
  /** Asked with a folder of the job's own, which lasts as long as what is known of it. */
  start(folder: string): StartOptions
  /** Is its standard input open? */
  readonly hasStdin?: boolean
  /** Starts it on a terminal of this size. */
  readonly terminal?: { readonly columns: number; readonly rows: number }
}

export interface AdoptPlan extends JobWords {
  readonly call: RunningCall
  /** Where its output is so far. The job has it in its own folder. */
  readonly logPath: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
}

const logName = 'output.log'
const checkEveryMs = 500

/** Makes a supervisor; nothing is read or written before it is needed. */
export function createJobSupervisor(options: SupervisorOptions): JobSupervisor {
  const { resources, directory, keepsJobs = false } = options
  const limits = { ...defaultJobLimits, ...options.limits }
  const sessions = new Map<string, SessionJobs>()
  const own: Job[] = []
  const bound = new WeakSet<Job>()
  const running = new Set<Job>()
  let isWatching = false

  // Only while there is something to watch, and without keeping the program from ending.
  async function watchLimits(): Promise<void> {
    if (isWatching) return
    isWatching = true
    while (running.size > 0) {
      await sleep(checkEveryMs, undefined, { ref: false })
      for (const job of running) void enforceLimits(job, limits)
    }
    isWatching = false
  }

  function follow(folder: string, record: JobRecord, started: StartedJob): Job {
    writeJobRecord(folder, record)
    resources.markAsJob(record.token)
    const job = followJob(folder, record, started)
    if (started.terminal || started.hasStarted) bound.add(job)
    else if (keepsJobs) resources.spare(record.token)
    own.push(job)
    running.add(job)
    void job.ended.then(() => running.delete(job))
    void watchLimits()
    return job
  }

  function openSession(sessionID: string): SessionJobs {
    const sessionFolder = join(directory, sessionID)
    const known = new Map<string, Job>()
    const find = (id: string) => {
      const job = known.get(id) ?? (/^job-\d+$/.test(id) ? findJob(join(sessionFolder, id)) : undefined)
      if (job) known.set(id, job)
      return job
    }
    const list = () => listJobIDs(sessionFolder).flatMap(id => find(id) ?? [])
    const listLive = () => list().filter(job => job.facts().end === undefined)
    const add = (id: string, folder: string, record: JobRecord, started: StartedJob) => {
      const job = follow(folder, record, started)
      known.set(id, job)
      return job
    }
    return {
      list,
      find,
      async start(plan) {
        const live = listLive()
        if (live.length >= limits.maxJobs) return { kind: 'too-many', running: live }
        const { id, folder } = createJobFolder(sessionFolder)
        const token = resources.createToken()
        const logPath = join(folder, logName)
        const shellFolder = join(folder, 'shell')
        const place = { start: plan.start(shellFolder), token, logPath, maxBytes: limits.maxLogBytes }
        const started = await startJob(plan, place, resources)
        if ('kind' in started) {
          rmSync(folder, { recursive: true, force: true })
          return started
        }
        const shell = plan.shell && { kind: plan.shell, folder: shellFolder }
        const words = { ...plan, shell }
        const record = createRecord(words, { id, sessionID, token, logPath, started, startedAt: Date.now() })
        return add(id, folder, record, started)
      },
      hasRoom: () => listLive().length < limits.maxJobs,
      adopt(plan) {
        const { id, folder } = createJobFolder(sessionFolder)
        const logPath = join(folder, logName)
        // There is none where it could not be made.
        if (existsSync(plan.logPath)) renameSync(plan.logPath, logPath)
        const started = followOutput(plan.call, { logPath, maxBytes: limits.maxLogBytes })
        const { token } = plan.call
        return add(id, folder, createRecord(plan, { ...plan, id, sessionID, token, logPath, started }), started)
      },
    }
  }

  return {
    open(sessionID) {
      const known = sessions.get(sessionID) ?? openSession(sessionID)
      sessions.set(sessionID, known)
      return known
    },
    async end(graceMs = defaultGraceMs) {
      const live = own.filter(job => job.listProcesses().length > 0)
      const kept = keepsJobs ? live.filter(job => !bound.has(job)) : []
      const ended = live.filter(job => !kept.includes(job))
      await Promise.all(ended.map(job => job.stop('session-end', graceMs)))
      await Promise.all(ended.map(job => Promise.race([job.ended, sleep(endMs)])))
      return { ended, kept }
    },
  }
}

// Its end is on the disk soon after its last process is gone.
const endMs = 1000

async function enforceLimits(job: Job, { maxLogBytes, maxMemoryBytes }: JobLimits): Promise<void> {
  const { bytes, end } = job.facts()
  if (end) return
  if (bytes >= maxLogBytes) await job.stop('log-limit', defaultGraceMs)
  else if (maxMemoryBytes !== undefined && job.measureMemory() > maxMemoryBytes)
    await job.stop('memory-limit', defaultGraceMs)
}

interface StartPlace {
  readonly start: StartOptions
  readonly token: string
  readonly logPath: string
  readonly maxBytes: number
}

async function startJob(
  { hasStdin = false, terminal }: JobPlan,
  place: StartPlace,
  resources: RunResources,
): Promise<StartedJob | StartFailure> {
  if (!terminal) return startPiped({ hasStdin, ...place }, resources)
  // A terminal is rarely needed, and what makes one is not small.
  const { startOnTerminal } = await import('../pty/start-on-terminal.ts')
  return startOnTerminal({ ...terminal, ...place }, resources)
}

function followOutput({ output, ...call }: RunningCall, plan: KeeperPlan): StartedJob {
  if (!output) return { ...call, logEnded: Promise.resolve() }
  const keeper = startLogKeeper(output.reader, plan)
  void keeper.ended.then(output.release)
  return { ...call, logEnded: keeper.ended }
}

interface RecordFacts {
  readonly id: string
  readonly sessionID: string
  readonly token: string
  readonly logPath: string
  readonly started: StartedJob
  readonly startedAt: number
}

function createRecord(words: JobWords, facts: RecordFacts): JobRecord {
  const { command, description, cwd, shell, request } = words
  const { id, sessionID, token, logPath, started, startedAt } = facts
  return {
    version: 1,
    ...{ id, sessionID, command, cwd, logPath, token, startedAt },
    ...(description !== undefined && { description }),
    ...(shell && { shell }),
    ...(request && { request }),
    isTerminal: started.terminal !== undefined,
    hasStdin: started.input !== undefined,
    pid: started.pid,
    startTicks: started.startTicks,
    bootID: readBootID(),
    owner: { pid: process.pid, startTicks: readStartTicks(process.pid) },
  }
}
