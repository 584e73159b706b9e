// What every store promises, whatever it keeps sessions in. A new store runs this suite in its own test.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Approval,
  type Clock,
  createId,
  noTokens,
  type Session,
  SessionError,
  type SessionEvent,
  type SessionExport,
  type Store,
  systemClock,
  type TurnOwner,
  type VerdictRecord,
} from '@deckhand/core'
import fc from 'fast-check'
import { createRandomWriter } from './fixtures/random-writer.ts'
import { replayEvents } from './fixtures/replay-events.ts'
import {
  createAssistantMessage,
  createSampleSession,
  createSampleTurn,
  createTextPart,
  createUserMessage,
  sampleTokens,
} from './fixtures/sample-session.ts'

/** Opens an empty store; the suite closes it. */
export type OpenEmptyStore = (options: { readonly clock: Clock }) => Promise<Store>

/** Runs the suite; `kind` names the store in the titles. */
export function testStoreContract(kind: string, openEmpty: OpenEmptyStore): void {
  testSessions(kind, openEmpty)
  testEvents(kind, openEmpty)
  testMessages(kind, openEmpty)
  testProjection(kind, openEmpty)
  testCopies(kind, openEmpty)
  testImport(kind, openEmpty)
  testTurns(kind, openEmpty)
  testApprovals(kind, openEmpty)
  testAudit(kind, openEmpty)
  testTrust(kind, openEmpty)
}

/** Stands at `time`; tests move it by hand. */
type StandingClock = Clock & { time: number }

function createStandingClock(time: number): StandingClock {
  const clock: StandingClock = { ...systemClock, time, now: () => clock.time }
  return clock
}

async function withStore(openEmpty: OpenEmptyStore, act: (store: Store, clock: StandingClock) => Promise<void>) {
  const clock = createStandingClock(5000)
  const store = await openEmpty({ clock })
  try {
    await act(store, clock)
  } finally {
    await store.close()
  }
}

function testSessions(kind: string, openEmpty: OpenEmptyStore): void {
  const run = (title: string, act: (store: Store, clock: StandingClock) => Promise<void>) =>
    test(`core.sessions: ${title} (${kind})`, () => withStore(openEmpty, act))

  run('a session is given back as it was made, with all its fields or few', async store => {
    const few = createSampleSession()
    const all = createSampleSession({ parentID: few.id, model: { providerID: 'p', modelID: 'a/b:c' } })
    await store.create(few)
    await store.create(all)
    assert.deepEqual(await store.get(few.id), few)
    assert.deepEqual(await store.get(all.id), all)
    assert.deepEqual(await store.events(few.id, 0), [
      {
        sessionID: few.id,
        seq: 1,
        time: few.time.created,
        event: { type: 'session.created', session: few },
      },
    ])
  })

  run('making the same session twice is refused, and the first stays', async store => {
    const session = createSampleSession()
    await store.create(session)
    await assert.rejects(store.create({ ...session, title: 'Other' }), {
      name: 'SessionError',
      code: 'exists',
      message: `The session ${session.id} is here already. Delete it first, or leave it.`,
    })
    assert.deepEqual(await store.get(session.id), session)
    assert.equal((await store.events(session.id, 0)).length, 1)
  })

  run('a session that is not there is told, by every method that needs it', async store => {
    const id = createId('session')
    const missing = {
      name: 'SessionError',
      code: 'not-found',
      message: `There is no session ${id}. "deckhand session list" shows those that there are.`,
    }
    assert.equal(await store.get(id), undefined)
    await assert.rejects(store.append(id, [notice('a')]), missing)
    await assert.rejects(store.append(id, []), missing)
    await assert.rejects(store.events(id, 0), missing)
    await assert.rejects(store.messages(id), missing)
    await assert.rejects(store.fork(id, createSampleSession()), missing)
    await assert.rejects(store.export(id), missing)
    await assert.rejects(store.delete(id), missing)
    await assert.rejects(
      store.claimTurn(id, createOwner(), () => true),
      missing,
    )
    assert.deepEqual(await store.list(), [])
  })

  run('the list has the newest change first, with its sums, by directory and up to a limit', async (store, clock) => {
    const first = createSampleSession({ directory: '/a' })
    const second = createSampleSession({ directory: '/b' })
    const third = createSampleSession({ directory: '/a' })
    for (const session of [first, second, third]) await store.create(session)
    clock.time = first.time.updated + 1000
    await store.append(first.id, createSampleTurn(first.id).events)
    const ids = async (filter?: Parameters<Store['list']>[0]) => (await store.list(filter)).map(({ id }) => id)
    assert.deepEqual(await ids(), [first.id, third.id, second.id])
    assert.deepEqual(await ids({ directory: '/a' }), [first.id, third.id])
    assert.deepEqual(await ids({ directory: '/a', limit: 1 }), [first.id])
    assert.deepEqual(await ids({ limit: 2 }), [first.id, third.id])
    assert.deepEqual(await ids({ limit: 0 }), [])
    assert.deepEqual(await ids({ directory: '/' }), [])
    assert.deepEqual((await store.list({ limit: 1 }))[0], {
      ...first,
      time: { ...first.time, updated: clock.time },
      messages: 2,
      tokens: sampleTokens,
      cost: 0.25,
    })
    assert.deepEqual((await store.list())[2], { ...second, messages: 0, tokens: noTokens, cost: 0 })
  })

  run('the sums follow a message that is stored again and again', async store => {
    const session = createSampleSession()
    await store.create(session)
    const message = createAssistantMessage(session.id, { tokens: noTokens, cost: 0 })
    const grown = { ...message, tokens: sampleTokens, cost: 0.5 }
    for (const state of [message, grown, { ...grown, cost: 0.25 }, createAssistantMessage(session.id)])
      await store.append(session.id, [{ type: 'message.updated', message: state }])
    const [{ messages, tokens, cost } = assert.fail('no session')] = await store.list()
    assert.deepEqual(
      { messages, tokens, cost },
      {
        messages: 2,
        tokens: { total: 230, input: 200, output: 20, reasoning: 6, cache: { read: 10, write: 0 } },
        cost: 0.5,
      },
    )
  })

  run('title, model and directory can change, each alone', async (store, clock) => {
    const session = createSampleSession()
    await store.create(session)
    const model = { providerID: 'p', modelID: 'm' }
    for (const changes of [{ title: 'New' }, { model }, { directory: '/new' }, {}])
      await store.append(session.id, [{ type: 'session.updated', changes }])
    assert.deepEqual(await store.get(session.id), {
      ...session,
      title: 'New',
      model,
      directory: '/new',
      time: { ...session.time, updated: clock.time },
    })
  })

  run('a deleted session is gone with all that it had, its approvals too', async store => {
    const [session, other] = [createSampleSession(), createSampleSession()]
    const approval = createApproval({ scope: 'session', subject: session.id })
    for (const { id } of [session, other]) {
      await store.create(id === session.id ? session : other)
      await store.append(id, createSampleTurn(id).events)
      await store.addApproval({ ...approval, subject: id })
    }
    await store.claimTurn(session.id, createOwner(), () => true)
    const exported = await store.export(session.id)
    await store.delete(session.id)
    assert.equal(await store.get(session.id), undefined)
    assert.deepEqual(
      (await store.listApprovals()).map(({ subject }) => subject),
      [other.id],
    )
    assert.equal((await store.messages(other.id)).length, 2)
    // Nothing of it is left that would stand in the way of having it again.
    await store.import(exported)
    await store.claimTurn(session.id, createOwner({ pid: 2 }), () => true)
  })

  run('closing twice is fine', async store => {
    await store.close()
    await store.close()
  })
}

function testEvents(kind: string, openEmpty: OpenEmptyStore): void {
  const run = (title: string, act: (store: Store, clock: StandingClock) => Promise<void>) =>
    test(`core.sessions: ${title} (${kind})`, () => withStore(openEmpty, act))

  run('events are numbered from 1 without gaps, and read in pages from any number on', async (store, clock) => {
    const [session, other] = [createSampleSession(), createSampleSession()]
    await store.create(session)
    await store.create(other)
    assert.equal(await store.append(session.id, [notice('a'), notice('b')]), 3)
    assert.equal(await store.append(other.id, [notice('other')]), 2)
    clock.time = 6000
    assert.equal(await store.append(session.id, [notice('c')]), 4)
    const events = await store.events(session.id, 1)
    assert.deepEqual(events, [
      { sessionID: session.id, seq: 2, time: 5000, event: notice('a') },
      { sessionID: session.id, seq: 3, time: 5000, event: notice('b') },
      { sessionID: session.id, seq: 4, time: 6000, event: notice('c') },
    ])
    assert.deepEqual(await store.events(session.id, 1, 2), events.slice(0, 2))
    assert.deepEqual(await store.events(session.id, 3, 2), events.slice(2))
    assert.deepEqual(await store.events(session.id, 1, 0), [])
    assert.deepEqual(await store.events(session.id, 4), [])
    assert.deepEqual(await store.events(session.id, 99), [])
  })

  run('every kind of event comes back as it went in', async store => {
    const session = createSampleSession()
    await store.create(session)
    const { events } = createSampleTurn(session.id)
    await store.append(session.id, events)
    assert.deepEqual(
      (await store.events(session.id, 1)).map(({ event }) => event),
      events.map(withoutUndefined),
    )
  })

  run('no events to store change nothing, and give the last number', async store => {
    const session = createSampleSession()
    await store.create(session)
    assert.equal(await store.append(session.id, []), 1)
    assert.deepEqual(await store.get(session.id), session)
  })

  run('when one of several events can’t be stored, none is', async store => {
    const [session, other] = [createSampleSession(), createSampleSession()]
    await store.create(session)
    await store.create(other)
    const message = createUserMessage(other.id)
    const part = createTextPart(other.id, message.id, 'a')
    await store.append(other.id, [
      { type: 'message.updated', message },
      { type: 'part.updated', part },
    ])
    const own = createAssistantMessage(session.id)
    const batches: SessionEvent[][] = [
      [{ type: 'message.updated', message: own }, notice('a'), { type: 'message.updated', message }],
      [
        { type: 'session.updated', changes: { title: 'New' } },
        { type: 'part.updated', part },
      ],
    ]
    for (const batch of batches) await assert.rejects(store.append(session.id, batch), { code: 'exists' })
    assert.deepEqual(await store.get(session.id), session)
    assert.equal((await store.events(session.id, 0)).length, 1)
    assert.deepEqual(await store.messages(session.id), [])
    assert.deepEqual(
      (await store.list()).map(({ messages, cost }) => [messages, cost]),
      [
        [0, 0],
        [1, 0],
      ],
    )
    assert.deepEqual(await store.messages(other.id), [{ info: message, parts: [part] }])
    assert.equal(await store.append(session.id, [notice('after')]), 2)
  })

  run('appending at once from many places of one process keeps all, in order', async store => {
    const session = createSampleSession()
    await store.create(session)
    const numbers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => store.append(session.id, [notice(`${index}`)])),
    )
    assert.deepEqual(
      numbers,
      Array.from({ length: 50 }, (_, index) => index + 2),
    )
  })
}

function testMessages(kind: string, openEmpty: OpenEmptyStore): void {
  const run = (title: string, act: (store: Store, clock: StandingClock) => Promise<void>) =>
    test(`core.sessions: ${title} (${kind})`, () => withStore(openEmpty, act))

  run('messages come with their parts, each in the place where it began', async store => {
    const session = createSampleSession()
    await store.create(session)
    const turns = [createSampleTurn(session.id), createSampleTurn(session.id)]
    for (const { events } of turns) await store.append(session.id, events)
    const [first = assert.fail('no message')] = turns.flatMap(({ history }) => history)
    const changed = { ...first.info, agent: 'plan' }
    const [part = assert.fail('no part')] = first.parts
    const changedPart = { ...part, text: 'Changed.' }
    await store.append(session.id, [
      { type: 'message.updated', message: changed },
      { type: 'part.updated', part: changedPart as typeof part },
    ])
    const expected = turns.flatMap(({ history }) => history)
    expected[0] = { info: changed, parts: [changedPart as typeof part] }
    assert.deepEqual(await store.messages(session.id), expected)
  })

  run('parts that were stored in turns with those of another message stay with their own', async store => {
    const session = createSampleSession()
    await store.create(session)
    const messages = [createUserMessage(session.id), createUserMessage(session.id)]
    const parts = [0, 1, 0, 1].map(index =>
      createTextPart(session.id, messages[index]?.id ?? assert.fail(), `${index}`),
    )
    await store.append(session.id, [
      ...messages.map((message): SessionEvent => ({ type: 'message.updated', message })),
      ...parts.map((part): SessionEvent => ({ type: 'part.updated', part })),
    ])
    assert.deepEqual(
      (await store.messages(session.id)).map(message => message.parts),
      [
        [parts[0], parts[2]],
        [parts[1], parts[3]],
      ],
    )
  })
}

function testProjection(kind: string, openEmpty: OpenEmptyStore): void {
  test(`core.sessions: whatever is stored in whatever order, the messages and sums are what the events add up to (${kind})`, () =>
    withStore(openEmpty, store =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.array(fc.nat(9_999), { maxLength: 5 }), { maxLength: 12 }), async batches => {
          const session = createSampleSession()
          await store.create(session)
          const writer = createRandomWriter(session.id)
          for (const batch of batches) await store.append(session.id, batch.map(writer))
          const events = (await store.events(session.id, 0)).map(({ event }) => event)
          assert.equal(events.length, 1 + batches.flat().length)
          const { messages, tokens, cost } = replayEvents(events)
          assert.deepEqual(await store.messages(session.id), messages)
          const summary = (await store.list()).find(({ id }) => id === session.id)
          assert.deepEqual([summary?.messages, summary?.tokens, summary?.cost], [messages.length, tokens, cost])
          await store.delete(session.id)
        }),
        { numRuns: 40 },
      ),
    ))
}

function testCopies(kind: string, openEmpty: OpenEmptyStore): void {
  const run = (title: string, act: (store: Store, clock: StandingClock) => Promise<void>) =>
    test(`core.sessions: ${title} (${kind})`, () => withStore(openEmpty, act))

  run('a fork has the same messages and parts under new ids, and each goes its own way', async store => {
    const session = createSampleSession()
    await store.create(session)
    await store.append(session.id, createSampleTurn(session.id).events)
    const original = await store.messages(session.id)
    const copy = createSampleSession({ parentID: session.id, title: 'Copy', directory: '/copy' })
    await store.fork(session.id, copy)
    assert.deepEqual(await store.get(copy.id), copy)

    const forked = await store.messages(copy.id)
    assert.deepEqual(forked.map(withoutIds), original.map(withoutIds))
    for (const { info, parts } of forked) {
      assert.equal(info.sessionID, copy.id)
      for (const part of parts) assert.deepEqual([part.sessionID, part.messageID], [copy.id, info.id])
    }
    const idsOf = (history: typeof forked) =>
      history.flatMap(({ info, parts }) => [info.id, ...parts.map(({ id }) => id)])
    assert.equal(new Set([...idsOf(forked), ...idsOf(original)]).size, idsOf(original).length * 2)

    const [summary = assert.fail()] = (await store.list()).filter(({ id }) => id === copy.id)
    assert.deepEqual([summary.messages, summary.tokens, summary.cost], [2, sampleTokens, 0.25])
    await store.append(copy.id, createSampleTurn(copy.id).events)
    assert.deepEqual(await store.messages(session.id), original)
    await store.delete(session.id)
    assert.equal((await store.messages(copy.id)).length, 4)
  })

  run(
    'a fork of a session without messages is an empty session, and a fork onto one that is there is refused',
    async store => {
      const session = createSampleSession()
      await store.create(session)
      const copy = createSampleSession()
      await store.fork(session.id, copy)
      assert.deepEqual(await store.messages(copy.id), [])
      await assert.rejects(store.fork(session.id, copy), { code: 'exists' })
      await assert.rejects(store.fork(session.id, session), { code: 'exists' })
    },
  )

  run('an export that went through a file is imported as the same session', async (store, clock) => {
    const session = createSampleSession({ parentID: createId('session'), model: { providerID: 'p', modelID: 'm' } })
    await store.create(session)
    await store.append(session.id, createSampleTurn(session.id).events)
    await store.append(session.id, [{ type: 'session.updated', changes: { title: 'Later' } }])
    const before = await stateOf(store, session)
    const file = JSON.stringify(await store.export(session.id))
    await assert.rejects(store.import(JSON.parse(file)), { code: 'exists' })
    await store.delete(session.id)
    clock.time = 99_999
    assert.deepEqual(await store.import(JSON.parse(file)), before.session)
    assert.deepEqual(await stateOf(store, session), before)
    assert.equal(await store.append(session.id, [notice('on')]), before.events.length + 1)
  })

  run('an import whose messages are in another session already is refused whole', async store => {
    const session = createSampleSession()
    await store.create(session)
    const { events, history } = createSampleTurn(session.id)
    await store.append(session.id, events)
    const id = createId('session')
    const copy = JSON.parse(JSON.stringify(await store.export(session.id)).replaceAll(session.id, id))
    await assert.rejects(store.import(copy), {
      name: 'SessionError',
      code: 'exists',
      message: `The message ${history[0]?.info.id} is in another session already. Nothing was stored.`,
    })
    assert.equal(await store.get(id), undefined)
  })
}

function testImport(kind: string, openEmpty: OpenEmptyStore): void {
  test(`core.sessions: an import that is not as it should be names the place, and nothing of it is stored (${kind})`, () =>
    withStore(openEmpty, async store => {
      const session = createSampleSession()
      await store.create(session)
      await store.append(session.id, createSampleTurn(session.id).events)
      const good: SessionExport = JSON.parse(JSON.stringify(await store.export(session.id)))
      await store.delete(session.id)
      for (const [problem, data] of createBadImports(good)) {
        await assert.rejects(store.import(data), (error: unknown) => {
          assert.ok(error instanceof SessionError, String(error))
          assert.equal(error.code, 'invalid-import')
          assert.equal(error.message, `This is not a session that Deckhand exported: ${problem}. Nothing was imported.`)
          return true
        })
        assert.deepEqual(await store.list(), [])
      }
      await store.import(good)
    }))
}

/** What is wrong, and the import that has it. */
function createBadImports(good: SessionExport): [problem: string, data: unknown][] {
  const change = (path: string, value: unknown) => setAt(good, path.split('.'), value)
  const other = createId('session')
  return [
    ['format: it must be "deckhand-session"', undefined],
    ['format: it must be "deckhand-session"', 'text'],
    ['format: it must be "deckhand-session"', []],
    ['format: it must be "deckhand-session"', { info: {}, messages: [] }],
    ['version: it is 2, this program knows 1. Update Deckhand', change('version', 2)],
    ['session.id: it must be an id of a session', change('session.id', '../../etc')],
    ['session.title: Invalid input: expected string, received undefined', change('session.title', undefined)],
    ['session.time.updated: Invalid input: expected number, received string', change('session.time.updated', 'now')],
    ['events: Invalid input: expected array, received object', change('events', {})],
    ['events: Too small: expected array to have >=1 items', change('events', [])],
    ['events.1.seq: it must be 2, it is 7', change('events.1.seq', 7)],
    ['events.1.event.type: this kind is not known', change('events.1.event.type', 'later.kind')],
    ['events.2.sessionID: it must be an id of a session', change('events.2.sessionID', 'x')],
    ['events.2: it belongs to another session', change('events.2.sessionID', other)],
    ['events.2: it belongs to another session', change('events.2.event.message.sessionID', other)],
    ['events.3: it belongs to another session', change('events.3.event.part.sessionID', other)],
    ['events.0: it belongs to another session', change('session.id', other)],
    [
      'events.1.event.type: "session.created" must be the first event, and only the first',
      change('events.1.event', good.events[0]?.event),
    ],
    [
      'events.0.event.type: "session.created" must be the first event, and only the first',
      change('events.0.event', notice('a')),
    ],
    ['events.2.event.message.role: this kind is not known', change('events.2.event.message.role', 'system')],
    [
      'events.5.event.message.tokens.input: Too big: expected number to be <=1000000000000',
      change('events.5.event.message.tokens.input', 2 ** 52),
    ],
    ['events.3.event.part.type: this kind is not known', change('events.3.event.part.type', 'video')],
    [
      'events.10.event.part.state.output: Invalid input: expected string, received null',
      change('events.10.event.part.state.output', null),
    ],
    [
      'events.10.event.part.state.time.end: Invalid input: expected number, received undefined',
      change('events.10.event.part.state.time.end', undefined),
    ],
  ]
}

function testTurns(kind: string, openEmpty: OpenEmptyStore): void {
  const run = (title: string, act: (store: Store, session: Session) => Promise<void>) =>
    test(`core.sessions: ${title} (${kind})`, () =>
      withStore(openEmpty, async store => {
        const session = createSampleSession()
        await store.create(session)
        await act(store, session)
      }))

  run(
    'a turn that a living process holds is not given to another, which is told who holds it',
    async (store, { id }) => {
      const owner = createOwner({ since: Date.UTC(2026, 11, 1, 4, 5, 6) })
      await store.claimTurn(id, owner, () => true)
      const asked: TurnOwner[] = []
      const claim = store.claimTurn(id, createOwner({ pid: 2 }), holder => {
        asked.push(holder)
        return true
      })
      await assert.rejects(claim, {
        name: 'SessionError',
        code: 'busy',
        message: `The session ${id} is busy: process 1 on host has been working on it since 2026-12-01T04:05:06.000Z. Wait for it, end it, or go on in a copy with --fork.`,
        data: { id, owner },
      })
      assert.deepEqual(asked, [owner])
      // The same process may not run two turns at once either.
      await assert.rejects(
        store.claimTurn(id, owner, () => true),
        { code: 'busy' },
      )
    },
  )

  run('a turn whose owner is dead goes to the next, and the dead one can’t give it back', async (store, { id }) => {
    const [dead, next] = [createOwner(), createOwner({ pid: 2 })]
    await store.claimTurn(id, dead, () => true)
    await store.claimTurn(id, next, () => false)
    await store.releaseTurn(id, dead)
    await assert.rejects(
      store.claimTurn(id, createOwner({ pid: 3 }), () => true),
      { code: 'busy' },
    )
  })

  run('a reused pid is not taken for the owner: each field tells', async (store, { id }) => {
    const owner = createOwner()
    await store.claimTurn(id, owner, () => true)
    for (const other of [{ pid: 9 }, { processStart: 'later' }, { host: 'other' }, { since: 9 }])
      await store.releaseTurn(id, createOwner(other))
    await assert.rejects(
      store.claimTurn(id, createOwner({ pid: 2 }), () => true),
      { code: 'busy' },
    )
    await store.releaseTurn(id, owner)
    await store.releaseTurn(id, owner)
    await store.claimTurn(id, createOwner({ pid: 2 }), () => true)
  })

  run('one of many that claim at once gets the turn', async (store, { id }) => {
    const claims = Array.from({ length: 10 }, (_, pid) => store.claimTurn(id, createOwner({ pid }), () => true))
    const results = await Promise.allSettled(claims)
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  run('what `isAlive` throws travels up untouched, and the turn stays with its owner', async (store, { id }) => {
    await store.claimTurn(id, createOwner(), () => true)
    const bug = new Error('no /proc')
    const claim = store.claimTurn(id, createOwner({ pid: 2 }), () => {
      throw bug
    })
    await assert.rejects(claim, error => error === bug)
    await assert.rejects(
      store.claimTurn(id, createOwner({ pid: 2 }), () => true),
      { code: 'busy' },
    )
  })
}

function testApprovals(kind: string, openEmpty: OpenEmptyStore): void {
  const run = (title: string, act: (store: Store, clock: StandingClock) => Promise<void>) =>
    test(`core.always: ${title} (${kind})`, () => withStore(openEmpty, act))

  run('approvals are listed oldest first and can be revoked once', async store => {
    const added: Approval[] = []
    for (const createdAt of [30, 10, 20])
      added.push(await store.addApproval(createApproval({ createdAt, pattern: `p${createdAt}` })))
    const [third, first, second] = added
    assert.deepEqual(await store.listApprovals(), [first, second, third])
    assert.ok(first)
    assert.equal(await store.revokeApproval(first.id), true)
    assert.equal(await store.revokeApproval(first.id), false)
    assert.equal(await store.revokeApproval('per_unknown'), false)
    assert.deepEqual(await store.listApprovals(), [second, third])
  })

  run('the same rule of the same scope and subject is kept once, as it was made first', async store => {
    const first = await store.addApproval(createApproval())
    assert.deepEqual(await store.addApproval(createApproval({ createdAt: 99, createdBy: 'mcp:other' })), first)
    const others = [{ pattern: 'ls -l' }, { permission: 'read' }, { scope: 'project', subject: '/a' }] as const
    for (const other of others) await store.addApproval(createApproval(other))
    assert.equal((await store.listApprovals()).length, 1 + others.length)
  })

  run('the newest word on a pattern counts: allow, deny and allow again leave one rule', async store => {
    const deny = { action: 'deny', createdAt: 2 } as const
    await store.addApproval(createApproval())
    await store.addApproval(createApproval({ ...deny, pattern: 'ls -l' }))
    await store.addApproval(createApproval(deny))
    await store.addApproval(createApproval({ createdAt: 3 }))
    assert.deepEqual(
      (await store.listApprovals()).map(({ pattern, action, createdAt }) => [pattern, action, createdAt]),
      [
        ['ls -l', 'deny', 2],
        ['ls', 'allow', 3],
      ],
    )
  })

  run('a filter gives those that hold for the session and the directory, and the user’s own', async store => {
    const approvals = [
      createApproval({ pattern: 'user' }),
      createApproval({ pattern: 'here', scope: 'project', subject: '/a' }),
      createApproval({ pattern: 'elsewhere', scope: 'project', subject: '/a/b' }),
      createApproval({ pattern: 'this session', scope: 'session', subject: 'ses_1' }),
      createApproval({ pattern: 'other session', scope: 'session', subject: 'ses_2' }),
    ]
    for (const approval of approvals) await store.addApproval(approval)
    const patterns = async (filter: Parameters<Store['listApprovals']>[0]) =>
      (await store.listApprovals(filter)).map(({ pattern }) => pattern)
    assert.deepEqual(await patterns({ sessionID: 'ses_1', directory: '/a' }), ['user', 'here', 'this session'])
    assert.deepEqual(await patterns({ sessionID: 'ses_1' }), ['user', 'this session'])
    assert.deepEqual(await patterns({ directory: '/a' }), ['user', 'here'])
    assert.deepEqual(await patterns({ directory: 'ses_1', sessionID: '/a' }), ['user'])
    assert.equal((await patterns({})).length, approvals.length)
  })
}

function testAudit(kind: string, openEmpty: OpenEmptyStore): void {
  const run = (title: string, act: (store: Store, clock: StandingClock) => Promise<void>) =>
    test(`core.rules: ${title} (${kind})`, () => withStore(openEmpty, act))

  run('verdicts are listed as they were written, oldest first, the newest with a limit', async store => {
    const written = [
      createVerdict({ title: 'one' }),
      createVerdict({ title: 'two', sessionID: 'ses_2', action: 'ask', answer: { reply: 'once', by: 'terminal' } }),
      createVerdict({ title: 'three', parts: [], omittedParts: 7, answer: { reply: 'unanswered', why: 'expired' } }),
    ]
    assert.deepEqual(await store.listVerdicts(), [])
    for (const verdict of written) await store.addVerdict(verdict)
    const listed = await store.listVerdicts()
    assert.deepEqual(
      listed.map(({ seq: _, ...verdict }) => verdict),
      written,
    )
    assert.deepEqual(
      listed.map(({ seq }) => seq),
      listed.map(({ seq }) => seq).toSorted((a, b) => a - b),
    )
    const titles = async (filter: Parameters<Store['listVerdicts']>[0]) =>
      (await store.listVerdicts(filter)).map(({ title }) => title)
    assert.deepEqual(await titles({ limit: 2 }), ['two', 'three'])
    assert.deepEqual(await titles({ sessionID: 'ses_1' }), ['one', 'three'])
    assert.deepEqual(await titles({ sessionID: 'ses_1', limit: 1 }), ['three'])
    assert.deepEqual(await titles({ sessionID: 'ses_9' }), [])
  })

  run('verdicts stay when their session is deleted', async store => {
    const session = createSampleSession()
    await store.create(session)
    await store.addVerdict(createVerdict({ sessionID: session.id }))
    await store.delete(session.id)
    assert.equal((await store.listVerdicts({ sessionID: session.id })).length, 1)
  })
}

function testTrust(kind: string, openEmpty: OpenEmptyStore): void {
  test(`core.rules: the last word on a file counts, until it is taken back (${kind})`, () =>
    withStore(openEmpty, async store => {
      const trust = {
        path: '/b/deckhand.json',
        decision: 'trusted',
        sha256: 'ab',
        lines: ['allow shell: make *'],
        decidedAt: 5,
        decidedBy: 'terminal',
      } as const
      const other = { ...trust, path: '/a/deckhand.json', decision: 'never', lines: [] } as const
      await store.setTrust(trust)
      await store.setTrust(other)
      assert.deepEqual(await store.listTrust(), [other, trust])
      const changed = { ...trust, sha256: 'cd', decidedAt: 6 }
      await store.setTrust(changed)
      assert.deepEqual(await store.listTrust(), [other, changed])
      assert.equal(await store.removeTrust(other.path), true)
      assert.equal(await store.removeTrust(other.path), false)
      assert.deepEqual(await store.listTrust(), [changed])
    }))
}

function notice(message: string): SessionEvent {
  return { type: 'notice', code: 'test', message }
}

function createOwner(changes: Partial<TurnOwner> = {}): TurnOwner {
  return { pid: 1, processStart: '12345', host: 'host', since: 1, ...changes }
}

function createVerdict(changes: Partial<VerdictRecord> = {}): VerdictRecord {
  return {
    time: 1,
    sessionID: 'ses_1',
    callID: 'call_1',
    tool: 'shell',
    title: 'make',
    mode: 'ask',
    action: 'allow',
    parts: [{ permission: 'shell', pattern: 'make', action: 'allow', reason: 'a rule' }],
    omittedParts: 0,
    ...changes,
  }
}

function createApproval(changes: Partial<Omit<Approval, 'id'>> = {}): Omit<Approval, 'id'> {
  return {
    permission: 'shell',
    pattern: 'ls',
    action: 'allow',
    scope: 'user',
    subject: '',
    createdAt: 1,
    createdBy: 'terminal',
    ...changes,
  }
}

async function stateOf(store: Store, { id }: Session) {
  const [session, events, messages, list] = await Promise.all([
    store.get(id),
    store.events(id, 0),
    store.messages(id),
    store.list(),
  ])
  return { session, events, messages, list }
}

// A field that is undefined is not stored: JSON has no word for it.
function withoutUndefined<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}

function withoutIds({ info, parts }: Awaited<ReturnType<Store['messages']>>[number]) {
  const { id: _, sessionID: _session, ...rest } = info
  return { info: rest, parts: parts.map(({ id: _id, sessionID: _owner, messageID: _message, ...part }) => part) }
}

/** A copy of `value` with another value at the path. */
function setAt(value: unknown, [key, ...rest]: string[], replacement: unknown): unknown {
  if (key === undefined) return replacement
  if (Array.isArray(value))
    return value.map((item, index) => (`${index}` === key ? setAt(item, rest, replacement) : item))
  const record = value as Record<string, unknown>
  return { ...record, [key]: setAt(record[key], rest, replacement) }
}
