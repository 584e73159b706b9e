// "A stored rule always satisfies the gate that asked for it", over real commands and all that is made of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtinRules, createPermissionGate, offerAlways, parseRules, systemClock } from '@deckhand/core'
import { assessCommand, createWorkspace } from '@deckhand/tools'
import fc from 'fast-check'

const home = '/nowhere/home'
const directory = '/nowhere/proj'
const workspace = createWorkspace({ directory, home })

const name = fc.constantFrom(
  ...[
    'ls',
    'git status',
    'git commit -m',
    'npm run build',
    'npm test',
    'rm',
    '/bin/rm',
    'make',
    'cp',
    'curl',
    'sed -i',
  ],
  ...[
    'env A=1 make',
    'sudo ls',
    'timeout 5 npm test',
    'xargs rm',
    'find . -name',
    'docker run',
    'python -m x',
    './x.sh',
  ],
)
const word = fc.constantFrom(
  ...[
    'a',
    'src/*.ts',
    'a?b',
    '[ab]',
    "'a  b'",
    '"a\nb"',
    "'*'",
    '"?"',
    '~/x',
    '/etc/hosts',
    '../up',
    '*',
    '-rf',
    '--',
    "''",
  ],
  ...['$X', '$(ls)', '{a,b}', 'é', "$'\\n'", '> out', '2>&1', '< in', '\\*'],
)
const simple = fc.tuple(name, fc.array(word, { maxLength: 3 })).map(([first, rest]) => [first, ...rest].join(' '))
const joiner = fc.constantFrom(' && ', '; ', ' | ', '\n')
const command = fc
  .tuple(simple, fc.array(fc.tuple(joiner, simple), { maxLength: 2 }))
  .map(([first, more]) => first + more.map(([sign, next]) => sign + next).join(''))

const rules = fc.constantFrom(
  {},
  { bash: 'ask' },
  { bash: { 'rm *': 'ask', 'git *': 'ask', '*': 'ask' } },
  { bash: { '*': 'allow', 'rm *': 'ask', 'npm *': 'ask' } },
  { edit: 'ask', read: 'ask', external_directory: 'ask', bash: { 'sudo *': 'ask' } },
)

test('core.always: whatever command was asked for, what "always" stored for it answers it from then on', async () => {
  let offers = 0
  await fc.assert(
    fc.asyncProperty(command, rules, fc.constantFrom('ask', 'workspace'), async (text, section, mode) => {
      const parts = await assessCommand(text, { shell: 'bash', cwd: directory, home, workspace })
      const gate = createPermissionGate({
        rules: [...builtinRules, ...parseRules(section, { source: 'user' })],
        mode: mode as 'ask' | 'workspace',
        clock: systemClock,
        answerer: async () => ({ reply: 'always', by: 'me', scope: 'session' }),
      })
      const question = { tool: 'shell', callID: 'c', title: text, parts }
      const before = await gate.evaluate(question)
      if (before.action !== 'ask') return
      await gate.check(question, new AbortController().signal)
      const after = await gate.evaluate(question)
      for (const [index, verdict] of before.parts.entries()) {
        const isOffered = offerAlways({ action: 'ask', parts: [verdict] }).length > 0
        if (isOffered) offers++
        if (isOffered || verdict.action === 'allow')
          assert.equal(after.parts[index]?.action, 'allow', `${verdict.part.permission}: ${verdict.part.pattern}`)
      }
    }),
    { numRuns: 1500 },
  )
  assert.ok(offers > 500, `only ${offers} parts were offered "always"`)
})
