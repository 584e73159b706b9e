import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AssistantMessage, MessageWithParts, Part, SessionID, ToolState, UserMessage } from '@deckhand/core'
import { createId, noTokens } from '@deckhand/core'
import { buildModelMessages, interruptedResult } from './history.ts'

const sessionID = 'ses_test00000001' as SessionID
const time = { start: 1, end: 2 }
const model = { providerID: 'p', modelID: 'm' }

type Draft = Part extends infer P ? (P extends Part ? Omit<P, 'id' | 'sessionID' | 'messageID'> : never) : never

function message(role: 'user' | 'assistant', ...drafts: Draft[]): MessageWithParts {
  const id = createId('message')
  const base = { id, sessionID, agent: 'build', model, time: { created: 1 } }
  const info: UserMessage | AssistantMessage =
    role === 'user' ? { ...base, role } : { ...base, role, tokens: noTokens, cost: 0 }
  return { info, parts: drafts.map(draft => ({ id: createId('part'), sessionID, messageID: id, ...draft }) as Part) }
}

const text = (words: string, more = {}) => ({ type: 'text' as const, text: words, time, ...more })
const tool = (callID: string, state: ToolState) => ({ type: 'tool' as const, tool: 'shell', callID, state })
const completed = (output: string): ToolState => ({
  status: 'completed',
  input: { command: 'ls' },
  output,
  title: 'ls',
  metadata: {},
  time,
})

test('core.sessions: a call that never ended is told to the model as interrupted, right after the call', () => {
  const running: ToolState = { status: 'running', input: { command: 'make' }, time: { start: 1 } }
  const messages = buildModelMessages([message('user', text('go')), message('assistant', tool('c1', running))], 'p')
  assert.deepEqual(messages, [
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', callID: 'c1', tool: 'shell', input: { command: 'make' }, metadata: undefined }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', callID: 'c1', tool: 'shell', output: interruptedResult, isError: true }],
    },
  ])
})

test('each step of a message is answered by its own results', () => {
  const messages = buildModelMessages(
    [
      message(
        'assistant',
        { type: 'step-start' },
        tool('c1', completed('one')),
        { type: 'step-start' },
        text('then'),
        tool('c2', completed('two')),
      ),
    ],
    'p',
  )
  assert.deepEqual(
    messages.map(({ role, content }) => `${role} ${content.map(part => part.type).join(' ')}`),
    ['assistant tool-call', 'tool tool-result', 'assistant text tool-call', 'tool tool-result'],
  )
})

test('the half text of a broken stream is left out once a later attempt came through, and kept where none did', () => {
  const half = text('It is th', { interrupted: true })
  assert.deepEqual(buildModelMessages([message('assistant', half, text('It is there.'))], 'p'), [
    { role: 'assistant', content: [{ type: 'text', text: 'It is there.', metadata: undefined }] },
  ])
  assert.deepEqual(buildModelMessages([message('assistant', half)], 'p'), [
    { role: 'assistant', content: [{ type: 'text', text: 'It is th', metadata: undefined }] },
  ])
})

test('thoughts and metadata go only to the provider that gave them', () => {
  const metadata = { p: { signature: 's' } }
  const history = [message('assistant', { type: 'reasoning', text: 'hm', time, metadata }, text('yes', { metadata }))]
  assert.deepEqual(buildModelMessages(history, 'p')[0]?.content, [
    { type: 'reasoning', text: 'hm', metadata },
    { type: 'text', text: 'yes', metadata },
  ])
  assert.deepEqual(buildModelMessages(history, 'other')[0]?.content, [
    { type: 'text', text: 'yes', metadata: undefined },
  ])
})

test('empty messages are left out, and arguments that were no object are sent in one', () => {
  const broken: ToolState = { status: 'error', input: '{"command": "l', error: 'not valid JSON', time }
  const messages = buildModelMessages([message('user', text('')), message('assistant', tool('c1', broken))], 'p')
  assert.equal(messages.length, 2)
  assert.deepEqual(messages[0]?.content[0], {
    type: 'tool-call',
    callID: 'c1',
    tool: 'shell',
    input: { invalid: '{"command": "l' },
    metadata: undefined,
  })
})
