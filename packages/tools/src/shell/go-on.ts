// A call whose time is over, and that goes on as a job.
import type { ToolContext } from '@deckhand/core'
import type { CommandEnd, CommandOutcome, Job } from '@deckhand/process'
import type { AllowedCommand } from './ask-permission.ts'
import type { ShellInput } from './schema.ts'
import type { ShellSetup } from './shell-deps.ts'

/** What is asked when the time of a call is over. */
export interface TimeoutWish {
  /** May it go on? Also remembers that it could not, for want of room. */
  mayGoOn(): boolean
  /** It was to go on, and there was no room for one more job. */
  readonly hadNoRoom: boolean
}

/** What is to happen at the timeout of this call: as it says, or as is the rule here. */
export function planTimeout({ onTimeout }: ShellInput, setup: ShellSetup, { sessionID }: ToolContext): TimeoutWish {
  const goesOn = (onTimeout ?? setup.onTimeout) === 'background'
  let hadNoRoom = false
  return {
    mayGoOn() {
      hadNoRoom = goesOn && !setup.jobs.open(sessionID).hasRoom()
      return goesOn && !hadNoRoom
    },
    get hadNoRoom() {
      return hadNoRoom
    },
  }
}

interface RunningRun {
  readonly run: CommandOutcome
  readonly end: Extract<CommandEnd, { kind: 'goes-on' }>
  /** Where its shell writes its end. */
  readonly folder: string
  readonly logPath: string
}

/** Takes a call over as a job of the session. Throws the system's error when its log can't be kept. */
export function goOnAsJob(
  input: ShellInput,
  { workdir, shell, policy }: AllowedCommand,
  { run, end, folder, logPath }: RunningRun,
  { jobs }: ShellSetup,
  { sessionID }: ToolContext,
): Job {
  const { command, description, onTimeout: _, timeoutMs: __, ...request } = input
  return jobs.open(sessionID).adopt({
    command,
    ...(description !== undefined && { description }),
    cwd: workdir.path,
    shell: { kind: shell.kind, folder },
    request: { ...request, command, workdir: workdir.path, isContained: policy !== undefined },
    call: end.call,
    logPath,
    startedAt: Date.now() - run.durationMs,
  })
}

/** The same run, its log where the job has it. */
export function moveLog(run: CommandOutcome, job: Job): CommandOutcome {
  const { log } = run.output
  return log ? { ...run, output: { ...run.output, log: { ...log, path: job.facts().logPath } } } : run
}
