// What can be done with commands that run beside the conversation.
import { type Tool, ToolFailure, type ToolResult } from '@deckhand/core'
import type { Job } from '@deckhand/process'
import { describeDuration } from '../shell/describe-facts.ts'
import { runAsJob } from '../shell/run-as-job.ts'
import { shellSchema } from '../shell/schema.ts'
import { fillLimits, type ShellDeps, type ShellSetup } from '../shell/shell-deps.ts'
import { describeJob } from './describe-job.ts'
import { describeFacts, describeNews, describeResult, oneLine } from './describe-result.ts'
import type { JobCall } from './job-call.ts'
import { jobPrompt } from './prompt.ts'
import { readOutput } from './read-output.ts'
import { type JobAction, type JobInput, jobSchema, normaliseJob } from './schema.ts'
import { type Condition, hasLine, hasOutputAfter, onlyTheEnd, type WaitEnd, waitForJob } from './wait-for-job.ts'
import { writeInput } from './write-input.ts'

/** The tool `job`; it shares what the tool `shell` is made of. */
export function createJobTool(deps: ShellDeps): Tool<typeof jobSchema> {
  const setup = fillLimits(deps)
  return {
    name: 'job',
    description: jobPrompt,
    schema: jobSchema,
    annotations: {
      title: 'Follow and steer jobs',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    normalise: normaliseJob,
    async execute(input, context) {
      const call = { input, setup, context }
      if (input.action === 'list') return listJobs(call)
      if (input.action === 'start') return start(call)
      const job = findJob(call)
      return actions[input.action](job, call)
    },
  }
}

type JobActionOf = (job: Job, call: JobCall) => Promise<ToolResult>

const actions: Readonly<Record<Exclude<JobAction, 'list' | 'start'>, JobActionOf>> = {
  output: readOutput,
  wait,
  write: writeInput,
  resize,
  signal,
  stop,
  restart,
}

async function listJobs({ setup, context }: JobCall): Promise<ToolResult> {
  const jobs = setup.jobs.open(context.sessionID).list()
  const lines = jobs.map(job => {
    const facts = job.facts()
    const words = facts.description === undefined ? '' : ` (${facts.description})`
    return `${describeJob(facts, job.listProcesses(), Date.now())} · ${oneLine(facts.command)}${words}`
  })
  return {
    title: 'jobs',
    output: lines.length === 0 ? 'There are no jobs in this session.' : lines.join('\n'),
    metadata: { jobs: jobs.map(job => describeFacts(job.facts())) },
  }
}

function findJob({ input: { id, action }, setup, context }: JobCall): Job {
  const jobs = setup.jobs.open(context.sessionID)
  const all = jobs.list()
  const name = id ?? (all.length === 1 ? all[0]?.id : undefined)
  const job = name === undefined ? undefined : jobs.find(/^\d+$/.test(name) ? `job-${name}` : name)
  if (job) return job
  const known = all.length === 0 ? 'There are none in this session' : `Known are ${all.map(each => each.id).join(', ')}`
  const tried = id === undefined ? `job ${action} needs an id` : `There is no job ${id}`
  throw new ToolFailure('not-found', `${tried}. ${known}.`)
}

async function start({ input, setup, context }: JobCall): Promise<ToolResult> {
  const { command, workdir, description, tty, stdin, ready } = input
  if (command === undefined) throw new ToolFailure('invalid-input', 'job start needs a command; nothing was started.')
  return runAsJob(shellSchema.parse({ command, workdir, description, tty, stdin, ready }), setup, context)
}

// ---- wait ---------------------------------------------------------------------------------------------------------

const defaultWaitMs = 30_000

async function wait(job: Job, { input, setup, context }: JobCall): Promise<ToolResult> {
  const facts = job.facts()
  const from = Math.min(input.cursor ?? facts.bytes, facts.bytes)
  const wished = input.timeoutMs ?? defaultWaitMs
  const timeoutMs = Math.min(wished, setup.limits.maxTimeoutMs)
  const mode = input.mode ?? (input.pattern === undefined ? 'exit' : 'pattern')
  const condition = chooseCondition(mode, from, input)
  const waited = await waitForJob(job, condition, { timeoutMs: mode === 'now' ? 0 : timeoutMs, signal: context.signal })
  const words = mode === 'now' ? '' : describeWait(waited, mode)
  const capped = wished > timeoutMs ? `timeoutMs ${wished} was capped: at most ${timeoutMs}` : ''
  return describeNews(job, from, setup.limits, [words, capped])
}

function chooseCondition(mode: NonNullable<JobInput['mode']>, from: number, { pattern, cursor }: JobInput): Condition {
  switch (mode) {
    case 'output':
      return hasOutputAfter(from)
    case 'pattern':
      if (pattern === undefined)
        throw new ToolFailure('invalid-input', 'job wait with mode pattern needs a pattern, a regular expression.')
      // Without a cursor: the line may have come before this call.
      return hasLine(pattern, cursor === undefined ? 0 : from)
    default:
      return onlyTheEnd
  }
}

function describeWait({ kind, words, waitedMs }: WaitEnd, mode: string): string {
  const time = describeDuration(waitedMs)
  if (kind === 'met') return `${words} (after ${time})`
  if (kind === 'ended') return mode === 'exit' ? '' : 'it ended before that'
  return `waited ${time} in vain; it goes on`
}

// ---- steer --------------------------------------------------------------------------------------------------------

async function resize(job: Job, { input: { columns, rows } }: JobCall): Promise<ToolResult> {
  const { terminal } = job
  if (!terminal) throw new ToolFailure('invalid-input', `${job.id} has no terminal of ours; start it with tty.`)
  terminal.resize(columns ?? terminal.columns, rows ?? terminal.rows)
  return describeResult(job, job.facts(), '', [
    `its terminal has ${terminal.columns} columns and ${terminal.rows} rows`,
  ])
}

const signalNames = /^SIG(HUP|INT|QUIT|USR1|USR2|TERM|KILL|STOP|CONT|WINCH|ALRM|ABRT|TSTP)$/

async function signal(job: Job, { input }: JobCall): Promise<ToolResult> {
  const given = input.signal?.toUpperCase() ?? ''
  const name = given.startsWith('SIG') ? given : `SIG${given}`
  if (!signalNames.test(name))
    throw new ToolFailure('invalid-input', `job signal needs a signal such as SIGHUP or SIGINT; nothing was sent.`)
  const count = job.signal(name as NodeJS.Signals)
  const words =
    count === 0 ? 'nothing of it runs, so nothing was sent' : `${name} was sent to ${count} of its processes`
  return describeResult(job, job.facts(), '', [words])
}

async function stop(job: Job, { setup }: JobCall): Promise<ToolResult> {
  const from = job.facts().bytes
  const { wasRunning, survivors } = await stopAndWait(job, setup)
  const alive = survivors.map(({ pid, command }) => `${command} (pid ${pid})`).join(', ')
  const words = [wasRunning ? '' : 'nothing of it was running any more', alive === '' ? '' : `still alive: ${alive}`]
  return describeNews(job, from, setup.limits, words)
}

async function stopAndWait(job: Job, { limits }: ShellSetup) {
  const stopped = await job.stop('request', limits.graceMs)
  // Its end is written down as soon as its shell is gone; one of an earlier run has no shell of ours.
  await waitForJob(job, onlyTheEnd, { timeoutMs: 1000, signal: new AbortController().signal })
  return stopped
}

async function restart(job: Job, { setup, context }: JobCall): Promise<ToolResult> {
  const { request } = job.facts()
  const input = shellSchema.safeParse(request)
  if (!input.success)
    throw new ToolFailure('unsupported', `${job.id} can't be started again: start its command anew with shell.`)
  return runAsJob(input.data, setup, context, () => stopAndWait(job, setup))
}
