import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { systemClock } from '../clock.ts'
import { findAlwaysProblem, offerAlways } from './always.ts'
import { builtinRules } from './builtin-rules.ts'
import { createPermissionGate, nobodyToAsk } from './gate.ts'
import type { PermissionPart, Verdict } from './question.ts'
import type { Rule } from './rule.ts'

const text = fc.oneof(
  fc.stringMatching(/^[ab*?[\]'"\n/ -]{1,8}$/),
  fc.constantFrom(
    'rm x',
    '/bin/rm x',
    'git log *',
    'ls a*b',
    "echo 'a  b'",
    'cat <<E\nx\nE',
    '*',
    '?',
    ' *',
    '',
    'é😀?',
    'a\\b',
  ),
)

/** What tools offer for a text: itself, its first words with any that follow, or (a fault of theirs) anything. */
const offer = (pattern: string) =>
  fc.oneof(fc.constant(pattern), fc.constant(`${pattern.split(' ')[0]} *`), fc.constant(`${pattern} *`), text)

const permission = fc.constantFrom('shell', 'edit', 'external_directory', 'network')

const part: fc.Arbitrary<PermissionPart> = fc
  .tuple(permission, text, fc.constantFrom('read', 'write', 'execute'), fc.array(text, { maxLength: 2 }))
  .chain(([key, pattern, effect, denyPatterns]) =>
    fc.record(
      {
        permission: fc.constant(key as PermissionPart['permission']),
        pattern: fc.constant(pattern),
        effect: fc.constant(effect as PermissionPart['effect']),
        denyPatterns: fc.constant(denyPatterns),
        always: fc.array(offer(pattern), { maxLength: 2 }),
        floor: fc.constant({ action: 'ask', reason: 'unknown' } as const),
        harmless: fc.boolean(),
        contained: fc.boolean(),
      },
      { requiredKeys: ['permission', 'pattern', 'effect', 'always'] },
    ),
  )

const rule: fc.Arbitrary<Rule> = fc.record({
  permission: fc.oneof(permission, fc.constant('*')),
  pattern: fc.oneof(text, fc.constantFrom('*', 'a*', '* x', 'rm *')),
  action: fc.constantFrom('allow', 'ask', 'deny'),
  source: fc.constantFrom('user', 'project'),
})

/** A person's own wording: as offered, wider at the end, or the part as it stands. */
const edit = fc.constantFrom(
  (pattern: string) => pattern,
  (pattern: string) => `${pattern}*`,
  (pattern: string) => (pattern.length > 1 ? `${pattern.slice(0, 1)}*` : pattern),
)

test('core.always: whatever the rules and the words, what "always" stored answers the parts that it was offered for', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.array(rule, { maxLength: 5 }),
      fc.constantFrom('ask', 'workspace'),
      fc.option(edit, { nil: undefined }),
      async (parts, rules, mode, change) => {
        let judged: Verdict | undefined
        const gate = createPermissionGate({
          rules: [...builtinRules, ...rules],
          mode: mode as 'ask' | 'workspace',
          clock: systemClock,
          answerer: async (_id, _question, verdict) => {
            judged = verdict
            const edited = offerAlways(verdict).map(each => ({
              ...each,
              pattern: change?.(each.pattern) ?? each.pattern,
            }))
            const kept = edited.filter(each => findAlwaysProblem(each, verdict) === undefined)
            return {
              reply: 'always',
              by: 'me',
              scope: 'session',
              ...(kept.length === edited.length && { rules: kept }),
            }
          },
        })
        const question = { tool: 'shell', callID: 'c', title: 't', parts }
        const before = await gate.evaluate(question)
        if (before.action !== 'ask') return
        await gate.check(question, new AbortController().signal)
        const after = await gate.evaluate(question)
        for (const [index, verdict] of before.parts.entries()) {
          const isOffered = offerAlways({ ...before, parts: [verdict] }).length > 0
          if (isOffered || verdict.action === 'allow') assert.equal(after.parts[index]?.action, 'allow')
        }
        assert.ok(judged)
      },
    ),
    { numRuns: 2000 },
  )
})

test('core.always: a pattern that would not answer its own part is not offered', () => {
  const asked = (pattern: string, always: readonly string[]): Verdict => ({
    action: 'ask',
    parts: [{ part: { permission: 'shell', pattern, effect: 'execute', always }, action: 'ask', reason: 'no rule' }],
  })
  assert.deepEqual(offerAlways(asked('npm test', ['npm run *'])), [])
  assert.deepEqual(offerAlways(asked('npm test', ['npm test *'])), [{ permission: 'shell', pattern: 'npm test *' }])
})

test('core.always: what a person wrote must answer what was asked, and is refused in words before anything is stored', async () => {
  const parts: PermissionPart[] = [
    { permission: 'shell', pattern: 'npm test', effect: 'execute', always: ['npm test *'] },
  ]
  const question = { tool: 'shell', callID: 'c', title: 'npm test', parts }
  const options = { rules: builtinRules, mode: 'ask', clock: systemClock } as const
  const wrong = {
    reply: 'always',
    by: 'web',
    scope: 'user',
    rules: [{ permission: 'shell', pattern: 'npm run *' }],
  } as const
  const message = `"always" can't store that: shell: "npm run *" matches nothing of what is asked for. Nothing was stored or done.`

  const gate = createPermissionGate({ ...options, answerer: async () => wrong })
  await assert.rejects(gate.check(question, new AbortController().signal), { name: 'UsageError', message })
  assert.equal((await gate.evaluate(question)).action, 'ask')

  const waiting = createPermissionGate({ ...options, answerer: () => new Promise(() => undefined) })
  const checked = waiting.check(question, new AbortController().signal)
  while (waiting.pending().length === 0) await new Promise(setImmediate)
  const [{ id } = { id: undefined }] = waiting.pending()
  assert.ok(id)
  assert.throws(() => waiting.answer(id, wrong), { message })
  assert.equal(waiting.pending().length, 1)
  assert.ok(waiting.answer(id, { ...wrong, rules: [{ permission: 'shell', pattern: 'npm *' }] }))
  await checked
  const other = { parts: [{ ...parts[0], permission: 'shell', pattern: 'npm ci', effect: 'execute' }] } as const
  assert.equal((await waiting.evaluate(other)).action, 'allow')
})

test('core.always: a command that a person allowed by its path is not asked again for its name', async () => {
  const gate = createPermissionGate({
    rules: [...builtinRules, { permission: 'shell', pattern: 'rm *', action: 'ask', source: 'user' }],
    mode: 'ask',
    clock: systemClock,
    answerer: async () => ({ reply: 'always', by: 'me', scope: 'session' }),
  })
  const part = { permission: 'shell', pattern: '/bin/rm x', denyPatterns: ['rm x'], effect: 'execute' } as const
  const question = { tool: 'shell', callID: 'c', title: 'x', parts: [{ ...part, always: ['/bin/rm x'] }] }
  await gate.check(question, new AbortController().signal)
  assert.equal((await gate.evaluate(question)).action, 'allow')
})

test('core.rules: every verdict is told before the tool acts, with its parts, the answer and by whom', async () => {
  const told: unknown[] = []
  const gate = createPermissionGate({
    rules: [
      ...builtinRules,
      { permission: 'shell', pattern: 'rm *', action: 'deny', source: 'user', origin: 'x.json' },
    ],
    mode: 'ask',
    clock: { ...systemClock, now: () => 7 },
    answerer: async (_id, { title }) =>
      title === 'make' ? { reply: 'once', by: 'me' } : { reply: 'reject', by: 'me', words: 'not now' },
    onVerdict: record => void told.push(record),
  })
  const check = async (pattern: string, harmless = false) => {
    const parts: PermissionPart[] = [{ permission: 'shell', pattern, effect: 'execute', harmless }]
    await gate
      .check({ tool: 'shell', callID: 'c', title: pattern, parts }, new AbortController().signal)
      .catch(({ code }) => code)
  }
  await check('ls', true)
  await check('rm x')
  await check('make')
  await check('curl x')
  await gate.evaluate({ parts: [{ permission: 'shell', pattern: 'silent', effect: 'execute' }] })
  const record = (title: string, action: string, reason: string, answer?: unknown) => ({
    time: 7,
    sessionID: '',
    mode: 'ask',
    callID: 'c',
    tool: 'shell',
    title,
    action,
    parts: [{ permission: 'shell', pattern: title, action, reason }],
    omittedParts: 0,
    ...(answer !== undefined && { answer }),
  })
  assert.deepEqual(told, [
    record('ls', 'allow', 'no rule is against it'),
    record('rm x', 'deny', 'the rule shell: "rm *" is deny (x.json)'),
    record('make', 'ask', 'no rule allows it', { reply: 'once', by: 'me' }),
    record('curl x', 'ask', 'no rule allows it', { reply: 'reject', by: 'me', words: 'not now' }),
  ])
})

test('core.rules: what can not be written to the audit log is not done, and no "always" of it is kept', async () => {
  const full = new Error('database or disk is full')
  const gate = createPermissionGate({
    rules: builtinRules,
    mode: 'ask',
    clock: systemClock,
    answerer: async () => ({ reply: 'always', by: 'me', scope: 'session' }),
    onVerdict: async () => Promise.reject(full),
  })
  for (const harmless of [true, false]) {
    const parts: PermissionPart[] = [{ permission: 'shell', pattern: 'x', effect: 'execute', harmless, always: ['x'] }]
    await assert.rejects(gate.check({ tool: 'shell', callID: 'c', title: 'x', parts }, new AbortController().signal), {
      name: 'StoreError',
      message:
        'Nothing was done, as the decision about it could not be written to the audit log: database or disk is full',
      cause: full,
    })
  }
  const verdict = await gate.evaluate({ parts: [{ permission: 'shell', pattern: 'x', effect: 'execute' }] })
  assert.equal(verdict.action, 'ask')
})

test('core.rules: a verdict of very many parts is kept with those that decided, cut to a bounded size', async () => {
  const kept: { parts: readonly { action: string; pattern: string }[]; omittedParts: number; title: string }[] = []
  const gate = createPermissionGate({
    rules: [{ permission: 'shell', pattern: '*', action: 'allow', source: 'user' }],
    mode: 'ask',
    clock: systemClock,
    answerer: nobodyToAsk,
    onVerdict: record => void kept.push(record),
  })
  const parts: PermissionPart[] = Array.from({ length: 5000 }, (_, index) => ({
    permission: index === 4999 ? 'edit' : 'shell',
    pattern: 'p'.repeat(10_000),
    effect: 'execute',
  }))
  await gate
    .check({ tool: 'shell', callID: 'c', title: 't'.repeat(1_000_000), parts }, new AbortController().signal)
    .catch(() => undefined)
  const [record] = kept
  assert.deepEqual([record?.parts[0]?.action, record?.parts.length, record?.omittedParts], ['ask', 100, 4900])
  assert.ok(JSON.stringify(record).length < 500_000)
})
