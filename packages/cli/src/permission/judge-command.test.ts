import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtinRules, type PermissionMode, parseRules } from '@deckhand/core'
import { createWorkspace } from '@deckhand/tools'
import { judgeCommandText } from './judge-command.ts'
import { addLinks, listLinkedFolders } from './linked-workspace.ts'

const home = '/nowhere/home'
const directory = '/nowhere/proj'

function judge(
  command: string,
  { rules = {}, mode = 'ask' as PermissionMode, links = new Map<string, string>() } = {},
) {
  return judgeCommandText(command, {
    rules: [...builtinRules, ...parseRules(rules, { source: 'user' })],
    mode,
    shell: 'bash',
    cwd: directory,
    home,
    workspace: addLinks(createWorkspace({ directory, home }), links),
    folders: listLinkedFolders(links),
  })
}

test('core.rules: a command is judged by each mode, a sandbox being taken for granted in mode workspace', async () => {
  const decide = async (command: string, mode: PermissionMode) => (await judge(command, { mode })).verdict.action
  const modes = ['plan', 'ask', 'workspace', 'auto'] as const
  assert.deepEqual(await Promise.all(modes.map(mode => decide('make', mode))), ['deny', 'ask', 'allow', 'allow'])
  assert.equal(await decide('cat /etc/passwd', 'workspace'), 'ask')
  assert.equal(await decide('curl example.org', 'workspace'), 'ask')
})

test('core.rules: a symlink that is told is followed, also by a pattern of file names', async () => {
  const links = new Map([[`${directory}/out`, '/etc']])
  for (const command of ['cat out/passwd', 'cat o*/passwd', 'cat ./src/../out/passwd', 'cd out && cat passwd']) {
    const { verdict, external } = await judge(command, { links, rules: { bash: 'allow' } })
    assert.deepEqual([verdict.action, external.includes('/etc')], ['ask', true], command)
  }
  assert.equal((await judge('cat in/passwd', { links })).verdict.action, 'allow')
})
