import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluateQuestion, parseRules } from '@deckhand/core'
import { assessCommand } from '../assess-command.ts'
import { createTestWorld } from '../test-world.ts'

async function judge(command: string): Promise<string> {
  const world = createTestWorld()
  const parts = await assessCommand(command, { ...world, cwd: '/work/proj', shell: 'bash' })
  return evaluateQuestion({ parts }, parseRules({ bash: 'allow' }, { source: 'user' }), 'ask').action
}

test('core.rules: a command that changes what Deckhand allows is asked, whatever a rule allows', async () => {
  for (const command of [
    'deckhand permission allow shell "*"',
    'deckhand permission trust --yes',
    'deckhand permission revoke per_1',
    'npx deckhand permission allow shell x',
    './node_modules/.bin/deckhand permission untrust',
    'deckhand permission "$X"',
    'deckhand $X allow shell x',
    'deckhand run --auto go',
    'deckhand mcp --mode=auto',
  ])
    assert.equal(await judge(command), 'ask', command)
  for (const command of [
    'deckhand permission list',
    'deckhand permission test "rm x"',
    'deckhand run go',
    'deckhand doctor',
    'deckhand',
  ])
    assert.equal(await judge(command), 'allow', command)
})
