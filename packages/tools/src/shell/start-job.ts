// A command that goes on beside the conversation: started as a job, and told how it begins.
import { type ToolContext, ToolFailure, type ToolResult } from '@deckhand/core'
import type { Job, SessionJobs } from '@deckhand/process'
import { describeJob } from '../job/describe-job.ts'
import { findCharacterEnd } from '../job/job-log.ts'
import { planReadiness } from '../job/readiness.ts'
import { viewLog } from '../job/view-log.ts'
import { onlyTheEnd, type WaitEnd, waitForJob } from '../job/wait-for-job.ts'
import type { AllowedCommand } from './ask-permission.ts'
import { describeDuration } from './describe-facts.ts'
import { describeStartFailure } from './describe-shell-outcome.ts'
import type { ShellInput } from './schema.ts'
import type { ShellSetup } from './shell-deps.ts'

/** What fails at once (a wrong name, a port in use) is told with the start. */
const firstLookMs = 100
const defaultReadyMs = 30_000
const defaultSize = { columns: 120, rows: 30 }

/** Starts it, and waits until it is ready where that is asked for. Throws ToolFailure when it can't be started. */
export async function startJob(
  input: ShellInput,
  allowed: AllowedCommand,
  setup: ShellSetup,
  context: ToolContext,
): Promise<ToolResult> {
  const { command, description, ready } = input
  const { shell, policy, workdir, variables } = allowed
  const { containment, jobs } = setup
  const readiness = ready && planReadiness(ready)
  const prepare = (folder: string) => {
    const prepared = shell.prepare(command, { isContained: policy !== undefined, folder, environment: variables })
    const sandbox = containment && policy && { sandbox: containment.sandbox, policy: { ...policy, ownFolder: folder } }
    return { prepared, start: { ...prepared.start, cwd: workdir.path, ...(sandbox && { sandbox }) } }
  }
  let made: ReturnType<typeof prepare> | undefined
  const { background: _, ...request } = input
  const started = await jobs.open(context.sessionID).start({
    command,
    ...(description !== undefined && { description }),
    cwd: workdir.path,
    request: { ...request, workdir: workdir.path, isContained: policy !== undefined },
    hasStdin: input.stdin ?? false,
    ...(input.tty && { terminal: defaultSize }),
    shell: shell.kind,
    start(folder) {
      made = prepare(folder)
      return made.start
    },
  })
  if ('kind' in started) {
    made?.prepared.finish({ adopt: false, keepsFolder: true })
    throw new ToolFailure('io', describeNoStart(started))
  }
  void started.ended.then(() => made?.prepared.finish({ adopt: false, keepsFolder: true }))
  const condition = readiness?.(started, made?.start.sandbox) ?? onlyTheEnd
  const timeoutMs = ready ? Math.min(ready.withinMs ?? defaultReadyMs, setup.limits.maxTimeoutMs) : firstLookMs
  const waited = await waitForJob(started, condition, { timeoutMs, signal: context.signal })
  return describeStart(started, ready ? waited : undefined, setup)
}

function describeNoStart(found: Exclude<Awaited<ReturnType<SessionJobs['start']>>, Job>): string {
  if (found.kind === 'failed-to-start') return describeStartFailure(found)
  const running = found.running.map(job => job.id).join(', ')
  return `Nothing was started: ${found.running.length} jobs run already, which is the most at once (${running}). Stop one with job stop.`
}

function describeStart(job: Job, waited: WaitEnd | undefined, { limits }: ShellSetup): ToolResult {
  const facts = job.facts()
  const cursor = findCharacterEnd(facts.logPath, facts.bytes)
  const view = viewLog(facts, { from: 0, to: cursor }, limits)
  const words = [
    describeJob(facts, job.listProcesses(), Date.now()),
    waited ? describeReady(waited) : '',
    `log ${facts.logPath}`,
    facts.end ? '' : `go on with job output | wait | stop, id ${job.id}, cursor ${cursor}`,
  ]
  return {
    title: facts.command,
    output: `${view === '' ? '' : `${view}\n`}${words.filter(word => word !== '').join(' · ')}`,
    metadata: { job: job.id, pid: facts.pid, cursor, running: facts.end === undefined, outputPath: facts.logPath },
  }
}

function describeReady({ kind, words, waitedMs }: WaitEnd): string {
  const time = describeDuration(waitedMs)
  if (kind === 'met') return `ready after ${time}: ${words}`
  if (kind === 'ended') return 'it ended before it was ready'
  return `not ready after ${time}; it goes on`
}
