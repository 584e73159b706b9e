// `deckhand run`: one turn in a folder.
import { type ChosenModel, chooseProvider, toErrorFacts } from '@deckhand/agent'
import { type ErrorFacts, isAbort, messageOf, type Session } from '@deckhand/core'
import type { CliContext } from '../cli-context.ts'
import { refuseForeignAddress } from '../config/foreign-address.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { withStore } from '../open-store.ts'
import { loadTrustedConfig } from '../permission/project-trust.ts'
import { chooseMode } from '../permission-mode.ts'
import { resolvePlaces } from '../places.ts'
import { endDespitePlugins } from '../plugin/end-despite-plugins.ts'
import { openPlugins } from '../plugin/open-plugins.ts'
import { createTrustQuestion } from '../terminal/ask-trust.ts'
import { exitCodes, resolveErrorCode, resolveExitCode } from '../terminal/exit-codes.ts'
import { resolveAgent } from './agent-choice.ts'
import { findSession } from './find-session.ts'
import { type Interrupts, listenForInterrupts } from './interrupts.ts'
import { postponeTierUp } from './postpone-tier-up.ts'
import { createReporter } from './reporter.ts'
import { readRequest, resolveModeOption } from './request.ts'
import type { RunOptions } from './run-options.ts'
import { runPlannedTurn } from './run-turn.ts'

/** Runs a turn and gives the exit code. What can't even begin is told on stderr, and with JSON lines as their last line too. */
export async function run(words: readonly string[], options: RunOptions, context: CliContext): Promise<number> {
  const reporter = createReporter(options, context)
  const interrupts = listenForInterrupts(context.stdout, () => {
    reporter.interrupt()
    process.exit(exitCodes.interrupted)
  })
  let hasPlugins = false
  try {
    const { prompt, notices } = await readRequest(words, options, context, interrupts.signal)
    return await withStore(context, async store => {
      const found = await findSession(options, prompt, store, context)
      const { session } = found
      // A session that is not stored can't be found by the id that an early failure would name.
      if (found.isStored) reporter.session(session)
      const { env, home } = context
      const canAsk = options.format === 'text' && context.stdin.isTTY === true && context.stderr.isTTY === true
      const ask = canAsk ? askTrust(interrupts, context) : undefined
      const loaded = await loadTrustedConfig(session.directory, { store, ask }, context)
      interrupts.signal.throwIfAborted()
      const { config } = loaded
      hasPlugins = loaded.plugins.length > 0
      const agent = await resolveAgent(options.agent, config, { env, home, directory: session.directory })
      const chosen = await chooseMode(
        {
          mode: resolveModeOption(options) ?? agent.mode ?? config.mode,
          isSandboxEnabled: config.sandbox.enabled,
          directory: session.directory,
        },
        context,
      )
      const outcome = await runPlannedTurn(
        {
          session,
          saveSession: found.save,
          prompt,
          files: options.file ?? [],
          notices: [...notices, ...found.notices, ...loaded.notices, ...chosen.notices],
          loaded,
          model: await chooseModel(options.model ?? agent.model, session, loaded, options, context),
          agent,
          mode: chosen.mode,
          sandbox: chosen.sandbox,
          canAsk,
          keepsJobs: options.keepJobs ?? false,
          plugins: await openPlugins(session.directory, loaded, context, interrupts.signal),
          limits: {
            maxSteps: options.maxSteps ?? agent.maxSteps ?? config.limits.maxSteps,
            timeoutMs: options.timeout === undefined ? config.limits.turnTimeoutMs : options.timeout * 1000,
          },
        },
        { store, reporter, interrupts, context },
      )
      return resolveExitCode(outcome)
    })
  } catch (error) {
    const isInterrupted = interrupts.signal.aborted && isAbort(error)
    reporter.fail(isInterrupted ? interruptedFacts : toErrorFacts(error))
    if (options.format === 'json') context.stderr.write(`deckhand: ${messageOf(error)}\n`)
    return isInterrupted ? exitCodes.interrupted : resolveErrorCode(error)
  } finally {
    interrupts.stop()
    if (hasPlugins) endDespitePlugins(context)
  }
}

/** Interrupted before the turn began: while standard input was read, or a file was attached. */
const interruptedFacts: ErrorFacts = { name: 'InterruptedError', data: { message: 'The run was interrupted.' } }

function askTrust({ interrupt }: Interrupts, { stdin, stderr }: CliContext) {
  return createTrustQuestion({ input: stdin, output: stderr, onInterrupt: interrupt })
}

async function chooseModel(
  model: string | undefined,
  session: Session,
  loaded: LoadedConfig,
  { record }: RunOptions,
  { env, home, cwd, fetch, clock }: CliContext,
): Promise<ChosenModel> {
  const { config } = loaded
  const chosen = await chooseProvider({
    model,
    config,
    env,
    workspace: session.directory,
    directory: cwd,
    home,
    dataDirectory: resolvePlaces(env, home).dataDirectory,
    record,
    fetch: postponeTierUp(fetch),
    clock,
  })
  const isFile = /^(script|replay)\//.test(model ?? config.model ?? '')
  if (!isFile) refuseForeignAddress(chosen.model.providerID, loaded)
  return chosen
}
