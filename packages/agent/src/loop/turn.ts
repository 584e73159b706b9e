// One turn: a person's message to the model's last answer. Steps are in step.ts, calls in tool-calls.ts.
import {
  addTokens,
  type Clock,
  createId,
  type ModelRef,
  noTokens,
  PermissionDenied,
  type PermissionQuestion,
  type Session,
  type SessionStore,
  type TokenUsage,
  type ToolSet,
  type TurnID,
  type TurnOutcome,
  type TurnOwner,
} from '@deckhand/core'
import type { ModelMessage, ModelProvider } from '../provider/contract.ts'
import type { SessionRecorder } from '../run/recorder.ts'
import type { StepContent } from './collect-step.ts'
import { createDoomLoopWatch, type DoomLoopWatch, doomLoopLimit } from './doom-loop.ts'
import { toErrorFacts } from './error-facts.ts'
import { buildModelMessages } from './history.ts'
import { recoverInterrupted } from './recover.ts'
import type { RetryLimits } from './retry.ts'
import { runStep, type StepDeps, type StepHooks, type StepResult } from './step.ts'
import type { PermissionGate } from './tool-calls.ts'
import { createUserMessage, type PromptPart } from './user-message.ts'

/** What a session's turns are run with. */
export interface TurnDeps {
  readonly store: SessionStore
  readonly recorder: SessionRecorder
  readonly provider: ModelProvider
  readonly tools: ToolSet
  /** Asked by tools, and (permission `doom_loop`) when the model repeats itself. */
  readonly gate: PermissionGate
  readonly clock: Clock
  readonly retry: RetryLimits
  readonly system: string
}

export interface TurnInput {
  readonly session: Session
  readonly prompt: readonly PromptPart[]
  readonly agent: string
  readonly limits: TurnLimits
  /** Aborts on cancel. */
  readonly signal: AbortSignal
  readonly owner: TurnOwner
  readonly isAlive: (owner: TurnOwner) => boolean
}

export interface TurnLimits {
  readonly maxSteps: number
  /** Without it, no limit. */
  readonly timeoutMs?: number
}

/**
 * Runs one turn and says how it ended; a failure of the model is an outcome, not an exception.
 * Throws SessionError `busy` when another process holds the session's turn, and StoreError when nothing can be kept.
 */
export async function runTurn(deps: TurnDeps, input: TurnInput): Promise<TurnOutcome> {
  const { store, recorder } = deps
  await store.claimTurn(input.session.id, input.owner, input.isAlive)
  try {
    const turnID = createId('turn')
    const messages = await openTurn(turnID, deps, input)
    const outcome = await runSteps(messages, deps, input)
    await recorder.record({ type: 'turn.ended', turnID, outcome })
    return outcome
  } finally {
    await store.releaseTurn(input.session.id, input.owner)
  }
}

/** Closes what a killed process left open, stores the person's message, and gives all that the model is to see. */
async function openTurn(turnID: TurnID, deps: TurnDeps, input: TurnInput): Promise<ModelMessage[]> {
  const { store, recorder, provider, clock } = deps
  const history = await recoverInterrupted(await store.messages(input.session.id), recorder, clock)
  const model: ModelRef = { providerID: provider.providerID, modelID: provider.modelID }
  const user = createUserMessage(input.prompt, {
    sessionID: input.session.id,
    agent: input.agent,
    model,
    now: clock.now(),
  })
  await recorder.record(
    { type: 'turn.started', turnID },
    { type: 'message.updated', message: user.info },
    ...user.parts.map(part => ({ type: 'part.updated' as const, part })),
  )
  return buildModelMessages([...history, user], provider.providerID)
}

/** Sums over a turn's steps. */
interface TurnTotals {
  text: string
  tokens: TokenUsage
  cost: number
  steps: number
  unanswered: number
}

async function runSteps(messages: ModelMessage[], deps: TurnDeps, input: TurnInput): Promise<TurnOutcome> {
  const totals: TurnTotals = { text: '', tokens: noTokens, cost: 0, steps: 0, unanswered: 0 }
  const timeLimit = createTimeLimit(input.limits.timeoutMs)
  const signal = AbortSignal.any([input.signal, timeLimit.signal])
  const gate = countUnanswered(deps.gate, totals)
  const stepDeps: StepDeps = { ...deps, gate, agent: input.agent, signal }
  const watch = createDoomLoopWatch()
  const hooks: StepHooks = {
    onContent: (content, cost) => addContent(totals, content, cost),
    onCalls: createLoopGuard(watch, gate, signal),
  }
  try {
    for (;;) {
      signal.throwIfAborted()
      if (totals.steps >= input.limits.maxSteps)
        return { ...totals, reason: 'step-limit', limit: input.limits.maxSteps }
      const step = await runStep(messages, stepDeps, hooks)
      recordAnswers(watch, step)
      const end = evaluateEnd(step)
      if (end) return { ...totals, ...end }
      messages.push(...buildModelMessages([{ info: step.message, parts: step.parts }], deps.provider.providerID))
    }
  } catch (error) {
    if (input.signal.aborted) return { ...totals, reason: 'cancelled' }
    if (timeLimit.signal.aborted) return { ...totals, reason: 'time-limit', limitMs: input.limits.timeoutMs ?? 0 }
    if (error instanceof DoomLoop) return { ...totals, reason: 'doom-loop', tool: error.tool, times: doomLoopLimit }
    return { ...totals, reason: 'error', error: toErrorFacts(error) }
  } finally {
    timeLimit.stop()
  }
}

function createTimeLimit(timeoutMs: number | undefined): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  const expire = () => controller.abort(new DOMException('The turn reached its time limit.', 'TimeoutError'))
  const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs)
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}

function addContent(totals: TurnTotals, { parts, tokens }: StepContent, cost: number): void {
  totals.steps++
  totals.tokens = addTokens(totals.tokens, tokens)
  totals.cost += cost
  totals.text = parts
    .filter(part => part.type === 'text')
    .map(part => part.text)
    .join('\n\n')
}

/** Is the turn over with this step? */
function evaluateEnd({
  reason,
  hasCalls,
}: StepResult): { reason: 'done' } | { reason: 'output-limit' } | ContentFiltered | undefined {
  if (hasCalls) return undefined
  switch (reason) {
    case 'length':
      return { reason: 'output-limit' }
    case 'content-filter':
      return {
        reason: 'error',
        error: {
          name: 'ContentFilterError',
          data: {
            message:
              'The provider withheld the rest of the answer (content filter). Word the request differently, or use another model.',
          },
        },
      }
    default:
      return { reason: 'done' }
  }
}
type ContentFiltered = { reason: 'error'; error: { name: string; data: { message: string } } }

/** Notes each question that nobody could answer; the turn's exit code tells of it. */
function countUnanswered(gate: PermissionGate, totals: TurnTotals): PermissionGate {
  return {
    evaluate: gate.evaluate,
    async check(question, signal) {
      try {
        await gate.check(question, signal)
      } catch (error) {
        if (error instanceof PermissionDenied && (error.code === 'nobody-to-ask' || error.code === 'expired'))
          totals.unanswered++
        throw error
      }
    },
  }
}

class DoomLoop extends Error {
  readonly tool: string

  constructor(tool: string) {
    super(`the same call of ${tool} came ${doomLoopLimit} times in a row`)
    this.tool = tool
  }
}

/** Before a step's calls run: a call that repeats for the third time goes on only if somebody says so. */
function createLoopGuard(
  watch: DoomLoopWatch,
  gate: PermissionGate,
  signal: AbortSignal,
): (content: StepContent) => Promise<void> {
  return async ({ calls }) => {
    for (const { tool, input, callID } of calls) {
      if (!watch.isLoop(tool, input)) continue
      try {
        await gate.check(loopQuestion(tool, input, callID), signal)
      } catch (error) {
        throw error instanceof PermissionDenied ? new DoomLoop(tool) : error
      }
    }
  }
}

function recordAnswers(watch: DoomLoopWatch, { parts }: StepResult): void {
  for (const part of parts) {
    if (part.type !== 'tool') continue
    const { state } = part
    if (state.status === 'completed') watch.recordAnswer(part.tool, state.input, state.output)
    if (state.status === 'error') watch.recordAnswer(part.tool, state.input, state.error)
  }
}

function loopQuestion(tool: string, input: unknown, callID: string): PermissionQuestion {
  return {
    tool,
    callID,
    title: `The model asks for the same call of ${tool} for the ${doomLoopLimit}rd time in a row. Let it go on?`,
    parts: [{ permission: 'doom_loop', pattern: tool, effect: 'execute' }],
    metadata: { input },
  }
}
