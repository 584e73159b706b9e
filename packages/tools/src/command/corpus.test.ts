import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { evaluateQuestion, type PermissionPart, parseRules, type RuleAction } from '@deckhand/core'
import { assessCommand } from './assess-command.ts'
import { createTestWorld } from './test-world.ts'

interface Case {
  readonly id: string
  readonly shell: 'bash' | 'powershell'
  readonly command: string
  readonly ruleset: string
  readonly accept: readonly RuleAction[]
  readonly external: readonly string[]
  readonly category: string
  readonly readonly?: boolean
}

const folder = resolve(import.meta.dirname, '../../../../test/permission-corpus')
const cases: readonly Case[] = readFileSync(`${folder}/cases.jsonl`, 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line))
const rulesets: Record<string, unknown> = JSON.parse(readFileSync(`${folder}/rulesets.json`, 'utf8'))
const strictness: readonly RuleAction[] = ['allow', 'ask', 'deny']

interface Outcome extends Case {
  readonly action: RuleAction
  readonly parts: readonly PermissionPart[]
  readonly kind: 'right' | 'stricter' | 'laxer'
}

async function judge(one: Case): Promise<Outcome> {
  const world = createTestWorld({ links: { '/work/proj/link-etc': '/etc', '/work/proj/link-up': '/work' } })
  const parts = await assessCommand(one.command, { ...world, cwd: '/work/proj', shell: one.shell })
  const rules = parseRules(rulesets[one.ruleset], { source: 'user' })
  const { action } = evaluateQuestion({ parts }, rules, 'ask')
  return { ...one, action, parts, kind: compare(action, one.accept) }
}

function compare(action: RuleAction, accept: readonly RuleAction[]): Outcome['kind'] {
  if (accept.includes(action)) return 'right'
  const least = Math.min(...accept.map(each => strictness.indexOf(each)))
  return strictness.indexOf(action) < least ? 'laxer' : 'stricter'
}

function isFlagged(path: string, parts: readonly PermissionPart[]): boolean {
  const parent = path.slice(0, path.lastIndexOf('/')) || '/'
  const wanted = [path, parent].flatMap(folder => [folder, `${folder === '/' ? '' : folder}/*`])
  return parts.some(part => part.permission === 'external_directory' && wanted.includes(part.pattern))
}

function printTable(outcomes: readonly Outcome[]): void {
  const rows = Map.groupBy(outcomes, one => `${one.shell} ${one.category}`)
  console.log('category                    right  stricter  laxer')
  for (const [name, list] of rows) {
    const count = (kind: Outcome['kind']) => String(list.filter(one => one.kind === kind).length)
    console.log(
      `${name.padEnd(26)} ${count('right').padStart(6)} ${count('stricter').padStart(9)} ${count('laxer').padStart(6)}`,
    )
  }
  for (const one of outcomes)
    if (one.kind !== 'right')
      console.log(`${one.kind}: ${one.id} ${JSON.stringify(one.command.slice(0, 100))}: ${one.action}`)
}

test('shell.safe_classification: no case of the corpus is judged laxer or stricter than a careful reader would', async () => {
  const outcomes = await Promise.all(cases.map(judge))
  printTable(outcomes)
  const count = (shell: Case['shell'], kind: Outcome['kind']) =>
    outcomes.filter(one => one.shell === shell && one.kind === kind).length
  assert.equal(count('bash', 'laxer') + count('powershell', 'laxer'), 0)
  assert.equal(count('bash', 'stricter') + count('powershell', 'stricter'), 0)
})

test('shell.workspace_boundary: each path of the corpus that lies outside is asked as an external directory', async () => {
  const outcomes = await Promise.all(cases.map(judge))
  const missing = outcomes.flatMap(one =>
    one.external.filter(path => !isFlagged(path, one.parts)).map(path => `${one.id} ${path}`),
  )
  assert.deepEqual(missing, [])
})

test('shell.safe_classification: what is called harmless changes nothing', async () => {
  const outcomes = await Promise.all(cases.filter(one => one.readonly === false).map(judge))
  const wrong = outcomes.filter(one => one.parts.every(part => part.harmless)).map(one => one.id)
  assert.deepEqual(wrong, [])
})
