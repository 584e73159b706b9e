import { type ChosenModel, createSessionRecorder, runTurn, type TurnLimits } from '@deckhand/agent'
import {
  createHooks,
  type InstalledPlugin,
  nobodyToAsk,
  type PermissionMode,
  type Session,
  type Store,
  type TurnOutcome,
} from '@deckhand/core'
import type { Leftover } from '@deckhand/process'
import type { CliContext } from '../cli-context.ts'
import { composeGate, composeSystemPrompt, composeTools, type EndedCommands } from '../compose.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { FoundSandbox } from '../permission-mode.ts'
import { createTerminalAnswerer } from '../terminal/ask-on-terminal.ts'
import { type ChosenAgent, resolveRules } from './agent-choice.ts'
import { attachFiles } from './attach-files.ts'
import type { Interrupts } from './interrupts.ts'
import type { Reporter } from './reporter.ts'
import { createTurnOwner, isOwnerAlive } from './turn-owner.ts'

/** What was decided before anything is made. */
export interface TurnPlan {
  readonly session: Session
  /** Stores the session; called when all that can go wrong before the turn has gone well. */
  readonly saveSession: () => Promise<void>
  readonly prompt: string
  readonly files: readonly string[]
  readonly notices: readonly string[]
  readonly loaded: LoadedConfig
  readonly model: ChosenModel
  readonly agent: ChosenAgent
  readonly mode: PermissionMode
  /** Commands run in it. */
  readonly sandbox?: FoundSandbox
  /** Is a person there to answer questions? */
  readonly canAsk: boolean
  readonly limits: TurnLimits
  /** Are jobs to go on when the run ends? */
  readonly keepsJobs?: boolean
  readonly plugins?: readonly InstalledPlugin[]
}

export interface TurnSurroundings {
  readonly store: Store
  readonly reporter: Reporter
  readonly interrupts: Interrupts
  readonly context: CliContext
}

/** Composes the parts, runs the turn, and ends what its commands left running. The outcome has been reported. */
export async function runPlannedTurn(
  plan: TurnPlan,
  { store, reporter, interrupts, context }: TurnSurroundings,
): Promise<TurnOutcome> {
  const { session, model, agent, mode, loaded } = plan
  const recorder = createSessionRecorder(store, session.id, { onEvent: reporter.event, onLive: reporter.live })
  const plugins = createPluginNotices(reporter)
  const hooks = createHooks({ plugins: plan.plugins ?? [], clock: context.clock, tell: plugins.tell })
  const { tools, workspace, endCommands, close } = composeTools(session.directory, loaded.config, context, {
    ...plan,
    hooks,
    isFollowed: plan.canAsk,
  })
  try {
    const answerer = plan.canAsk
      ? createTerminalAnswerer({ input: context.stdin, output: context.stderr, onInterrupt: interrupts.interrupt })
      : nobodyToAsk
    const gate = composeGate({
      rules: resolveRules(agent.name, loaded),
      mode,
      answerer,
      recorder,
      audit: store,
      approvals: { store, sessionID: session.id, directory: session.directory },
      clock: context.clock,
    })
    const { system, missing } = await composeSystemPrompt(
      { workspace, loaded, mode, canAsk: plan.canAsk, agentPrompt: agent.prompt },
      context,
    )
    const attachments = await attachFiles(plan.files, tools, session.id, context.cwd, interrupts.signal)
    await plan.saveSession()
    reporter.start(
      { sessionID: session.id, directory: session.directory, title: session.title, model: model.model, mode },
      model.source,
    )
    for (const message of [...plan.notices, ...missing]) reporter.notice('notice', message)
    plugins.start()
    const outcome = await runTurn(
      {
        store,
        recorder,
        provider: model.provider,
        tools,
        gate,
        clock: context.clock,
        retry: loaded.config.retry,
        system,
      },
      {
        session,
        prompt: [...(plan.prompt === '' ? [] : [{ type: 'text' as const, text: plan.prompt }]), ...attachments],
        agent: agent.name,
        limits: plan.limits,
        signal: interrupts.signal,
        owner: createTurnOwner(context.clock.now()),
        isAlive: isOwnerAlive,
      },
    )
    for (const message of describeEnded(await endCommands())) reporter.notice('ended-leftovers', message)
    reporter.finish(outcome)
    return outcome
  } finally {
    await close()
  }
}

// Files are attached before the run has said its first word, which must be the first.
function createPluginNotices({ notice }: Reporter) {
  let early: string[] | undefined = []
  return {
    tell(words: string): void {
      if (early) early.push(words)
      else notice('plugin', words)
    },
    start(): void {
      for (const words of early ?? []) notice('plugin', words)
      early = undefined
    },
  }
}

/** What a person should know of jobs and of the processes that commands had left running. */
function describeEnded({ jobs, keptJobs, leftovers, survivors }: EndedCommands): string[] {
  const listJobs = (all: EndedCommands['jobs']) =>
    all.map(({ id, command, pid }) => `${id}: ${command} (pid ${pid})`).join(', ')
  const list = (processes: readonly Leftover[]) =>
    processes.map(({ pid, command }) => `${command} (pid ${pid})`).join(', ')
  return [
    ...(jobs.length > 0 ? [`Ended with the run: ${listJobs(jobs)}.`] : []),
    ...(keptJobs.length > 0 ? [`Still running, as was wished: ${listJobs(keptJobs)}.`] : []),
    ...(leftovers.length > 0 ? [`Ended what was left running: ${list(leftovers)}.`] : []),
    ...(survivors.length > 0 ? [`Still running, as it could not be ended: ${list(survivors)}.`] : []),
  ]
}
