// Sessions as a person uses them: go on, fork, list, show, move to another machine, delete. The built program.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createTestFolder, runDeckhand, startDeckhand } from './deckhand-process.ts'

function prepare(t: TestContext) {
  const folder = createTestFolder()
  t.after(folder.remove)
  const deckhand = (...args: readonly string[]) => runDeckhand(args, folder.options)
  /** Fails the test when the command does. */
  const output = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await deckhand(...args)
    assert.equal(code, 0, stderr)
    return stdout
  }
  const say = (text: string) => folder.script([{ say: text, usage: { input: 1000, output: 10 } }])
  const run = (text: string, ...args: readonly string[]) => output('run', '--model', say(text), ...args)
  const list = async (...args: readonly string[]) => JSON.parse(await output('session', 'list', '--json', ...args))
  return { folder, deckhand, output, run, list }
}

const noSession = (id: string) =>
  `deckhand: There is no session "${id}". "deckhand session list" shows those that there are.\n`

test('core.sessions: before the first run the list says how to start', async t => {
  const { output, list } = prepare(t)
  assert.equal(
    await output('session', 'list'),
    'No sessions yet. Start one: deckhand run "what does this project do?"\n',
  )
  assert.deepEqual(await list(), [])
})

test('core.sessions: a session goes on with --continue and --session, and the model is sent what was said', async t => {
  const { folder, run, output, list } = prepare(t)
  await run('The answer is 42.', '--title', 'Of answers', 'what is the answer?')
  const [{ id }] = await list()
  const second = folder.script([{ expect: 'are you sure?', say: 'Quite.' }])
  assert.equal(await output('run', '--quiet', '--model', second, '--continue', 'are you sure?'), 'Quite.\n')
  assert.equal(await output('run', '--quiet', '--model', second, '-s', id, 'are you sure?'), 'Quite.\n')
  const sessions = await list()
  assert.deepEqual(
    sessions.map(({ title, directory, messages, tokens }: Record<string, { total?: number }>) => [
      title,
      directory,
      messages,
      tokens?.total,
    ]),
    [['Of answers', folder.workspace, 6, 1010]],
  )
  assert.ok(sessions[0].updated >= sessions[0].created)
})

test('core.sessions: --continue takes the last session of this folder, not of another', async t => {
  const { folder, run, list, deckhand } = prepare(t)
  const other = join(folder.path, 'other')
  mkdirSync(other)
  await run('here', 'first')
  await run('there', '--dir', other, 'second')
  await run('here again', '--continue', 'third')
  assert.deepEqual(
    (await list()).map(({ title, messages }: Record<string, unknown>) => [title, messages]),
    [
      ['first', 4],
      ['second', 2],
    ],
  )
  assert.deepEqual(
    (await list('--dir', other)).map(({ title }: { title: string }) => title),
    ['second'],
  )
  assert.equal((await list('--limit', '1')).length, 1)

  const empty = join(folder.path, 'empty')
  mkdirSync(empty)
  const { code, stderr } = await deckhand('run', '--dir', empty, '--continue', 'go on')
  assert.equal(code, 2)
  assert.equal(
    stderr,
    `deckhand: ${empty} has no session to continue. Start one without --continue, or name one of "deckhand session list" with --session.\n`,
  )
})

test('core.sessions: a fork goes on in a copy, and the old session stays as it is', async t => {
  const { run, list, output } = prepare(t)
  await run('one', '--title', 'old', 'first')
  const [old] = await list()
  const before = await output('session', 'show', old.id, '--json')
  await run('two', '--continue', '--fork', '--title', 'new', 'second')
  const [copy, kept] = await list()
  assert.deepEqual([copy.title, copy.messages, copy.parentID], ['new', 4, old.id])
  assert.deepEqual(kept, old)
  assert.equal(await output('session', 'show', old.id, '--json'), before)
  assert.match(await output('session', 'show', copy.id), /> first\n\none\n\n> second\n\ntwo\n/)
})

test('core.sessions: a session is shown with each call, what the model was told, and how each turn ended', async t => {
  const { folder, deckhand, output, list } = prepare(t)
  folder.write('a.txt', 'alpha\n')
  const model = folder.script([
    { think: 'Hm.', say: 'I read it.', call: [{ read: { path: 'a.txt' } }, { read: { path: 'b.txt' } }] },
    { say: 'It says \u001b[31malpha\u001b[0m.' },
  ])
  await deckhand('run', '--model', model, '--title', 'a\ttitle', 'read it')
  await deckhand('run', '--model', folder.script([{ fail: { status: 400, message: 'no' } }]), '--continue', 'more')
  const [{ id }] = await list()
  const shown = (await output('session', 'show', id)).replace(/^started .*$/m, 'started then')
  assert.equal(
    shown,
    `${id}  a\ttitle
folder ${folder.workspace}
started then

> read it

  (thought) Hm.
I read it.
● read a.txt
${indent(resultOf(await output('session', 'show', id, '--json'), 'completed'))}
● read b.txt
  failed: ${resultOf(await output('session', 'show', id, '--json'), 'error')}

It says alpha.

> more

turns: done; failed: script (400): no
`,
  )
  assert.match(shown, /1\| alpha/)
})

interface ShownCall {
  readonly state?: { readonly status: string; readonly output?: string; readonly error?: string }
}

function resultOf(json: string, status: string): string {
  const parts = JSON.parse(json).messages.flatMap(({ parts }: { parts: ShownCall[] }) => parts) as ShownCall[]
  const state = parts.find(part => part.state?.status === status)?.state
  return state?.output ?? state?.error ?? ''
}

function indent(text: string): string {
  return text
    .split('\n')
    .map(line => (line === '' ? '' : `  ${line}`))
    .join('\n')
}

test('core.sessions: a session goes to another machine as a file, is the same there, and goes on', async t => {
  const here = prepare(t)
  const there = prepare(t)
  here.folder.write('a.txt', 'alpha\n')
  const model = here.folder.script([{ say: 'I read.', call: { read: { path: 'a.txt' } } }, { say: 'alpha' }])
  await here.output('run', '--model', model, 'read it')
  const [{ id }] = await here.list()
  const file = join(here.folder.path, 'session.json')
  const { code, stdout, stderr } = await here.deckhand('session', 'export', id, '--output', file)
  assert.deepEqual([code, stdout], [0, ''])
  assert.match(stderr, new RegExp(`^Wrote ${file} \\(\\d+ events\\)\\.\n$`))
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(await here.output('session', 'export', id), readFileSync(file, 'utf8'))

  assert.equal(await there.output('session', 'import', file), `Imported ${id}: read it\n`)
  const shown = async ({ output }: typeof here) => JSON.parse(await output('session', 'show', id, '--json'))
  assert.deepEqual(await shown(there), await shown(here))
  assert.deepEqual(await there.list(), await here.list())

  const second = await there.deckhand('session', 'import', file)
  assert.equal(second.code, 1)
  assert.equal(second.stderr, `deckhand: The session ${id} is here already. Delete it first, or leave it.\n`)

  const piped = await runDeckhand(['session', 'import', '-'], {
    ...prepare(t).folder.options,
    stdin: readFileSync(file, 'utf8'),
  })
  assert.equal(piped.stdout, `Imported ${id}: read it\n`)

  const goesOn = await there.run('beta', '--session', id, '--dir', there.folder.workspace, 'and now?')
  assert.match(goesOn, /beta/)
})

test('core.sessions: what can not be imported is told with its place, and nothing is stored', async t => {
  const { folder, deckhand, list, run, output } = prepare(t)
  await run('one', 'first')
  const [{ id }] = await list()
  const exported = JSON.parse(await output('session', 'export', id))
  await output('session', 'delete', id)
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['no JSON', '{"a":', /^deckhand: \S+bad\.json is no JSON \(.+\)\. Nothing was imported\.\n$/],
    [
      'something else',
      '{"name":"x"}',
      /^deckhand: This is not a session that Deckhand exported: format.+ Nothing was imported\.\n$/,
    ],
    ['a newer form', JSON.stringify({ ...exported, version: 2 }), /version.+ Nothing was imported\.\n$/],
    [
      'a hole in the events',
      JSON.stringify({ ...exported, events: exported.events.toSpliced(2, 1) }),
      /events\.2.+ Nothing was imported\.\n$/s,
    ],
  ]
  for (const [what, text, message] of cases) {
    const file = folder.write('bad.json', text)
    const { code, stdout, stderr } = await deckhand('session', 'import', file)
    assert.deepEqual([code, stdout], [1, ''], what)
    assert.match(stderr, message, what)
    assert.deepEqual(await list(), [], what)
  }
  const missing = await deckhand('session', 'import', 'none.json')
  assert.equal(missing.code, 2)
  assert.match(missing.stderr, /^deckhand: none\.json can't be read: ENOENT/)
})

test('an imported title can neither move the cursor nor pass for other lines', async t => {
  const { folder, output, run, list } = prepare(t)
  await run('one', 'first')
  const [{ id }] = await list()
  const exported = JSON.parse(await output('session', 'export', id))
  await output('session', 'delete', id)
  const title = 'nice\u001b[2K\u001b]0;x\u0007\nses_0000000000 forged'
  const [created, ...rest] = exported.events
  const file = folder.write(
    'evil.json',
    JSON.stringify({
      ...exported,
      session: { ...exported.session, title },
      events: [{ ...created, event: { ...created.event, session: { ...created.event.session, title } } }, ...rest],
    }),
  )
  assert.equal(await output('session', 'import', file), `Imported ${id}: nice ⏎ ses_0000000000 forged\n`)
  assert.equal((await output('session', 'list')).split('\n').length, 3)
  assert.match(await output('session', 'list'), /nice ⏎ ses_0000000000 forged/)
  assert.match(await output('session', 'show', id), /^ses_\w+ {2}nice ⏎ ses_0000000000 forged\nfolder /)
})

test('an error that quotes a file shows its control characters, and does not obey them', async t => {
  const { folder, deckhand } = prepare(t)
  const file = folder.write('evil.json', '\u0007\u001b[2Kevil')
  const { code, stderr } = await deckhand('session', 'import', file)
  assert.equal(code, 1)
  assert.match(stderr, /evil\.json is no JSON \(Unexpected token '␇'/)
  assert.doesNotMatch(stderr, /[\u0007\u001b]/)
})

test('core.sessions: an export never writes over a file, and says where it could not write', async t => {
  const { folder, run, list, deckhand } = prepare(t)
  await run('one', 'first')
  const [{ id }] = await list()
  const file = join(folder.workspace, 'there.json')
  writeFileSync(file, 'mine')
  const over = await deckhand('session', 'export', id, '-o', file)
  assert.equal(over.code, 2)
  assert.equal(over.stderr, `deckhand: ${file} is there already. Delete it, or name another file.\n`)
  assert.equal(readFileSync(file, 'utf8'), 'mine')
  const nowhere = await deckhand('session', 'export', id, '-o', 'no/folder.json')
  assert.equal(nowhere.code, 2)
  assert.match(nowhere.stderr, /no\/folder\.json can't be written: ENOENT/)
})

test('core.sessions: sessions are deleted for good; one unknown id among them deletes none', async t => {
  const { run, list, deckhand, output } = prepare(t)
  await run('one', 'first')
  await run('two', 'second')
  const [second, first] = await list()
  const half = await deckhand('session', 'delete', first.id, 'ses_000000000000')
  assert.deepEqual([half.code, half.stdout, half.stderr], [2, '', noSession('ses_000000000000')])
  assert.equal((await list()).length, 2)
  assert.equal(await output('session', 'delete', first.id, first.id), `Deleted ${first.id}\n`)
  assert.deepEqual(await list(), [second])
  for (const args of [
    ['session', 'show', first.id],
    ['session', 'export', first.id],
    ['session', 'delete', first.id],
    ['run', '--session', first.id, 'go on'],
  ]) {
    const { code, stdout, stderr } = await deckhand(...args)
    assert.deepEqual([code, stdout, stderr.replaceAll('"', '')], [2, '', noSession(first.id).replaceAll('"', '')])
  }
  const nonsense = await deckhand('session', 'show', '../../etc/passwd')
  assert.deepEqual([nonsense.code, nonsense.stderr], [2, noSession('../../etc/passwd')])
})

test('core.sessions: while a turn runs, a second one and the deletion of its session are refused, with who holds it', async t => {
  const { folder, deckhand, list } = prepare(t)
  const slow = folder.script([{ say: 'I wait.', call: { shell: { command: 'read line < go' } } }, { say: 'Went.' }])
  await runDeckhand(['run', '--model', folder.script([{ say: 'one' }]), 'first'], folder.options)
  const go = folder.script([{ say: 'made', call: { shell: { command: 'mkfifo go' } } }, { say: 'made' }])
  await deckhand('run', '--auto', '--model', go, '--continue', 'make it')
  const [{ id }] = await list()
  const first = startDeckhand(['run', '--auto', '--format', 'json', '--model', slow, '-s', id, 'wait'], folder.options)
  await first.until(/"tool\.start"/)
  const second = await deckhand('run', '--model', slow, '-s', id, 'me too')
  assert.equal(second.code, 1)
  assert.match(
    second.stderr,
    new RegExp(
      `^deckhand: The session ${id} is busy: process ${first.child.pid} on \\S+ has been working on it since \\S+Z\\. Wait for it, end it, or go on in a copy with --fork\\.\n$`,
      'm',
    ),
  )
  const deletion = await deckhand('session', 'delete', id)
  assert.deepEqual([deletion.code, deletion.stdout], [1, ''])
  assert.match(deletion.stderr, /^deckhand: The session \S+ is busy: /)
  writeFileSync(join(folder.workspace, 'go'), 'now\n')
  const { code } = await first.exited
  assert.equal(code, 0)
  assert.equal((await list())[0].messages, 8)
})

test('core.sessions: a session whose folder is gone says so, and goes on in another', async t => {
  const { folder, deckhand, list, run } = prepare(t)
  const old = join(folder.path, 'old')
  mkdirSync(old)
  await run('one', '--dir', old, 'first')
  const [{ id }] = await list()
  rmdirSync(old)
  const gone = await deckhand('run', '--session', id, 'go on')
  assert.equal(gone.code, 2)
  assert.equal(gone.stderr, `deckhand: The session's folder ${old} is gone. Go on in another one with --dir.\n`)
  await run('two', '--session', id, '--dir', folder.workspace, 'go on')
  assert.equal((await list())[0].directory, folder.workspace)
})
