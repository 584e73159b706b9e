import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  createId,
  type ErrorFacts,
  type MessageID,
  noTokens,
  type Part,
  type PartID,
  type PermissionID,
  type SessionEvent,
  type SessionID,
  type TurnOutcome,
} from '@deckhand/core'
import { createJsonLines, type JsonLine, type JsonLines } from './json-lines.ts'
import { lineSchema } from './line-schema.ts'

const sessionID = 'ses_00000001' as SessionID
const messageID = 'msg_00000001' as MessageID
const base = { sessionID, messageID }
const time = { start: 1, end: 2 }
const partID = (name: string) => `prt_0000000${name}` as PartID

const header = {
  sessionID,
  directory: '/w',
  title: 'Fix it',
  model: { providerID: 'script', modelID: 'a' },
  mode: 'ask',
}

const outcome: TurnOutcome = { reason: 'done', text: 'Hi.', tokens: noTokens, cost: 0, steps: 1, unanswered: 0 }

const failure: ErrorFacts = { name: 'APIError', data: { message: 'no', statusCode: 400, isRetryable: false } }

/** The lines that something prints. Each is checked against the schema, and to be one line. */
function linesOf(act: (lines: JsonLines) => void): JsonLine[] {
  const written: string[] = []
  act(
    createJsonLines(
      line => written.push(line),
      () => 7,
    ),
  )
  return written.map(line => {
    assert.match(line, /^\{"type":"[^"]+","timestamp":7,"sessionID":"[^"]*".*\}\n$/)
    assert.equal(line.search(/[\n\u0085\u2028\u2029]/), line.length - 1)
    const parsed: JsonLine = JSON.parse(line)
    lineSchema.parse(parsed)
    return parsed
  })
}

function tell(...events: SessionEvent[]): JsonLine[] {
  return linesOf(lines => {
    lines.session(sessionID)
    for (const event of events) lines.event(event)
  })
}

function partEvent(part: Part): SessionEvent {
  return { type: 'part.updated', part }
}

test('core.headless: the first line names the session, the folder, the model and the mode', () => {
  assert.deepEqual(
    linesOf(lines => lines.start(header)),
    [{ type: 'session.start', timestamp: 7, ...header }],
  )
})

test("core.opencode_compat: parts are printed as they are stored, under OpenCode's names", () => {
  const parts: [string, Part][] = [
    ['step_start', { ...base, id: partID('1'), type: 'step-start' }],
    ['reasoning', { ...base, id: partID('2'), type: 'reasoning', text: 'Hm.', time }],
    ['text', { ...base, id: partID('3'), type: 'text', text: 'a\u2028b\u0085c\n', time }],
    [
      'tool_use',
      {
        ...base,
        id: partID('4'),
        type: 'tool',
        tool: 'shell',
        callID: 'c1',
        state: { status: 'completed', input: { command: 'ls' }, output: 'x', title: 'ls', metadata: { exit: 0 }, time },
      },
    ],
    [
      'tool_use',
      {
        ...base,
        id: partID('5'),
        type: 'tool',
        tool: 'read',
        callID: 'c2',
        state: { status: 'error', input: {}, error: 'No file.', time },
      },
    ],
    ['step_finish', { ...base, id: partID('6'), type: 'step-finish', reason: 'stop', tokens: noTokens, cost: 0 }],
  ]
  assert.deepEqual(
    tell(...parts.map(([, part]) => partEvent(part))),
    parts.map(([type, part]) => ({ type, timestamp: 7, sessionID, part })),
  )
})

test('a call is printed when it starts and once when it has ended', () => {
  const call = { ...base, id: partID('1'), type: 'tool', tool: 'shell', callID: 'c1' } as const
  const pending: Part = { ...call, state: { status: 'pending', input: {}, time: { start: 1 } } }
  const running: Part = { ...call, state: { status: 'running', input: {}, time: { start: 1 } } }
  const ended: Part = { ...call, state: { status: 'error', input: {}, error: 'no', time } }
  assert.deepEqual(
    tell(...[pending, running, ended, ended].map(partEvent)).map(({ type }) => type),
    ['tool.start', 'tool_use'],
  )
})

test('a text that is stored again is printed once, and half a text of a broken stream under its own type', () => {
  const half: Part = { ...base, id: partID('1'), type: 'text', text: 'Hel', time, interrupted: true }
  const whole: Part = { ...base, id: partID('2'), type: 'text', text: 'Hello', time }
  assert.deepEqual(
    tell(partEvent(half), partEvent(whole), partEvent({ ...whole, metadata: {} })).map(({ type }) => type),
    ['text.interrupted', 'text'],
  )
})

test("the person's own message is not printed", () => {
  const user = {
    type: 'message.updated',
    message: {
      id: messageID,
      sessionID,
      role: 'user',
      agent: 'build',
      model: header.model,
      time: { created: 1 },
    },
  } as const
  assert.deepEqual(tell(user, partEvent({ ...base, id: partID('1'), type: 'text', text: 'Do it', time })), [])
})

test('core.headless: a question is printed when it is asked, and again with its answer', () => {
  const id = createId('permission') as PermissionID
  const question = {
    tool: 'shell',
    callID: 'c1',
    title: 'rm a',
    parts: [{ permission: 'shell', pattern: 'rm a', effect: 'execute', always: ['rm *'] }],
  } as const
  const answer = { reply: 'unanswered', why: 'nobody-to-ask' } as const
  const facts = {
    type: 'permission',
    timestamp: 7,
    sessionID,
    id,
    tool: 'shell',
    callID: 'c1',
    title: 'rm a',
    parts: [{ permission: 'shell', pattern: 'rm a' }],
  }
  assert.deepEqual(tell({ type: 'permission.asked', id, question }, { type: 'permission.answered', id, answer }), [
    facts,
    { ...facts, answer },
  ])
})

test('core.headless: retries and notices are lines', () => {
  assert.deepEqual(
    tell(
      { type: 'retry', attempt: 1, maxAttempts: 5, delayMs: 200, error: failure },
      { type: 'notice', code: 'n', message: 'Mind.' },
    ),
    [
      { type: 'retry', timestamp: 7, sessionID, attempt: 1, maxAttempts: 5, delayMs: 200, error: failure },
      { type: 'notice', timestamp: 7, sessionID, code: 'n', message: 'Mind.' },
    ],
  )
})

test('core.headless: the last line is session.idle with how it ended, or error; after it nothing comes', () => {
  const rest = { text: 'Hi.', tokens: noTokens, cost: 0, steps: 1, unanswered: 0 }
  const idle = { type: 'session.idle', timestamp: 7, sessionID, reason: 'done', exitCode: 0, ...rest }
  const error = { type: 'error', timestamp: 7, sessionID, error: failure }
  const ends: [(lines: JsonLines) => void, unknown][] = [
    [lines => lines.finish(outcome), idle],
    [lines => lines.finish({ ...outcome, unanswered: 2 }), { ...idle, exitCode: 3, unanswered: 2 }],
    [
      lines => lines.finish({ ...rest, reason: 'step-limit', limit: 4 }),
      { ...idle, reason: 'step-limit', exitCode: 4 },
    ],
    [lines => lines.finish({ ...rest, reason: 'cancelled' }), { ...idle, reason: 'cancelled', exitCode: 130 }],
    [lines => lines.finish({ ...rest, reason: 'error', error: failure }), error],
    [lines => lines.fail(failure), error],
    [
      lines => lines.interrupt(),
      { ...error, error: { name: 'InterruptedError', data: { message: 'Ended at once by a second interrupt.' } } },
    ],
  ]
  for (const [end, expected] of ends) {
    const written = linesOf(lines => {
      lines.session(sessionID)
      end(lines)
      lines.finish(outcome)
      lines.notice('late', 'too late')
      lines.fail(failure)
    })
    assert.deepEqual(written, [expected])
  }
})

test('core.headless: a run that has no session yet ends in an error line too', () => {
  assert.deepEqual(
    linesOf(lines => lines.fail(failure)),
    [{ type: 'error', timestamp: 7, sessionID: '', error: failure }],
  )
})

test("core.opencode_compat: every recorded line of OpenCode's is one of our lines", () => {
  const folder = join(import.meta.dirname, '../../../../test/wire/opencode')
  const files = globSync('*.jsonl', { cwd: folder })
  assert.ok(files.length >= 10)
  for (const file of files) {
    for (const line of readFileSync(join(folder, file), 'utf8').trim().split('\n')) lineSchema.parse(JSON.parse(line))
  }
})
