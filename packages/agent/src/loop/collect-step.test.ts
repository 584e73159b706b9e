import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createId, noTokens, systemClock } from '@deckhand/core'
import type { ModelEvent } from '../provider/contract.ts'
import type { LiveEvent } from '../run/recorder.ts'
import { BrokenStep, collectStep } from './collect-step.ts'

const finish: ModelEvent = { type: 'finish', reason: 'stop', tokens: noTokens }

async function* stream(events: readonly ModelEvent[], error?: Error): AsyncGenerator<ModelEvent> {
  yield* events
  if (error) throw error
}

function collect(events: AsyncIterable<ModelEvent>, live: LiveEvent[] = [], firsts: string[] = []) {
  const ids = { sessionID: createId('session'), messageID: createId('message') }
  return collectStep(events, {
    ...ids,
    clock: systemClock,
    onFirst: async () => void firsts.push('first'),
    onLive: event => live.push(event),
  })
}

test('text and thoughts come in the order in which they began, calls with their parsed arguments', async () => {
  const live: LiveEvent[] = []
  const firsts: string[] = []
  const content = await collect(
    stream([
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', text: 'hm' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', text: 'Hel' },
      { type: 'text-delta', id: '0', text: 'lo' },
      { type: 'reasoning-end', id: '0', metadata: { p: { signature: 's' } } },
      { type: 'text-end', id: '0' },
      { type: 'tool-call', callID: 'c1', tool: 'read', input: '{"path":"a"}' },
      { ...finish, reason: 'tool-calls' },
    ]),
    live,
    firsts,
  )
  assert.deepEqual(
    content.parts.map(({ type, text, metadata }) => ({ type, text, metadata })),
    [
      { type: 'reasoning', text: 'hm', metadata: { p: { signature: 's' } } },
      { type: 'text', text: 'Hello', metadata: undefined },
    ],
  )
  assert.deepEqual(content.calls, [{ callID: 'c1', tool: 'read', input: { path: 'a' } }])
  assert.deepEqual(live, [
    { type: 'reasoning-delta', text: 'hm' },
    { type: 'text-delta', text: 'Hel' },
    { type: 'text-delta', text: 'lo' },
    { type: 'text-end' },
  ])
  assert.deepEqual(firsts, ['first'])
})

test('call ids are unique within an answer, whatever the server sends', async () => {
  const call = { type: 'tool-call' as const, callID: 'same', tool: 'read', input: '{}' }
  const { calls } = await collect(stream([call, call, { ...call, callID: '' }, finish]))
  assert.equal(new Set(calls.map(({ callID }) => callID)).size, 3)
  assert.ok(calls.every(({ callID }) => callID !== ''))
})

test('core.providers: a stream that breaks gives the half text, and no call', async () => {
  const cut = new Error('cut')
  const broken = collect(
    stream(
      [
        { type: 'text-delta', id: '0', text: 'It is th' },
        { type: 'tool-call', callID: 'c', tool: 'read', input: '{}' },
      ],
      cut,
    ),
  )
  await assert.rejects(broken, error => {
    assert.ok(error instanceof BrokenStep)
    assert.equal(error.cause, cut)
    assert.deepEqual(
      error.halves.map(({ text, interrupted }) => ({ text, interrupted })),
      [{ text: 'It is th', interrupted: true }],
    )
    return true
  })
})

test('arguments that are no JSON are kept as they came', async () => {
  const { calls } = await collect(
    stream([{ type: 'tool-call', callID: 'c', tool: 'read', input: '{"path": "a' }, finish]),
  )
  assert.equal(calls[0]?.input, '{"path": "a')
})
