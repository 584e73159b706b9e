// The shell tool in mode workspace: what runs without a question, what is asked, and what the model is told of it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { PermissionAnswer } from '@deckhand/core'
import { createContainedShell, noSandbox } from './fixtures/contained-shell.ts'

const skip = noSandbox
const fenced = (command: string, text: string) => `<output of="${command}" fence="w">\n${text}</output fence="w">\n`

// A server of this machine, outside the sandbox.
async function serveHello(t: TestContext): Promise<string> {
  const server = createServer((_, response) => response.end('hello\n')).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('core.sandbox: what stays in the workspace runs without a question, known or not', { skip }, async () => {
  await using shell = createContainedShell()
  shell.put('workspace/run.sh', 'echo made > made; mktemp -d > /dev/null; echo x > /tmp/kept\n')
  assert.match(await shell.told('bash run.sh; $UNSET cat made /tmp/kept'), /\nmade\nx\n.*\nexit 0/)
  assert.equal(readFileSync(join(shell.workspace, 'made'), 'utf8'), 'made\n')
  assert.deepEqual(shell.questions, [])
})

test("core.sandbox: /tmp is the run's own; what is in the machine's /tmp is asked for by name, and then shown", {
  skip,
}, async t => {
  await using shell = createContainedShell()
  const own = mkdtempSync(join(tmpdir(), 'deckhand-test-'))
  t.after(() => rmSync(own, { recursive: true, force: true }))
  writeFileSync(join(own, 'shot.txt'), 'of the machine\n')
  assert.match(await shell.told('echo x > /tmp/deckhand-made; cat /tmp/deckhand-made; ls /tmp'), /\nx\ndeckhand-made\n/)
  assert.match(await shell.told('cat /tmp/deckhand-made > a; cat a'), /\nx\n/)
  assert.equal(existsSync('/tmp/deckhand-made'), false)
  assert.deepEqual(shell.questions, [])
  shell.answer = { reply: 'once', by: 'me' }
  assert.match(await shell.told(`cat ${own}/shot.txt`), /of the machine/)
  assert.deepEqual(
    shell.questions.map(({ title }) => title),
    [`cat ${own}/shot.txt`],
  )
})

test('core.sandbox: what was refused is told, with the reason why it was not let out', { skip }, async () => {
  await using shell = createContainedShell()
  const file = join(shell.outside, 'x')
  const command = "python3 -c \"open('../outside/x', 'w')\""
  const told = await shell.told(command)
  assert.match(
    told,
    new RegExp(
      `exit 1 · TIME · the sandbox kept it from writing ${file} · not let out of the sandbox: the user was asked and said no$`,
    ),
  )
  assert.deepEqual(
    shell.questions.map(({ title, parts }) => [title, parts.map(({ permission, pattern }) => [permission, pattern])]),
    [
      [
        `Run again outside the sandbox, as the sandbox kept it from writing ${file}: ${command}`,
        [['outside_sandbox', "python3 -c open('../outside/x', 'w')"]],
      ],
    ],
  )
  assert.equal(existsSync(file), false)
})

test('core.sandbox: let out by a person it runs again, and the model is told that it ran twice', { skip }, async () => {
  await using shell = createContainedShell()
  shell.answer = { reply: 'once', by: 'me' }
  const file = join(shell.outside, 'x')
  const told = await shell.told("echo try >> tries; python3 -c \"open('../outside/x', 'w')\"")
  assert.equal(
    told,
    `exit 0 · no output · TIME · run twice: the sandbox kept it from writing ${file}; this is the second run, outside it, as was allowed`,
  )
  assert.equal(readFileSync(join(shell.workspace, 'tries'), 'utf8'), 'try\ntry\n')
  assert.ok(existsSync(file))
})

test('core.sandbox: a rule lets a command out at once; one of several is not enough', { skip }, async () => {
  await using shell = createContainedShell({ permission: { outside_sandbox: { './out.sh': 'allow' } } })
  shell.put('workspace/out.sh', 'echo x > ../outside/x\n')
  await shell.call('chmod +x out.sh')
  assert.equal(await shell.told('./out.sh'), 'exit 0 · no output · TIME')
  assert.deepEqual(shell.questions, [])
  assert.match(await shell.told('./out.sh; python3 -c 1; ./out.sh'), /the sandbox kept it from writing/)
})

test('core.sandbox: a folder outside is asked for by name, and then written, without leaving the sandbox', {
  skip,
}, async () => {
  await using shell = createContainedShell()
  shell.answer = { reply: 'once', by: 'me' }
  assert.equal(await shell.told('echo x > ../outside/x'), 'exit 0 · no output · TIME')
  assert.deepEqual(
    shell.questions.map(({ parts }) =>
      parts.filter(part => part.permission === 'external_directory').map(part => part.pattern),
    ),
    [[`${shell.outside}/*`]],
  )
  assert.equal(readFileSync(join(shell.outside, 'x'), 'utf8'), 'x\n')
})

test('core.sandbox: what is asked for is opened and no more: the file that is there, and never all of the home folder', {
  skip,
}, async () => {
  await using shell = createContainedShell()
  shell.answer = { reply: 'once', by: 'me' }
  shell.put('outside/file', 'old\n')
  shell.put('workspace/other.sh', 'echo x > ../outside/other\n')
  shell.put('workspace/rc.sh', 'echo x > "$HOME/.bashrc"\n')
  const parts = () => shell.questions.map(({ parts: all }) => all.map(({ permission }) => permission))
  // The first question opens the file; what stands beside it is another question.
  const answers: PermissionAnswer[] = [
    { reply: 'once', by: 'me' },
    { reply: 'reject', by: 'me' },
  ]
  shell.onQuestion = () => answers.shift() ?? { reply: 'reject', by: 'me' }
  assert.match(
    await shell.told('echo new > ../outside/file; bash other.sh'),
    /kept it from writing \S+\/outside\/other/,
  )
  assert.equal(readFileSync(join(shell.outside, 'file'), 'utf8'), 'new\n')
  assert.equal(existsSync(join(shell.outside, 'other')), false)
  assert.ok(parts()[0]?.includes('external_directory'))
  assert.deepEqual(parts()[1], ['outside_sandbox', 'outside_sandbox'])
  answers.push({ reply: 'once', by: 'me' }, { reply: 'reject', by: 'me' })
  assert.match(await shell.told('echo x > ~/new; bash rc.sh'), /the sandbox kept it from writing/)
  assert.equal(existsSync(join(shell.home, '.bashrc')), false)
})

test('core.sandbox: hooks that a command may have made can not change the settings of git', { skip }, async () => {
  await using shell = createContainedShell()
  await shell
    .call(
      'git init -q . && git config user.name A && git config user.email a@b.example && git config core.hooksPath hooks',
    )
    .catch(() => undefined)
  shell.put(
    'workspace/.git/config',
    '[core]\n\trepositoryformatversion = 0\n\thooksPath = hooks\n[user]\n\tname = A\n\temail = a@b.example\n',
  )
  shell.put('workspace/hooks/pre-commit', '#!/bin/sh\necho "[alias]" >> .git/config\n')
  chmodSync(join(shell.workspace, 'hooks/pre-commit'), 0o755)
  await shell.call('git add -A && git commit -qm one')
  assert.doesNotMatch(readFileSync(join(shell.workspace, '.git/config'), 'utf8'), /alias/)
})

test('core.sandbox: a secret can not be read by a program; named in the command it is asked for', {
  skip,
}, async () => {
  await using shell = createContainedShell()
  shell.put('workspace/.env', 'KEY=secret\n')
  shell.put('workspace/app.py', 'print(open(".env").read())\n')
  const refused = await shell.told('python3 app.py')
  assert.match(refused, /exit 1 · TIME · the sandbox kept it from reading \S+\/workspace\/\.env · not let out/)
  assert.match(refused, /in the sandbox it can't read \.env$/)
  assert.doesNotMatch(refused, /secret/)
  shell.questions.length = 0
  shell.answer = { reply: 'once', by: 'me' }
  assert.equal(await shell.told('cat .env'), `${fenced('cat .env', 'KEY=secret\n')}exit 0 · TIME`)
  assert.deepEqual(
    shell.questions.map(({ title }) => title),
    ['cat .env'],
  )
})

test('core.sandbox: a secret may be made readable by configuration', { skip }, async () => {
  await using shell = createContainedShell({ readablePaths: ['.env'] })
  shell.put('workspace/.env', 'KEY=1\n')
  shell.put('workspace/app.py', 'print(open(".env").read(), end="")\n')
  assert.equal(await shell.told('python3 app.py'), `${fenced('python3 app.py', 'KEY=1\n')}exit 0 · TIME`)
})

test('core.sandbox: hooks and settings of git stay as they are, and git works', { skip }, async () => {
  await using shell = createContainedShell()
  const git = 'git -c user.name=A -c user.email=a@b.example'
  await shell.call('git init -q . && echo a > a && git add a')
  assert.match(await shell.told(`${git} commit -qm "one"`), /^exit 0/)
  shell.questions.length = 0
  assert.match(
    await shell.told("python3 -c \"open('.git/hooks/pre-commit', 'w')\""),
    /kept it from writing \S+\/\.git\/hooks\/pre-commit/,
  )
  assert.match(await shell.told('git checkout -q -b next && git status --short && git log --oneline | wc -l'), /\n1\n/)
  shell.questions.length = 0
  assert.match(await shell.told('git remote add origin https://host.example/a.git'), /^exit 0/)
  assert.deepEqual(shell.questions, [])
  assert.match(await shell.told('git config core.hooksPath evil'), /the sandbox kept it from writing/)
})

test('core.sandbox: the network is asked for beforehand where it is surely needed, and off where not', {
  skip,
}, async t => {
  const url = await serveHello(t)
  await using shell = createContainedShell()
  await assert.rejects(shell.call(`curl -s ${url}`), /said no/)
  assert.deepEqual(
    shell.questions.map(({ parts }) => parts.map(({ permission, pattern }) => [permission, pattern])),
    [
      [
        ['shell', `curl -s ${url}`],
        ['network', `curl -s ${url}`],
      ],
    ],
  )
  const script = `python3 -c "import urllib.request as u; print(u.urlopen('${url}').read())"`
  const refused = await shell.told(script)
  assert.match(refused, /exit 1 · TIME( · .*)?$/)
  shell.answer = { reply: 'once', by: 'me' }
  assert.match(await shell.told(`curl -s ${url}`), /\nhello\n/)
})

test('core.sandbox: a rule turns the network on for the commands that it names, and for no other beside them', {
  skip,
}, async t => {
  const url = await serveHello(t)
  await using shell = createContainedShell({ permission: { network: { 'curl *': 'allow', 'python3 ok.py': 'allow' } } })
  const code = `import urllib.request as u; print(u.urlopen('${url}').read())\n`
  for (const name of ['ok.py', 'other.py']) shell.put(`workspace/${name}`, code)
  assert.match(await shell.told(`curl -s ${url}`), /\nhello\n/)
  assert.match(await shell.told('python3 ok.py'), /hello/)
  assert.deepEqual(shell.questions, [])
  assert.match(await shell.told('python3 ok.py > /dev/null; python3 other.py'), /exit 1/)
})

test('core.sandbox: a server of one call is there for the next, and can be ended by the pid that was told', {
  skip,
}, async () => {
  await using shell = createContainedShell()
  shell.put('workspace/index.txt', 'served\n')
  const started = await shell.told('python3 -m http.server 8765 > log 2>&1 &')
  const pid = /still running: .*?\(pid (\d+)\)/.exec(started)?.[1]
  assert.ok(pid, started)
  const get = 'for i in $(seq 100); do python3 get.py && break; sleep 0.1; done'
  shell.put(
    'workspace/get.py',
    'import urllib.request as u; print(u.urlopen("http://localhost:8765/index.txt").read())\n',
  )
  assert.match(await shell.told(`${get} 2> /dev/null`), /served/)
  assert.match(await shell.told(`kill ${pid}; while kill -0 ${pid} 2> /dev/null; do sleep 0.05; done`), /^exit 0/)
  assert.deepEqual(shell.questions, [])
})

test('core.sandbox: mode plan reads in a sandbox in which nothing can be written', { skip }, async () => {
  await using shell = createContainedShell({ mode: 'plan' })
  shell.put('workspace/a.txt', 'text\n')
  assert.match(await shell.told('cat a.txt | sort'), /\ntext\n/)
  await assert.rejects(shell.call('touch b.txt'), /mode "plan" only reads/)
})

test('core.sandbox: a deny and an ask of the person hold for contained commands', { skip }, async () => {
  await using shell = createContainedShell({ permission: { shell: { 'rm *': 'deny', 'make *': 'ask' } } })
  await assert.rejects(shell.call('echo x; rm a'), /A rule denies rm a/)
  await assert.rejects(shell.call('make all'), /said no/)
})

test('core.sandbox: a job runs in the sandbox too, with a terminal or without; its port is there for the next command', {
  skip,
}, async () => {
  await using shell = createContainedShell()
  shell.put('workspace/server.js', "require('http').createServer((_, a) => a.end('hi')).listen(8123)")
  const ready = { port: 8123, url: 'http://localhost:8123/', withinMs: 20_000 }
  const { output } = await shell.call('node server.js', { background: true, ready })
  assert.match(output, /ready after [\d.]+ m?s: it listens on 8123, http:\/\/localhost:8123\/ answers with 200/)
  assert.match(await shell.told('bash -c "exec 3<>/dev/tcp/localhost/8123; echo connected"'), /\nconnected\n/)
  assert.match((await shell.call('job', { action: 'stop', id: 'job-1' })).output, /job-1 was stopped/)
  const write = `require('fs').writeFileSync(process.env.OUT + '/made', '')`
  await shell.call(`test -t 1 && echo on a terminal; node -e "${write}"`, { background: true, tty: true })
  const { output: tty } = await shell.call('job', { action: 'wait', id: 'job-2', cursor: 0 })
  assert.match(tty, /on a terminal\n.*EROFS/s)
  assert.equal(existsSync(`${shell.outside}/made`), false)
})

test('core.sandbox: what is written to a contained job needs no question, to one outside it does', {
  skip,
}, async () => {
  await using shell = createContainedShell()
  await shell.call('cat', { background: true, stdin: true })
  assert.match((await shell.call('job', { action: 'write', id: 'job-1', text: 'ls\n' })).output, /\nls\n/)
  assert.equal(shell.questions.length, 0)
})
