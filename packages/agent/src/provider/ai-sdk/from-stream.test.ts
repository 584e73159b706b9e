import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { ModelEvent } from '../contract.ts'
import { createStreamTranslator, type Translated, toTokens } from './from-stream.ts'

const noUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}
const finish = (unified: 'stop' | 'length' | 'error' | 'interrupted' | 'tool-calls'): LanguageModelV4StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw: undefined },
  usage: noUsage,
})
const call = (toolCallId: string): LanguageModelV4StreamPart => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'read',
  input: '{}',
})
const zero = { total: 0, input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

function translateAll(parts: readonly LanguageModelV4StreamPart[], used: string[] = []) {
  const translate = createStreamTranslator(used)
  return parts.flatMap((part): (ModelEvent | Exclude<Translated, { events: unknown }>)[] => {
    const result = translate(part)
    return 'events' in result ? [...result.events] : [result]
  })
}

describe('stream parts to events', () => {
  it('metadata of a whole block is told at its end', () => {
    const events = translateAll([
      { type: 'reasoning-start', id: '1', providerMetadata: { openai: { itemId: 'rs' } } },
      { type: 'reasoning-delta', id: '1', delta: 'Hm' },
      { type: 'reasoning-delta', id: '1', delta: '', providerMetadata: { anthropic: { signature: 's' } } },
      { type: 'reasoning-end', id: '1', providerMetadata: { openai: { sealed: 'x' } } },
    ])
    assert.deepEqual(events, [
      { type: 'reasoning-start', id: '1', metadata: { openai: { itemId: 'rs' } } },
      { type: 'reasoning-delta', id: '1', text: 'Hm' },
      {
        type: 'reasoning-end',
        id: '1',
        metadata: { openai: { itemId: 'rs', sealed: 'x' }, anthropic: { signature: 's' } },
      },
    ])
  })

  it('a block that has the id of an earlier one does not take its metadata', () => {
    const events = translateAll([
      { type: 'text-start', id: '0', providerMetadata: { a: { b: 1 } } },
      { type: 'text-end', id: '0' },
      { type: 'text-start', id: '0' },
      { type: 'text-end', id: '0' },
    ])
    assert.deepEqual(events.at(-1), { type: 'text-end', id: '0' })
  })

  it('calls that the end of a cut stream flushed out never come out', () => {
    for (const end of ['interrupted', 'error'] as const) {
      const types = translateAll([call('a'), call('b'), finish(end)]).map(event =>
        'type' in event ? event.type : 'broken' in event && event.broken,
      )
      assert.deepEqual(types, [end === 'error' ? 'finished-with-error' : 'cut'])
    }
  })

  it('calls keep their place among texts, and "stop" after calls means tool calls', () => {
    const events = translateAll([
      call('a'),
      { type: 'text-start', id: '1' },
      { type: 'text-end', id: '1' },
      call('b'),
      finish('stop'),
    ])
    assert.deepEqual(
      events.map(event => ('type' in event ? event.type : 'failure')),
      ['tool-call', 'text-start', 'text-end', 'tool-call', 'finish'],
    )
    assert.deepEqual(events.at(-1), { type: 'finish', reason: 'tool-calls', tokens: zero })
  })

  it('calls of the provider itself are not ours, and used ids get new ones', () => {
    const own: LanguageModelV4StreamPart = {
      type: 'tool-call',
      toolCallId: 'x',
      toolName: 'search',
      input: '{}',
      providerExecuted: true,
    }
    const events = translateAll([own, call('a'), call('a'), call('a_2'), finish('tool-calls')], ['a'])
    assert.deepEqual(
      events.flatMap(event => ('type' in event && event.type === 'tool-call' ? [event.callID] : [])),
      ['a_2', 'a_3', 'a_2_2'],
    )
  })

  it('errors and parts without a meaning for us', () => {
    const error = new Error('x')
    assert.deepEqual(
      translateAll([
        { type: 'stream-start', warnings: [] },
        { type: 'error', error },
      ]),
      [{ failure: error }],
    )
  })

  it('token counts are made whole from what is there', () => {
    assert.deepEqual(toTokens(noUsage), zero)
    const usage = { ...noUsage, inputTokens: { total: 100, noCache: undefined, cacheRead: 30, cacheWrite: undefined } }
    assert.deepEqual(toTokens({ ...usage, outputTokens: { total: undefined, text: 5, reasoning: 2 } }), {
      total: 107,
      input: 70,
      output: 7,
      reasoning: 2,
      cache: { read: 30, write: 0 },
    })
  })
})
