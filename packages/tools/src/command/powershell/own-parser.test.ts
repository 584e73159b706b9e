import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { analyseCommand } from '../analysis.ts'
import { createTestWorld } from '../test-world.ts'
import { createOwnParser } from './own-parser.ts'

// A program in PowerShell's place: it gives the answer that it is made with, and keeps what it was asked.
function createStandIn(t: TestContext, body: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-pwsh-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'pwsh')
  writeFileSync(file, `#!/bin/sh\n${body}\n`)
  chmodSync(file, 0o755)
  return file
}

const world = { ...createTestWorld(), cwd: '/work/proj', shell: 'powershell' } as const

test("shell.safe_classification: PowerShell's own parser is asked with the text on its input, and can only make the answer stricter", async t => {
  const answering = (answer: unknown) =>
    createOwnParser(createStandIn(t, `cat > /dev/null; printf '%s' '${JSON.stringify(answer)}'`))
  const unknown = async (text: string, answer: unknown) =>
    (await analyseCommand(text, { ...world, askOwnParser: answering(answer) })).unknown.map(({ reason }) => reason)
  assert.deepEqual(await unknown('Get-ChildItem', { errors: 0, commands: ['Get-ChildItem'] }), [])
  assert.deepEqual(await unknown('gci | SELECT Name', { errors: 0, commands: ['gci', 'SELECT'] }), [])
  assert.deepEqual(await unknown('Get-ChildItem', { errors: 2, commands: [] }), [
    "the command can't be judged: PowerShell's own parser finds errors in it",
  ])
  assert.deepEqual(await unknown('Get-ChildItem', { errors: 0, commands: ['Get-ChildItem', 'Remove-Item'] }), [
    "PowerShell's own parser finds the command Remove-Item in it, which is not followed here",
  ])
  assert.deepEqual(await unknown('Get-ChildItem', { errors: 0, commands: [''] }), [
    "PowerShell's own parser finds a computed command in it, which is not followed here",
  ])
})

test('shell.safe_classification: without an answer of PowerShell the own judgement stands', async t => {
  for (const body of ['exit 1', 'echo nonsense', 'cat']) {
    const askOwnParser = createOwnParser(createStandIn(t, body))
    assert.deepEqual((await analyseCommand('Get-ChildItem', { ...world, askOwnParser })).unknown, [], body)
  }
  const missing = createOwnParser('/nowhere/pwsh')
  assert.equal(await missing('Get-ChildItem'), undefined)
})
