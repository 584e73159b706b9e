// `deckhand permission list | allow | deny | revoke | log`: the built program.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { createTestFolder, runDeckhand } from './deckhand-process.ts'

function prepare(t: TestContext) {
  const folder = createTestFolder()
  t.after(folder.remove)
  const permission = (...args: readonly string[]) => runDeckhand(['permission', ...args], folder.options)
  const list = async () => JSON.parse((await permission('list', '--json')).stdout)
  /** Lets the model run a command where nobody can be asked. Gives the exit code, and the session's id. */
  const run = async (command: string) => {
    const model = folder.script([{ call: { shell: { command } } }, { say: 'ok' }])
    const { code, stdout } = await runDeckhand(
      ['run', '--mode', 'ask', '--format', 'json', '--model', model, 'go'],
      folder.options,
    )
    return { code, sessionID: String(JSON.parse(stdout.split('\n')[0] ?? '{}').sessionID) }
  }
  return { folder, permission, list, run }
}

test('core.rules: all rules are listed in their order, with the file that each stands in', async t => {
  const { folder, permission, list } = prepare(t)
  folder.configure({ permission: { shell: { 'make *': 'allow' }, external_directory: { '~/notes/*': 'allow' } } })
  const file = folder.write('deckhand.json', '{ "permission": { "edit": { "docs/*": "deny" } } }')
  const { stdout } = await permission('list')
  const lines = stdout.split('\n')
  assert.equal(lines[0], `Rules in ${folder.workspace}, the last match wins:`)
  const own = join(folder.home, 'deckhand.jsonc')
  assert.deepEqual(lines.slice(lines.indexOf(`  shell "make *" = allow  (${own})`), lines.indexOf('')), [
    `  shell "make *" = allow  (${own})`,
    `  external_directory "${folder.path}/notes/*" = allow  (${own})`,
    `  edit "docs/*" = deny  (${file})`,
  ])
  assert.deepEqual((await list()).rules.at(-1), {
    permission: 'edit',
    pattern: 'docs/*',
    action: 'deny',
    source: 'project',
    origin: file,
  })
})

test('core.always: a rule that was typed holds from the next run on, and is taken back', async t => {
  const { folder, permission, list, run } = prepare(t)
  assert.equal((await run('touch one')).code, 3)
  const { code, stdout } = await permission('allow', 'bash', 'touch *')
  const [, id = ''] = /^Stored (per_\w+): allow shell: touch \* {2}\(project .*\)\n$/.exec(stdout) ?? []
  assert.deepEqual([code, id !== ''], [0, true], stdout)
  assert.equal((await run('touch one')).code, 0)
  const { approvals } = await list()
  assert.deepEqual(
    approvals.map(({ scope, subject, createdBy }: Record<string, string>) => [scope, subject, createdBy]),
    [['project', folder.workspace, 'command line']],
  )
  assert.equal((await permission('revoke', id)).code, 0)
  assert.equal((await run('touch two')).code, 3)
})

test('core.rules: what is denied on the command line is denied, and an allow that it overrules says so', async t => {
  const { folder, permission, run } = prepare(t)
  folder.configure({ permission: { shell: { 'touch *': 'allow', 'rm *': 'deny' } } })
  await permission('deny', 'shell', 'touch b*', '--scope', 'user')
  await run('touch a; touch b')
  assert.match((await permission('log')).stdout, /\n {4}denied {2}\(.*\n {4}shell: touch b /)
  const judged = JSON.parse((await permission('test', 'touch b', '--json')).stdout)
  assert.equal(judged.decision, 'deny')
  const { stdout } = await permission('allow', 'shell', 'rm x')
  assert.match(stdout, /\nIt does not count as it stands: the rule shell: "rm \*" is deny \(.*deckhand\.jsonc\)\.\n$/)
})

test('core.always: a rule of a session holds in that session alone', async t => {
  const { permission, list, run } = prepare(t)
  const { sessionID } = await run('true')
  assert.equal((await permission('allow', 'edit', 'src/*', '--scope', 'session', '--session', sessionID)).code, 0)
  const { approvals, elsewhere } = await list()
  assert.deepEqual([approvals, elsewhere.length, elsewhere[0].subject], [[], 1, sessionID])
})

test('core.always: what can not be stored is told in words, and ends with 2', async t => {
  const { permission, list } = prepare(t)
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [['foo', 'x'], /"foo" is no permission\. Use one of read, edit, glob, .*, or mcp:SERVER:TOOL\./],
    [['lsp', 'x'], /"lsp" is no permission/],
    [['shell', ' '], /The pattern is empty/],
    [['shell', 'x', '--scope', 'session'], /--scope session needs --session ID/],
    [['shell', 'x', '--session', 'ses_1'], /--session names a session, and the scope is project/],
    [['shell', 'x', '--scope', 'session', '--session', 'ses_none'], /There is no session ses_none/],
    [['shell', 'x', '--scope', 'world'], /--scope <scope>/],
    [['shell', 'x', '--dir', 'none'], /There is no folder /],
    [['shell'], /missing required argument 'pattern'/],
  ]
  for (const [args, words] of wrong) {
    const { code, stderr, stdout } = await permission('allow', ...args)
    assert.deepEqual([code, stdout], [2, ''], args.join(' '))
    assert.match(stderr, words)
  }
  const { approvals, elsewhere } = await list()
  assert.deepEqual([...approvals, ...elsewhere], [])
})

test('core.rules: the log tells what was decided, why and by whom, also after the session is gone', async t => {
  const { folder, permission, run } = prepare(t)
  folder.configure({ permission: { shell: { 'touch a': 'allow', 'rm *': 'deny' } } })
  const { sessionID } = await run('touch a')
  const other = await run('rm a')
  await run('make all')
  const { stdout } = await permission('log')
  const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d'
  const file = join(folder.home, 'deckhand.jsonc').replaceAll('.', '\\.')
  const expected = [
    `${time}  shell: touch a`,
    `    allowed  \\(mode ask, ${sessionID}\\)`,
    `    shell: touch a  \\(the rule shell: "touch a" is allow \\(${file}\\)\\)`,
    '    edit: a  \\(no rule is against it\\)',
    `${time}  shell: rm a`,
    `    denied  \\(mode ask, ${other.sessionID}\\)`,
    `    shell: rm a  \\(the rule shell: "rm \\*" is deny \\(${file}\\)\\)`,
    `${time}  shell: make all`,
    '    asked: nobody was there, so it was not done  \\(mode ask, ses_\\w+\\)',
    '    shell: make all  \\(no rule allows it\\)',
    '',
  ]
  assert.match(stdout, new RegExp(`^${expected.join('\n')}$`))
  await runDeckhand(['session', 'delete', sessionID], folder.options)
  const kept = JSON.parse((await permission('log', '--json', '--session', sessionID)).stdout)
  assert.deepEqual([kept.length, kept[0].action, kept[0].title], [1, 'allow', 'touch a'])
  assert.equal(JSON.parse((await permission('log', '--json', '--limit', '1')).stdout)[0].title, 'make all')
  assert.match((await permission('log', '--limit', '0')).stderr, /It must be a whole number from 1\./)
})

test('core.preflight: what can not be written to the log is not done, and the run says why', async t => {
  const { folder, permission } = prepare(t)
  await permission('list')
  const database = new DatabaseSync(join(folder.home, 'data/deckhand.db'))
  database.exec("CREATE TRIGGER full BEFORE INSERT ON verdict BEGIN SELECT RAISE(ABORT, 'no room'); END")
  database.close()
  const model = folder.script([{ call: { shell: { command: 'touch made' } } }, { say: 'ok' }])
  const { code, stderr, stdout } = await runDeckhand(['run', '--auto', '--model', model, 'go'], folder.options)
  assert.equal(existsSync(join(folder.workspace, 'made')), false)
  assert.equal(code, 1)
  assert.match(
    stdout + stderr,
    /Nothing was done, as the decision about it could not be written to the audit log: .*no room/,
  )
})
