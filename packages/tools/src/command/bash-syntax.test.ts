import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { builtinRules, evaluateQuestion, parseRules } from '@deckhand/core'
import { assessCommand } from './assess-command.ts'
import { loadUnbash, parseCommand } from './parse.ts'
import { createTestWorld } from './test-world.ts'

const corpus = join(import.meta.dirname, '../../../../test/permission-corpus/cases.jsonl')
const hasBash = spawnSync('bash', ['--version']).status === 0

test('shell.safe_classification: where bash and the parser disagree on what is a command, it is asked whatever is allowed', {
  skip: hasBash ? false : 'bash is not there',
}, async t => {
  const unbash = await loadUnbash()
  const rules = [...builtinRules, ...parseRules('allow', { source: 'user' })]
  const cases: { id: string; shell: string; command: string }[] = readFileSync(corpus, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const texts = cases.filter(({ shell, command }) => shell === 'bash' && !command.includes('\0'))
  const disagreeing: string[] = []
  for (const { id, command } of texts) {
    const { status } = spawnSync('bash', ['-n'], { input: command })
    const isTaken = parseCommand(command, unbash).problem === undefined
    if ((status === 0) === isTaken) continue
    disagreeing.push(id)
    const parts = await assessCommand(command, { ...createTestWorld(), cwd: '/work/proj', shell: 'bash' })
    const { action } = evaluateQuestion({ parts }, rules, 'ask')
    assert.notEqual(action, 'allow', `${id}: ${command}`)
  }
  t.diagnostic(`${texts.length} texts; they disagree on ${disagreeing.length}: ${disagreeing.join(', ')}`)
})
