import { readFile } from 'node:fs/promises'
import {
  type Clock,
  ConfigError,
  messageOf,
  noTokens,
  ProviderError,
  systemClock,
  type TokenUsage,
} from '@deckhand/core'
import type { ModelEvent, ModelMessage, ModelProvider, ModelRequest } from '../contract.ts'
import { listCalls, parseScript, type Script, type ScriptFailure, type ScriptStep } from './script.ts'

export interface ScriptedSettings {
  /** Stands for `{workspace}` in the script. */
  readonly workspace: string
  readonly clock?: Clock
  /** Between two pieces of text, so that a person can watch; default 0. */
  readonly pieceDelayMs?: number
  /** The model's name; default the file's. */
  readonly modelID?: string
}

/**
 * Opens a script (`--model script/FILE`): a model that needs no network and says the same each time, for demos, tests
 * and CI. ConfigError when the file can't be read or a step is wrong.
 */
export async function openScript(file: string, settings: ScriptedSettings): Promise<ModelProvider> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new ConfigError(
      'unreadable',
      `The script ${file} can't be read: ${messageOf(error)}.`,
      { file },
      { cause: error },
    )
  }
  return createScriptedProvider(await parseScript(text, file), file, settings)
}

/**
 * Makes the model of a script that was read. Each request takes the next step. ProviderError `script` when the steps
 * have run out or the request is not as the step expects.
 */
export function createScriptedProvider(script: Script, name: string, settings: ScriptedSettings): ModelProvider {
  const clock = settings.clock ?? systemClock
  const modelID = settings.modelID ?? name
  const facts = { provider: 'script', model: modelID }
  let position = 0

  const fail = (words: string) => new ProviderError('script', words, { ...facts, retryable: false })
  const take = (): ScriptStep => {
    const step = script[position]
    if (!step) {
      throw fail(
        `The script ${name} has ${script.length} step${script.length === 1 ? '' : 's'}; request ${position + 1} came. Add a step, or end the turn with one that calls no tool.`,
      )
    }
    position++
    return fillIn(step, settings.workspace)
  }

  return {
    providerID: 'script',
    modelID,
    capabilities: { acceptsImages: true },
    async *stream(request, signal) {
      signal.throwIfAborted()
      const step = take()
      checkExpectations(step, request, words => fail(`The script ${name}, step ${position}: ${words}`))
      if (step.wait) await clock.sleep(step.wait, signal)
      for (const event of describeStep(step, countCalls(request.messages))) {
        if (isPiece(event) && settings.pieceDelayMs) await clock.sleep(settings.pieceDelayMs, signal)
        signal.throwIfAborted()
        yield event
      }
      if (step.fail) throw createFailure(step.fail, facts)
      yield { type: 'finish', reason: step.call ? 'tool-calls' : 'stop', tokens: toTokens(step) }
    },
  }
}

function fillIn<T>(value: T, workspace: string): T {
  if (typeof value === 'string') return value.replaceAll('{workspace}', workspace) as T
  if (Array.isArray(value)) return value.map(item => fillIn(item, workspace)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, workspace)])) as T
}

function checkExpectations(step: ScriptStep, request: ModelRequest, fail: (words: string) => Error): void {
  if (step.expect === undefined) return
  const { text, what } = readLast(request.messages)
  for (const expected of [step.expect].flat()) {
    if (!text.includes(expected)) {
      throw fail(`${what} should contain ${JSON.stringify(expected)}, but it is:\n${cutMiddle(text)}`)
    }
  }
}

function readLast(messages: readonly ModelMessage[]): { text: string; what: string } {
  const last = messages.findLast(message => message.role !== 'assistant')
  if (last?.role === 'tool') {
    return { text: last.content.map(result => result.output).join('\n'), what: 'the last tool result' }
  }
  const texts = last?.role === 'user' ? last.content.flatMap(part => (part.type === 'text' ? [part.text] : [])) : []
  return { text: texts.join('\n'), what: "the user's last message" }
}

function cutMiddle(text: string): string {
  if (text === '') return '(empty)'
  return text.length <= 2_000 ? text : `${text.slice(0, 1_000)}\n[…]\n${text.slice(-1_000)}`
}

function* describeStep(step: ScriptStep, earlierCalls: number): Generator<ModelEvent> {
  yield* describeBlock('reasoning', step.think)
  yield* describeBlock('text', step.say)
  // Half a stream has no calls: a call comes whole or not at all.
  if (step.fail) return
  for (const [index, { tool, args }] of listCalls(step).entries()) {
    yield { type: 'tool-call', callID: `call_${earlierCalls + index + 1}`, tool, input: JSON.stringify(args) }
  }
}

function* describeBlock(kind: 'reasoning' | 'text', text: string | undefined): Generator<ModelEvent> {
  if (!text) return
  const id = `${kind}-1`
  yield { type: `${kind}-start`, id }
  // Pieces of a few words, as models send them, with the spaces kept.
  for (const piece of text.match(/\S*\s*\S*\s*/gu) ?? []) {
    if (piece !== '') yield { type: `${kind}-delta`, id, text: piece }
  }
  yield { type: `${kind}-end`, id }
}

function isPiece(event: ModelEvent): boolean {
  return event.type === 'text-delta' || event.type === 'reasoning-delta'
}

// Numbered through the conversation, so that ids stay unique when a session goes on with the same script.
function countCalls(messages: readonly ModelMessage[]): number {
  return messages
    .flatMap(message => (message.role === 'assistant' ? message.content : []))
    .filter(part => part.type === 'tool-call').length
}

function createFailure(failure: ScriptFailure, facts: { provider: string; model: string }): ProviderError {
  if (failure === 'drop') {
    return new ProviderError('stream-cut', 'The answer of script broke off: the script says so.', {
      ...facts,
      retryable: true,
    })
  }
  const { status, message, retryAfterMs } = failure
  const retryable = status === 408 || status === 409 || status === 429 || status >= 500
  return new ProviderError(resolveCode(status), `script (${status}): ${message}`, {
    ...facts,
    status,
    retryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

function resolveCode(status: number): ProviderError['code'] {
  switch (status) {
    case 401:
    case 403:
      return 'auth'
    case 402:
      return 'quota'
    case 404:
      return 'not-found'
    case 408:
      return 'timeout'
    case 413:
      return 'context-limit'
    case 429:
      return 'rate-limit'
    case 503:
    case 529:
      return 'overloaded'
    default:
      return status >= 500 || status === 409 ? 'server' : 'bad-request'
  }
}

function toTokens({ usage }: ScriptStep): TokenUsage {
  if (!usage) return noTokens
  const { input, output, reasoning, cacheRead, cacheWrite } = usage
  return {
    total: input + cacheRead + cacheWrite + output,
    input,
    output,
    reasoning,
    cache: { read: cacheRead, write: cacheWrite },
  }
}
