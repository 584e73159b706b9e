import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { builtinRules, evaluateQuestion, parseRules, type Rule } from '@deckhand/core'
import { assessCommand } from './assess-command.ts'
import { createTestWorld } from './test-world.ts'

const corpus = resolve(import.meta.dirname, '../../../../test/permission-corpus/rulesets.json')
const rulesets: Record<string, unknown> = JSON.parse(readFileSync(corpus, 'utf8'))
const world = createTestWorld({
  links: { '/work/proj/link-etc': '/etc', '/work/proj/link-up': '/work' },
  files: ['/work/proj/src/a.ts'],
})

function readLines(name: string): readonly string[] {
  const text = readFileSync(resolve(import.meta.dirname, 'fixtures', name), 'utf8')
  return text.split('\n').filter(line => line !== '' && !line.startsWith('//'))
}

function rulesOf(name: string): readonly Rule[] {
  return name === 'none' ? builtinRules : parseRules(rulesets[name], { source: 'user' })
}

async function findWrong(line: string): Promise<string | undefined> {
  const [wanted = '', ruleset = '', ...words] = line.split(' ')
  const command = words.join(' ').replace(/\\([nt])/g, (_, letter) => (letter === 'n' ? '\n' : '\t'))
  const parts = await assessCommand(command, { ...world, cwd: '/work/proj', shell: 'bash' })
  const { action } = evaluateQuestion({ parts }, rulesOf(ruleset), 'ask')
  return wanted.split(',').includes(action) ? undefined : `${action}: ${line}`
}

async function findAllWrong(name: string): Promise<readonly string[]> {
  const found = await Promise.all(readLines(name).map(findWrong))
  return found.filter(line => line !== undefined)
}

test('shell.safe_classification: B069, B072, B076, B077, B084, B088: nothing hides a command, a file or a path outside', async () => {
  assert.deepEqual(await findAllWrong('verdicts-bypass.txt'), [])
})

test('shell.safe_classification: B095, B097, B098, B102, B103, B106, B110: everyday commands raise no false alarm', async () => {
  assert.deepEqual(await findAllWrong('verdicts-everyday.txt'), [])
})
