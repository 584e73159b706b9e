// One run of an allowed command: prepare what its shell starts with, start and follow it, and find out how it ended.
import { join } from 'node:path'
import { randomText, type ToolContext, ToolFailure } from '@deckhand/core'
import type { CommandOutcome, Job, PreparedCall } from '@deckhand/process'
import type { AllowedCommand } from './ask-permission.ts'
import { describeStartFailure } from './describe-shell-outcome.ts'
import { goOnAsJob, moveLog, planTimeout, type TimeoutWish } from './go-on.ts'
import { describeProgress, judgeOutcome } from './judge-outcome.ts'
import type { ShellInput } from './schema.ts'
import type { ShellSetup } from './shell-deps.ts'
import type { SandboxStory, ShellOutcome } from './shell-outcome.ts'
import { findStateFacts } from './state-facts.ts'

/** A command that has run. What it left of its shell's state is not taken over yet: it may have to be run again. */
export interface CommandRun {
  readonly outcome: ShellOutcome
  /** Takes the state over, and gives all the facts. */
  finish(sandbox?: SandboxStory): ShellOutcome
  /** Forgets what it left. */
  discard(): void
}

/** Runs it to its end. Throws ToolFailure when it can't be started, and the signal's reason. */
export async function runCommand(
  input: ShellInput,
  allowed: AllowedCommand,
  setup: ShellSetup,
  context: ToolContext,
): Promise<CommandRun> {
  const { command, policy, shell, variables } = allowed
  const prepared = shell.prepare(command, { isContained: policy !== undefined, environment: variables })
  const discard = () => void prepared.finish({ adopt: false, keepsFolder: true })
  try {
    const timeoutMs = Math.min(input.timeoutMs ?? setup.limits.defaultTimeoutMs, setup.limits.maxTimeoutMs)
    const logPath = join(setup.logDirectory, `shell-${randomText(16)}.log`)
    const timeout = planTimeout(input, setup, context)
    const run = await follow(input, allowed, { prepared, timeoutMs, timeout, logPath }, setup, context)
    const { end } = run
    if (end.kind === 'failed-to-start') throw new ToolFailure('io', describeStartFailure(end), { ...end })
    const { limits } = setup
    const withheld = (setup.withheld ?? []).filter(name => variables[name] === undefined)
    const call = { command, wishedMs: input.timeoutMs, timeoutMs, limits, logPath, withheld }
    if (end.kind === 'goes-on') {
      const { folder } = prepared
      const job = goOnAsJob(input, allowed, { run, end, folder, logPath }, setup, context)
      // Its shell still writes there.
      void job.ended.then(discard)
      return describeGoingOn(await judgeOutcome({ ...call, run: moveLog(run, job), pipe: undefined }), job)
    }
    const pipe = end.kind === 'exited' ? prepared.readEnd()?.pipe : undefined
    const outcome = { ...(await judgeOutcome({ ...call, run, pipe })), hasNoRoom: timeout.hadNoRoom }
    return {
      outcome,
      discard,
      finish: sandbox => ({
        ...outcome,
        ...(sandbox && { sandbox }),
        state: findStateFacts(prepared.finish(howToFinish(run, allowed)), { allowed, prepared, run }, setup.workspace),
      }),
    }
  } catch (error) {
    discard()
    throw error
  }

  function describeGoingOn(judged: ShellOutcome, job: Job): CommandRun {
    const { state } = shell
    const unchanged = { before: state, after: state, isAdopted: false }
    const outcome = {
      ...judged,
      job: { id: job.id, pid: job.facts().pid, cursor: job.facts().bytes },
      state: findStateFacts(unchanged, { allowed, prepared, run: judged.run }, setup.workspace),
    }
    return { outcome, discard: () => undefined, finish: () => outcome }
  }
}

interface Preparation {
  readonly prepared: PreparedCall
  readonly timeoutMs: number
  readonly timeout: TimeoutWish
  readonly logPath: string
}

function follow(
  { command, description, leftovers }: ShellInput,
  { workdir, policy }: AllowedCommand,
  { prepared, timeoutMs, timeout, logPath }: Preparation,
  { runner, limits, containment }: ShellSetup,
  { signal, report }: ToolContext,
): Promise<CommandOutcome> {
  const { start, folder } = prepared
  return runner.run({
    ...start,
    cwd: workdir.path,
    timeoutMs,
    mayGoOn: timeout.mayGoOn,
    endsLeftovers: leftovers === 'end',
    signal,
    logPath,
    limits: limits.output,
    graceMs: limits.graceMs,
    ...(containment &&
      policy && { sandbox: { sandbox: containment.sandbox, policy: { ...policy, ownFolder: folder } } }),
    onOutput: snapshot => report({ title: command, metadata: describeProgress(snapshot, description) }),
  })
}

function howToFinish({ end }: CommandOutcome, { workdir, mayChangeState }: AllowedCommand) {
  return { adopt: end.kind === 'exited' && mayChangeState, keepsFolder: !workdir.isForThisCall }
}
