import {
  type AssistantMessage,
  createId,
  type FinishReason,
  type MessageID,
  noTokens,
  type Part,
  type StepFinishPart,
  type TokenUsage,
  type ToolPart,
} from '@deckhand/core'
import type { ModelMessage, ModelProvider } from '../provider/contract.ts'
import { BrokenStep, collectStep, type StepContent } from './collect-step.ts'
import { toErrorFacts } from './error-facts.ts'
import { type RetryLimits, withRetries } from './retry.ts'
import { createToolParts, runToolCalls, type ToolCallDeps } from './tool-calls.ts'

export interface StepDeps extends ToolCallDeps {
  readonly provider: ModelProvider
  readonly retry: RetryLimits
  readonly system: string
  readonly agent: string
}

/** What a step brought, as it is stored. */
export interface StepResult {
  readonly message: AssistantMessage
  readonly parts: readonly Part[]
  readonly reason: FinishReason
  readonly hasCalls: boolean
}

/** What the turn wants to know and decide while a step goes on. */
export interface StepHooks {
  /** The answer is whole and stored; its tokens are spent, whatever becomes of its calls. */
  onContent(content: StepContent, cost: number): void
  /** Asked before calls run; what it throws ends the turn with the calls closed. */
  onCalls(content: StepContent): Promise<void>
}

/**
 * One step: ask the model (again, where that helps), store what came, run its calls, store how it ended.
 */
export async function runStep(
  messages: readonly ModelMessage[],
  deps: StepDeps,
  hooks: StepHooks,
): Promise<StepResult> {
  const step = createStepRecord(deps)
  try {
    const content = await askModel(messages, step, deps)
    const toolParts = await step.recordContent(content)
    hooks.onContent(content, step.costOf(content))
    const ended = toolParts.length === 0 ? [] : await runCalls(toolParts, content, deps, hooks)
    return await step.recordFinish(content, ended)
  } catch (error) {
    await step.recordFailure(error, deps.signal)
    throw error instanceof BrokenStep ? error.cause : error
  }
}

function askModel(messages: readonly ModelMessage[], step: StepRecord, deps: StepDeps): Promise<StepContent> {
  const { provider, system, tools, recorder, clock, signal, retry } = deps
  const request = { system, messages, tools: tools.specs(), sessionID: recorder.sessionID }
  return withRetries(
    async () => {
      try {
        const stream = provider.stream(request, signal)
        return await collectStep(stream, { ...step.ids, clock, onFirst: step.recordStart, onLive: recorder.live })
      } catch (error) {
        if (!(error instanceof BrokenStep)) throw error
        await step.recordHalves(error)
        throw error.cause
      }
    },
    {
      limits: retry,
      clock,
      signal,
      onRetry: async ({ error, ...notice }) => {
        recorder.live({ type: 'text-reset' })
        await recorder.record({ type: 'retry', ...notice, error: toErrorFacts(error) })
      },
    },
  )
}

async function runCalls(
  parts: readonly ToolPart[],
  content: StepContent,
  deps: StepDeps,
  { onCalls }: StepHooks,
): Promise<readonly ToolPart[]> {
  try {
    await onCalls(content)
  } catch (error) {
    await closeCalls(parts, 'Not run: the turn was ended before it.', deps)
    throw error
  }
  return runToolCalls(parts, deps)
}

/** Gives calls that will not run an end, so that the history stays one that providers take. */
async function closeCalls(parts: readonly ToolPart[], error: string, { recorder, clock }: StepDeps): Promise<void> {
  const now = clock.now()
  await recorder.record(
    ...parts.map(part => ({
      type: 'part.updated' as const,
      part: {
        ...part,
        state: { status: 'error' as const, input: part.state.input, error, time: { start: now, end: now } },
      },
    })),
  )
}

type StepRecord = ReturnType<typeof createStepRecord>

/** Writes one step's message and parts: the start at the first sign of life, the content when it is whole, the finish. */
function createStepRecord({ recorder, provider, clock, agent }: StepDeps) {
  const { sessionID } = recorder
  const messageID: MessageID = createId('message')
  const started: Part[] = []
  let whole: StepContent | undefined
  const message: AssistantMessage = {
    id: messageID,
    sessionID,
    role: 'assistant',
    agent,
    model: { providerID: provider.providerID, modelID: provider.modelID },
    tokens: noTokens,
    cost: 0,
    time: { created: clock.now() },
  }

  async function recordStart(): Promise<void> {
    if (started.length > 0) return
    const part: Part = { id: createId('part'), sessionID, messageID, type: 'step-start' }
    started.push(part)
    await recorder.record({ type: 'message.updated', message }, { type: 'part.updated', part })
  }

  return {
    ids: { sessionID, messageID },
    recordStart,

    async recordHalves({ halves }: BrokenStep): Promise<void> {
      await recorder.record(...halves.map(part => ({ type: 'part.updated' as const, part })))
    },

    /** Stores the text and the calls in one go, before any call starts. */
    async recordContent(content: StepContent): Promise<readonly ToolPart[]> {
      whole = content
      const toolParts = createToolParts(content.calls, sessionID, messageID, clock.now())
      await recorder.record(...[...content.parts, ...toolParts].map(part => ({ type: 'part.updated' as const, part })))
      return toolParts
    },

    costOf: ({ tokens }: StepContent): number => computeCost(tokens, provider),

    async recordFinish(content: StepContent, ended: readonly ToolPart[]): Promise<StepResult> {
      const reason = content.calls.length > 0 ? 'tool-calls' : content.reason
      const finish = createFinish(content, reason)
      const finished = { ...message, tokens: content.tokens, cost: finish.cost, finish: reason, time: completedNow() }
      await recorder.record({ type: 'part.updated', part: finish }, { type: 'message.updated', message: finished })
      const parts = [...started, ...content.parts, ...ended, finish]
      return { message: finished, parts, reason: content.reason, hasCalls: content.calls.length > 0 }
    },

    /** Where nothing had come yet there is no message to mark. The tokens of a whole answer are spent all the same. */
    async recordFailure(error: unknown, signal: AbortSignal): Promise<void> {
      if (started.length === 0) return
      const facts = signal.aborted
        ? { name: 'MessageAbortedError', data: { message: 'Cancelled.' } }
        : toErrorFacts(error)
      const failed: AssistantMessage = { ...message, error: facts, time: completedNow() }
      if (!whole) return recorder.record({ type: 'message.updated', message: failed })
      const finish = createFinish(whole, signal.aborted ? 'cancelled' : 'error')
      await recorder.record(
        { type: 'part.updated', part: finish },
        {
          type: 'message.updated',
          message: { ...failed, tokens: whole.tokens, cost: finish.cost, finish: finish.reason },
        },
      )
    },
  }

  function completedNow() {
    return { ...message.time, completed: clock.now() }
  }

  function createFinish({ tokens }: StepContent, reason: FinishReason): StepFinishPart {
    return {
      id: createId('part'),
      sessionID,
      messageID,
      type: 'step-finish',
      reason,
      tokens,
      cost: computeCost(tokens, provider),
    }
  }
}

/** US dollars; 0 where the price is not known. */
function computeCost(tokens: TokenUsage, { capabilities: { price } }: ModelProvider): number {
  if (!price) return 0
  const perMillion =
    tokens.input * price.input +
    tokens.output * price.output +
    tokens.cache.read * price.cacheRead +
    tokens.cache.write * price.cacheWrite
  return perMillion / 1_000_000
}
