import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createId, type SessionEvent, type SessionStore } from '@deckhand/core'
import { createMemoryStore } from '@deckhand/store'
import { createSessionRecorder } from './recorder.ts'

const notice = (code: string): SessionEvent => ({ type: 'notice', code, message: code })

async function createStore() {
  const store = await createMemoryStore()
  const id = createId('session')
  await store.create({ id, title: 't', directory: '/w', time: { created: 1, updated: 1 } })
  return { store, id }
}

test('core.sessions: an event is told only after it was stored, in the order in which it was recorded', async () => {
  const { store, id } = await createStore()
  const stored: string[] = []
  const told: string[] = []
  const early: string[] = []
  const watched: SessionStore = {
    ...store,
    async append(session, events) {
      const seq = await store.append(session, events)
      for (const event of events) if (event.type === 'notice') stored.push(event.code)
      return seq
    },
  }
  const recorder = createSessionRecorder(watched, id, {
    onEvent(event) {
      if (event.type !== 'notice') return
      if (!stored.includes(event.code)) early.push(event.code)
      told.push(event.code)
    },
  })
  await Promise.all([recorder.record(notice('a'), notice('b')), recorder.record(notice('c'))])
  assert.deepEqual(early, [])
  assert.deepEqual(told, ['a', 'b', 'c'])
})

test('core.sessions: what could not be stored is told to nobody, and the next event is tried all the same', async () => {
  const { store, id } = await createStore()
  const told: string[] = []
  let isFull = true
  const failing: SessionStore = {
    ...store,
    async append(session, events) {
      if (isFull) throw new Error('no room')
      return store.append(session, events)
    },
  }
  const recorder = createSessionRecorder(failing, id, { onEvent: event => told.push(event.type) })
  await assert.rejects(recorder.record(notice('a')), /no room/)
  isFull = false
  await recorder.record({ type: 'session.updated', changes: { title: 'new' } })
  assert.deepEqual(told, ['session.updated'])
})
