import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../clock.ts'
import { PermissionDenied } from '../error.ts'
import { createId, type PermissionID } from '../id.ts'
import type { Approval, ApprovalStore } from '../store/approval-store.ts'
import { offerAlways } from './always.ts'
import { builtinRules } from './builtin-rules.ts'
import { evaluateQuestion } from './evaluate.ts'
import { createPermissionGate, nobodyToAsk, type PermissionGateOptions } from './gate.ts'
import type { PermissionAnswer, PermissionPart, PermissionQuestion } from './question.ts'
import { parseRules } from './rules.ts'

function question(...parts: readonly PermissionPart[]): PermissionQuestion {
  return { tool: 'shell', callID: 'call_1', title: parts.map(part => part.pattern).join('; '), parts }
}

function shell(pattern: string, always?: readonly string[]): PermissionPart {
  return { permission: 'shell', pattern, effect: 'execute', always }
}

interface Told {
  readonly asked: PermissionID[]
  readonly answered: (readonly [PermissionID, PermissionAnswer])[]
}

function createGate(options: Partial<PermissionGateOptions>) {
  const told: Told = { asked: [], answered: [] }
  const gate = createPermissionGate({
    rules: builtinRules,
    mode: 'ask',
    answerer: nobodyToAsk,
    clock: systemClock,
    onAsked: id => void told.asked.push(id),
    onAnswered: (id, answer) => void told.answered.push([id, answer]),
    ...options,
  })
  return { gate, told }
}

/** An answerer whose questions wait until the test answers them. */
const waits = (): Promise<PermissionAnswer> => new Promise(() => undefined)

const never = new AbortController().signal

async function denialOf(work: Promise<void>): Promise<PermissionDenied> {
  try {
    await work
  } catch (error) {
    if (error instanceof PermissionDenied) return error
    throw error
  }
  throw new Error('It was allowed.')
}

function createApprovals(): ApprovalStore & { readonly list: Approval[] } {
  const list: Approval[] = []
  return {
    list,
    listApprovals: async () => list,
    addApproval: async approval => {
      const stored = { ...approval, id: `apr_${list.length}` }
      list.push(stored)
      return stored
    },
    revokeApproval: async id => {
      const at = list.findIndex(approval => approval.id === id)
      if (at !== -1) list.splice(at, 1)
      return at !== -1
    },
  }
}

test('core.rules: what the rules say can be known without a question to anyone, "always" of the session included', async () => {
  const asked: string[] = []
  const gate = createPermissionGate({
    rules: [...builtinRules, ...parseRules({ shell: { 'git *': 'allow', 'rm *': 'deny' } }, { source: 'user' })],
    mode: 'ask',
    clock: systemClock,
    answerer: async (_, { title }) => {
      asked.push(title)
      return { reply: 'always', by: 'me', scope: 'session' }
    },
  })
  const part = (pattern: string) => ({ permission: 'shell', pattern, effect: 'execute', always: [pattern] }) as const
  const judge = async (pattern: string) => (await gate.evaluate({ parts: [part(pattern)] })).action
  assert.deepEqual([await judge('git x'), await judge('make'), await judge('rm x')], ['allow', 'ask', 'deny'])
  assert.deepEqual(asked, [])
  await gate.check({ tool: 'shell', callID: 'c', title: 'make', parts: [part('make')] }, new AbortController().signal)
  assert.equal(await judge('make'), 'allow')
  assert.deepEqual(asked, ['make'])
})

test('core.preflight: what is allowed passes without a question, and nothing passes before its answer', async () => {
  const { gate, told } = createGate({
    answerer: waits,
    rules: [...builtinRules, ...parseRules({ shell: { 'ls *': 'allow' } }, { source: 'user' })],
  })
  await gate.check(question(shell('ls')), never)
  assert.deepEqual(told.asked, [])
  let passed = false
  const waiting = gate.check(question(shell('make')), never).then(() => {
    passed = true
  })
  await until(() => gate.pending().length === 1)
  assert.equal(passed, false)
  const [pending] = gate.pending()
  assert.ok(pending && gate.answer(pending.id, { reply: 'once', by: 'web' }))
  await waiting
  assert.deepEqual(told.answered, [[pending.id, { reply: 'once', by: 'web' }]])
})

test('core.three_noes: a rule, a person, a person with a reason, nobody, a mode and the clock are six different texts', async () => {
  const asked = question(shell('rm -rf build'))
  const reject =
    (words?: string): PermissionGateOptions['answerer'] =>
    async () => ({ reply: 'reject', by: 'terminal', words })
  const rules = [
    ...builtinRules,
    ...parseRules({ shell: { 'rm *': 'deny' } }, { source: 'user', origin: 'deckhand.json' }),
  ]
  const told = [
    await denialOf(createGate({ rules }).gate.check(asked, never)),
    await denialOf(createGate({ answerer: reject() }).gate.check(asked, never)),
    await denialOf(createGate({ answerer: reject('use git clean') }).gate.check(asked, never)),
    await denialOf(createGate({}).gate.check(asked, never)),
    await denialOf(createGate({ mode: 'plan' }).gate.check(asked, never)),
    await denialOf(createGate({ answerer: waits, expiryMs: 5 }).gate.check(asked, never)),
  ]
  assert.deepEqual(
    told.map(denial => [denial.code, denial.message]),
    [
      [
        'rule',
        'A rule denies rm -rf build (the rule shell: "rm *" is deny (deckhand.json)). Nothing was run. No one can allow this in the session; do it another way, without what is denied, or say that it can\'t be done.',
      ],
      [
        'rejected',
        'The user was asked and said no to rm -rf build. Nothing was run. Do not try it again in another form; ask what they want instead, or go on without it.',
      ],
      [
        'rejected-with-words',
        'The user was asked and said no to rm -rf build, because: use git clean\nNothing was run. Go on as they say.',
      ],
      [
        'nobody-to-ask',
        'This needs a person\'s permission, and nobody can be asked here: rm -rf build (no rule allows it). Nothing was run. Go on without it, and tell the user how to allow it: run with --auto, or allow it under "permission" in their own configuration.',
      ],
      [
        'mode',
        'The mode "plan" only reads, and rm -rf build may do more. Nothing was run. Go on with reading, and describe the change in words instead of making it.',
      ],
      [
        'expired',
        'Nobody answered in time whether rm -rf build is allowed. Nothing was run. That is not a no: go on without it, and say what is left to be allowed.',
      ],
    ],
  )
})

test('core.three_noes: what no rule can allow is told so when nobody can be asked', async () => {
  const part: PermissionPart = {
    ...shell('cat $x'),
    floor: { action: 'ask', reason: 'the value of $x is not known beforehand' },
  }
  const denial = await denialOf(createGate({}).gate.check(question(part), never))
  assert.match(
    denial.message,
    /run with --auto, or where a person can answer \(no rule allows what can not be known beforehand\)\.$/,
  )
})

test('core.always: B083, B090: "always" stores exactly the rules that were offered, one per asked part, none for what is denied or unknown', async () => {
  const approvals = createApprovals()
  const parts = [
    shell('git status', ['git status *']),
    shell('rm -rf ./tmp', ['rm -rf ./tmp']),
    { ...shell('cat $x', ['cat *']), floor: { action: 'ask', reason: 'unknown' } } as const,
  ]
  const { gate } = createGate({
    answerer: async () => ({ reply: 'always', by: 'terminal', scope: 'project' }),
    approvals: { store: approvals, sessionID: createId('session'), directory: '/work/proj' },
  })
  await gate.check(question(...parts), never)
  assert.deepEqual(
    approvals.list.map(({ permission, pattern, action, scope, subject, createdBy }) => ({
      permission,
      pattern,
      action,
      scope,
      subject,
      createdBy,
    })),
    ['git status *', 'rm -rf ./tmp'].map(pattern => ({
      permission: 'shell',
      pattern,
      action: 'allow',
      scope: 'project',
      subject: '/work/proj',
      createdBy: 'terminal',
    })),
  )
})

test('core.always: a stored rule answers the question that made it, until it is revoked', async () => {
  const approvals = createApprovals()
  let answers = 0
  const { gate } = createGate({
    answerer: async () => {
      answers++
      return { reply: 'always', by: 'terminal', scope: 'session' }
    },
    approvals: { store: approvals, sessionID: createId('session'), directory: '/work/proj' },
  })
  const asked = question(shell('npm run build', ['npm run build *']))
  await gate.check(asked, never)
  await gate.check(asked, never)
  assert.equal(answers, 1)
  await approvals.revokeApproval(approvals.list[0]?.id ?? '')
  await gate.check(asked, never)
  assert.equal(answers, 2)
})

test('core.always: without a store, "always" holds as long as the gate lives', async () => {
  let answers = 0
  const { gate } = createGate({
    answerer: async () => {
      answers++
      return { reply: 'always', by: 'terminal', scope: 'user' }
    },
  })
  await gate.check(question(shell('make all', ['make all *'])), never)
  await gate.check(question(shell('make all -j', ['make all *'])), never)
  assert.equal(answers, 1)
})

test('core.always: nothing is offered for a part that a rule allows or denies', () => {
  const rules = [...builtinRules, ...parseRules({ shell: { 'ls *': 'allow', 'rm *': 'deny' } }, { source: 'user' })]
  const verdict = evaluateQuestion(
    question(shell('ls', ['ls *']), shell('rm x', ['rm x']), shell('make', ['make *'])),
    rules,
    'ask',
  )
  assert.deepEqual(offerAlways(verdict), [{ permission: 'shell', pattern: 'make *' }])
})

test('core.pending: a new rule settles the other questions that it answers, and takes them off the screen', async () => {
  const aborted: string[] = []
  const { gate, told } = createGate({
    answerer: (_, asked, __, signal) => {
      signal.addEventListener('abort', () => aborted.push(asked.title))
      return waits()
    },
  })
  const first = gate.check(question(shell('make a', ['make *'])), never)
  const second = gate.check(question(shell('make b', ['make *'])), never)
  const third = gate.check(question(shell('npm test', ['npm test *'])), never)
  await until(() => gate.pending().length === 3)
  const [one, , other] = gate.pending()
  assert.ok(one && other && gate.answer(one.id, { reply: 'always', by: 'chat', scope: 'session' }))
  await Promise.all([first, second])
  assert.deepEqual(aborted.sort(), ['make a', 'make b'])
  assert.deepEqual(
    gate.pending().map(pending => pending.question.title),
    ['npm test'],
  )
  gate.answer(other.id, { reply: 'reject', by: 'chat' })
  assert.equal((await denialOf(third)).code, 'rejected')
  assert.equal(told.asked.length, 3)
  assert.deepEqual(told.answered.map(([id]) => id).sort(), [...told.asked].sort())
})

test('core.pending: the first answer counts, a later one and one for no question do nothing', async () => {
  const { gate, told } = createGate({ answerer: waits })
  const waiting = gate.check(question(shell('make')), never)
  await until(() => gate.pending().length === 1)
  const id = gate.pending()[0]?.id as PermissionID
  assert.equal(gate.answer(id, { reply: 'once', by: 'a' }), true)
  assert.equal(gate.answer(id, { reply: 'reject', by: 'b' }), false)
  assert.equal(gate.answer(createId('permission'), { reply: 'once', by: 'c' }), false)
  await waiting
  assert.equal(told.answered.length, 1)
})

test('core.pending: a cancelled question rejects with the reason of its signal and is told as answered once', async () => {
  const { gate, told } = createGate({ answerer: waits })
  const controller = new AbortController()
  const waiting = gate.check(question(shell('make')), controller.signal)
  await until(() => gate.pending().length === 1)
  controller.abort(new Error('stop'))
  await assert.rejects(waiting, /^Error: stop$/)
  assert.deepEqual(
    told.answered.map(([, answer]) => answer),
    [{ reply: 'unanswered', why: 'cancelled' }],
  )
  assert.deepEqual(gate.pending(), [])
})

test('core.pending: an answerer that fails is a bug that travels up, and leaves no question open', async () => {
  const { gate, told } = createGate({
    answerer: () => {
      throw new TypeError('no terminal')
    },
  })
  await assert.rejects(gate.check(question(shell('make')), never), /^TypeError: no terminal$/)
  assert.equal(told.answered.length, 1)
  assert.deepEqual(gate.pending(), [])
})

test('core.pending: nobody is asked before the question was stored', async () => {
  const order: string[] = []
  const { gate } = createGate({
    onAsked: async () => {
      await Promise.resolve()
      order.push('stored')
    },
    answerer: async () => {
      order.push('asked')
      return { reply: 'once', by: 'terminal' }
    },
    onAnswered: () => void order.push('answered'),
  })
  await gate.check(question(shell('make')), never)
  assert.deepEqual(order, ['stored', 'asked', 'answered'])
})

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('It did not come to pass within 10 s.')
    await new Promise(resolve => setImmediate(resolve))
  }
}
