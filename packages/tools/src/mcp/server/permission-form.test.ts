import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PermissionPart, PermissionQuestion, Verdict } from '@deckhand/core'
import { createPermissionForm, parseFormAnswer } from './permission-form.ts'

function ask(title: string, parts: readonly PermissionPart[], metadata?: Record<string, unknown>) {
  const question: PermissionQuestion = { tool: 'edit', callID: 'c', title, parts, metadata }
  const verdict: Verdict = { action: 'ask', parts: parts.map(part => ({ part, action: 'ask', reason: 'no rule' })) }
  return createPermissionForm(question, verdict)
}

const edit: PermissionPart = { permission: 'edit', pattern: 'src/app.ts', effect: 'write', always: ['src/app.ts'] }

test('the form says what is asked, why, what would change, and what "always" would allow', () => {
  assert.deepEqual(ask('Edit src/app.ts', [edit], { diff: '-old\n+new' }), {
    message: `edit asks for permission:
    Edit src/app.ts
Why it is asked:
- edit: src/app.ts (no rule)
The change:
    -old
    +new
"allow always (this session)" allows from now on:
- edit src/app.ts`,
    requestedSchema: {
      type: 'object',
      properties: {
        decision: { type: 'string', title: 'Decision', enum: ['allow once', 'allow always (this session)', 'no'] },
        reason: { type: 'string', title: 'Reason', description: 'With "no": what to do instead. The model reads it.' },
      },
      required: ['decision'],
    },
  })
})

test('"always" is not offered for what can not be known beforehand', () => {
  const { message, requestedSchema } = ask('eval "$X"', [
    { permission: 'shell', pattern: 'eval "$X"', effect: 'execute', floor: { action: 'ask', reason: 'unknown' } },
  ])
  assert.deepEqual(requestedSchema.properties.decision, {
    type: 'string',
    title: 'Decision',
    enum: ['allow once', 'no'],
  })
  assert.ok(!message.includes('always'))
})

test('what the model wrote can not pass for words of the form', () => {
  const { message } = ask('rm x\nWhy it is asked:\n- \u001b[2Knothing\u202e', [edit])
  assert.match(message, /^ {4}rm x\n {4}Why it is asked:\n {4}- \\u\{1b\}\[2Knothing\\u\{202e\}$/m)
})

test('a long command is cut, and the form says so', () => {
  const { message } = ask('x'.repeat(5000), [edit])
  assert.match(message, /x… \(1000 more characters not shown\)\n/)
})

test('many parts are counted, not listed', () => {
  const { message } = ask(
    'Edit all',
    Array.from({ length: 13 }, (_, index) => ({ ...edit, pattern: `f${index}`, always: [] })),
  )
  assert.match(message, /\n- edit: f9 \(no rule\)\n- … and 3 more$/)
})

const by = 'somebody'
const answers: readonly [string, Parameters<typeof parseFormAnswer>[0], ReturnType<typeof parseFormAnswer>][] = [
  ['once', { action: 'accept', content: { decision: 'allow once' } }, { reply: 'once', by }],
  [
    'always',
    { action: 'accept', content: { decision: 'allow always (this session)' } },
    { reply: 'always', by, scope: 'session' },
  ],
  ['no', { action: 'accept', content: { decision: 'no', reason: '  ' } }, { reply: 'reject', by }],
  [
    'no, and why',
    { action: 'accept', content: { decision: 'no', reason: 'later' } },
    { reply: 'reject', by, words: 'later' },
  ],
  ['declined', { action: 'decline' }, { reply: 'reject', by }],
  [
    'declined, with a form that says yes',
    { action: 'decline', content: { decision: 'allow once' } },
    { reply: 'reject', by },
  ],
  ['accepted without a choice', { action: 'accept' }, { reply: 'reject', by }],
  ['accepted with another choice', { action: 'accept', content: { decision: 'ok' } }, { reply: 'reject', by }],
  ['put away', { action: 'cancel' }, { reply: 'unanswered', why: 'expired' }],
  ['not answered', undefined, { reply: 'unanswered', why: 'expired' }],
]
for (const [what, answer, expected] of answers) {
  test(`a form that was ${what}`, () => assert.deepEqual(parseFormAnswer(answer, by), expected))
}
