import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestRunner, textOf, waitFor } from './fixtures/test-runner.ts'

const exitedWith = (code: number) => ({ kind: 'exited', code })
const none = { known: true, processes: [] }

test('a command gives its output and its exit code, and leaves nothing', async () => {
  await using runner = createTestRunner()
  const outcome = await runner.bash('echo out; echo err >&2; exit 3')
  assert.deepEqual(outcome.end, exitedWith(3))
  assert.equal(textOf(outcome), 'out\nerr\n')
  assert.equal(outcome.output.bytes, 8)
  assert.equal(outcome.output.lines, 2)
  assert.deepEqual(outcome.leftovers, none)
  assert.equal(outcome.isOneStream, true)
})

test('output without a newline at its end is whole, and its last line counts', async () => {
  await using runner = createTestRunner()
  const outcome = await runner.bash("printf 'a\\nb'")
  assert.equal(textOf(outcome), 'a\nb')
  assert.equal(outcome.output.lines, 2)
})

test('writing to /dev/stdout and /dev/stderr in any way loses nothing', async () => {
  await using runner = createTestRunner()
  const outcome = await runner.bash('echo a; echo b > /dev/stderr; echo c > /dev/stdout; echo d | tee /dev/stderr')
  assert.equal(textOf(outcome), 'a\nb\nc\nd\nd\n')
  assert.deepEqual(outcome.end, exitedWith(0))
})

for (const [command, name] of [
  ['echo on; sleep 60 &', 'holds the output'],
  ['echo on; sleep 60 </dev/null >/dev/null 2>&1 &', 'has its output elsewhere'],
  ['echo on; setsid sleep 60 &', 'has left the session'],
  ['echo on; setsid sleep 60 </dev/null >/dev/null 2>&1 &', 'has left the session and the output'],
  ['echo on; env -i /usr/bin/setsid sleep 60 &', 'has left the session and cleared its environment'],
  ['echo on; (sleep 60 &)', 'is of a subshell'],
  ['echo on; nohup sleep 60 >/dev/null 2>&1 &', 'ignores HUP'],
] as const) {
  test(`shell.group_kill: a background child that ${name} does not hold up the call, is named, and is ended with the run`, async () => {
    await using runner = createTestRunner()
    const outcome = await runner.bash(command)
    assert.deepEqual(outcome.end, exitedWith(0))
    assert.equal(textOf(outcome), 'on\n')
    assert.ok(outcome.durationMs < 5000, `${outcome.durationMs} ms`)
    assert.ok(outcome.leftovers.known)
    assert.equal(outcome.leftovers.processes.length, 1)
    // On a busy machine it may still be on its way: `nohup sleep 60`.
    assert.match(outcome.leftovers.processes[0]?.command ?? '', /(^|^nohup |setsid )sleep 60$/)
    const [pid] = outcome.leftovers.processes.map(found => found.pid)
    assert.doesNotThrow(() => process.kill(pid ?? 0, 0), 'it is kept running')
    const ended = await runner.runner.endLeftovers()
    assert.deepEqual(
      ended.ended.map(found => found.pid),
      [pid],
    )
    assert.deepEqual(ended.survivors, [])
    assert.deepEqual(runner.runner.listLeftovers(), [])
  })
}

test('a background child that prints without end does not hold up the call, and is never blocked or killed by it', async () => {
  await using runner = createTestRunner()
  const script = join(runner.directory, 'prints.sh')
  writeFileSync(script, 'line=$(printf %01000d 0); while :; do i=$((i+1)); echo $line; echo $i > count; done')
  const outcome = await runner.bash(`bash ${script} & sleep 0.2; echo foreground-done`)
  assert.ok(textOf(outcome).includes('foreground-done\n'))
  assert.ok(outcome.durationMs < 5000, `${outcome.durationMs} ms`)
  assert.ok(outcome.leftovers.known && outcome.leftovers.processes.length > 0)
  // More than any pipe holds.
  const count = () => Number(readFileSync(join(runner.directory, 'count'), 'utf8')) || 0
  const before = count()
  await waitFor(() => count() > before + 2000, 'the printer goes on')
})

test('what a child that outlives its shell for a moment prints is still in the output', async () => {
  await using runner = createTestRunner()
  const outcome = await runner.bash('echo to-tee > >(cat)')
  assert.equal(textOf(outcome), 'to-tee\n')
  assert.deepEqual(outcome.leftovers, none)
})

test('ports that a background child listens on are told', async () => {
  await using runner = createTestRunner()
  const server =
    "require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })"
  const outcome = await runner.bash(`'${process.execPath}' -e "${server}" > port & until [ -s port ]; do :; done`)
  const port = Number(readFileSync(join(runner.directory, 'port'), 'utf8'))
  assert.ok(outcome.leftovers.known)
  assert.deepEqual(
    outcome.leftovers.processes.map(found => found.listeningPorts),
    [[port]],
  )
})

for (const [command, code] of [
  ['cat', 0],
  ['read x', 1],
  ['read -u 2 x', 1],
  ['read x < /dev/tty', 1],
] as const) {
  test(`core.stdin_closed: ${command} ends at once`, async () => {
    await using runner = createTestRunner()
    const outcome = await runner.bash(command)
    assert.deepEqual(outcome.end, exitedWith(code))
    assert.ok(outcome.durationMs < 5000)
  })
}

test('core.stdin_closed: git log in a long history is not held by a pager', async () => {
  await using runner = createTestRunner()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: runner.directory, stdio: 'pipe' })
  git('init', '-q')
  git('config', 'core.pager', 'less')
  const commits = Array.from({ length: 300 }, (_, index) => {
    const first = index === 0 ? 'M 644 inline f\ndata 2\nx\n\n' : ''
    return `commit refs/heads/long\ncommitter A <a@example.invalid> ${1_700_000_000 + index} +0000\ndata <<X\nchange ${index + 1}\nX\n${first}`
  })
  execFileSync('git', ['fast-import', '--quiet'], { cwd: runner.directory, input: commits.join('\n') })
  const outcome = await runner.bash('git log long')
  assert.deepEqual(outcome.end, exitedWith(0))
  assert.match(textOf(outcome), /change 300\n[\s\S]*change 1\n/)
})

test('core.stdin_closed: git commit without a message fails at once and says that there is no editor', async () => {
  await using runner = createTestRunner()
  const outcome = await runner.bash(
    'git init -q && git config core.editor "sleep 20" && git -c user.name=a -c user.email=a@b.invalid commit --allow-empty',
  )
  assert.deepEqual(outcome.end, exitedWith(1))
  assert.match(textOf(outcome), /no-editor-is-available-here/)
  assert.ok(outcome.durationMs < 5000)
})

test('shell.signal_honesty: a shell that kills itself was killed by SIGKILL; what it printed before is there', async () => {
  await using runner = createTestRunner()
  const outcome = await runner.bash('echo before; kill -9 $$')
  assert.deepEqual(outcome.end, { kind: 'killed', signal: 'SIGKILL' })
  assert.equal(textOf(outcome), 'before\n')
})

test('shell.full_log: 200 MB are counted truly, kept at both ends, and whole in the log', async () => {
  await using runner = createTestRunner()
  const logPath = join(runner.directory, 'whole.log')
  const before = process.memoryUsage.rss()
  const outcome = await runner.bash('echo FIRST; yes | head -c 200M; echo LAST', { logPath })
  assert.deepEqual(outcome.end, exitedWith(0))
  const bytes = 200 * 1024 ** 2 + 11
  assert.equal(outcome.output.bytes, bytes)
  assert.equal(outcome.output.lines, 100 * 1024 ** 2 + 2)
  assert.match(outcome.output.head.toString(), /^FIRST\ny\ny\n/)
  assert.match(outcome.output.tail.toString(), /\ny\ny\nLAST\n$/)
  assert.deepEqual(outcome.output.log, { path: logPath, bytes })
  assert.equal(statSync(logPath).size, bytes)
  assert.equal(statSync(logPath).mode & 0o777, 0o600)
  const grown = process.memoryUsage.rss() - before
  assert.ok(grown < 50e6, `memory grew by ${grown} bytes`)
})

test('output that fits in memory is whole there, and no log is made', async () => {
  await using runner = createTestRunner()
  const logPath = join(runner.directory, 'whole.log')
  const outcome = await runner.bash('seq 1 20000', { logPath })
  assert.equal(textOf(outcome), Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join(''))
  assert.equal(outcome.output.log, undefined)
  assert.equal(existsSync(logPath), false)
})

test('a log that can not be made never ends the command, and is told', async () => {
  await using runner = createTestRunner()
  writeFileSync(join(runner.directory, 'file'), '')
  const outcome = await runner.bash('yes | head -c 1M; exit 4', { logPath: join(runner.directory, 'file', 'x.log') })
  assert.deepEqual(outcome.end, exitedWith(4))
  assert.equal(outcome.output.bytes, 1024 ** 2)
  assert.equal(outcome.output.log?.bytes, 0)
  assert.equal(outcome.output.log?.problem?.code, 'EEXIST')
})

test('a disk that fills up under the log never ends the command; what was kept is told', t => {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-full-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(import.meta.dirname, 'fixtures/floods-full-disk.ts')
  // A mount of its own: nothing is left mounted, and no right of root is needed where user namespaces are on.
  const script = 'mount -t tmpfs -o size=1m none "$1" || exit 77; exec "$2" --conditions=deckhand-source "$3" "$1"'
  const child = spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', folder, process.execPath, program], {
    encoding: 'utf8',
  })
  if (child.error || child.status !== 0) return t.skip(`no small disk to be had here: ${child.error ?? child.stderr}`)
  const facts = JSON.parse(child.stdout)
  assert.deepEqual(facts.end, exitedWith(3))
  assert.equal(facts.bytes, 3_000_006)
  assert.equal(facts.last, 'LAST')
  assert.equal(facts.log.problem.code, 'ENOSPC')
  assert.ok(facts.log.bytes > 500_000 && facts.log.bytes <= 1024 ** 2, `${facts.log.bytes} bytes were kept`)
})

test('a flood is ended at the cap, and told', async () => {
  await using runner = createTestRunner()
  const outcome = await runner.bash('yes', { limits: { maxBytes: 5_000_000 }, logPath: join(runner.directory, 'log') })
  assert.deepEqual(outcome.end, {
    kind: 'capped',
    maxBytes: 5_000_000,
    stop: { signals: ['SIGTERM'], survivors: [] },
  })
  assert.ok(outcome.output.bytes > 5_000_000)
  assert.ok((outcome.output.log?.bytes ?? 0) >= 5_000_000)
  assert.ok((outcome.output.log?.bytes ?? 0) < 5_100_000)
})

test('shell.sigterm_escalation: a tree that ignores SIGTERM is killed after the grace time, with those who left its session', async () => {
  await using runner = createTestRunner()
  const outcome = await runner.bash(
    `trap '' TERM; (trap '' TERM; sleep 60) & setsid bash -c "trap '' TERM; sleep 60" & echo started; sleep 60`,
    { timeoutMs: 500, graceMs: 300 },
  )
  assert.deepEqual(outcome.end, {
    kind: 'timed-out',
    timeoutMs: 500,
    stop: { signals: ['SIGTERM', 'SIGKILL'], survivors: [] },
  })
  assert.equal(textOf(outcome), 'started\n')
  assert.deepEqual(runner.alive(), [])
})

test('a command that takes SIGTERM is not killed, and has the grace time to clean up', async () => {
  await using runner = createTestRunner()
  const outcome = await runner.bash(`trap 'echo cleaned; exit 0' TERM; echo started; while :; do sleep 0.01; done`, {
    timeoutMs: 300,
  })
  assert.deepEqual(outcome.end, { kind: 'timed-out', timeoutMs: 300, stop: { signals: ['SIGTERM'], survivors: [] } })
  assert.match(textOf(outcome), /started\n[\s\S]*cleaned\n$/)
})

test('a command that has stopped itself is ended by the timeout', async () => {
  await using runner = createTestRunner()
  const outcome = await runner.bash('kill -STOP $$', { timeoutMs: 200 })
  assert.equal(outcome.end.kind, 'timed-out')
})

test('core.cancel: a cancelled tree is down within 3 s, with the reason and the output so far', async () => {
  await using runner = createTestRunner()
  const controller = new AbortController()
  const reason = new Error('the user pressed Ctrl-C')
  let cancelledAt = 0
  const outcome = await runner.bash(`trap '' TERM; echo so-far; (trap '' TERM; sleep 60) & sleep 60`, {
    signal: controller.signal,
    onOutput() {
      cancelledAt ||= performance.now()
      controller.abort(reason)
    },
  })
  assert.ok(performance.now() - cancelledAt < 3000, `${performance.now() - cancelledAt} ms`)
  assert.deepEqual(outcome.end, {
    kind: 'cancelled',
    reason,
    stop: { signals: ['SIGTERM', 'SIGKILL'], survivors: [] },
  })
  assert.equal(textOf(outcome), 'so-far\n')
  assert.deepEqual(runner.alive(), [])
})

test('core.cancel: what was cancelled before it started does not start', async () => {
  await using runner = createTestRunner()
  await assert.rejects(runner.bash('touch made', { signal: AbortSignal.abort(new Error('early')) }), /early/)
  assert.equal(existsSync(join(runner.directory, 'made')), false)
})

test('core.cancel: a cancel after the exit changes nothing', async () => {
  await using runner = createTestRunner()
  const controller = new AbortController()
  const outcome = await runner.bash('exit 5', { signal: controller.signal })
  controller.abort()
  assert.deepEqual(outcome.end, exitedWith(5))
})

test('core.live_output: the output is told while the command runs, at most ten times a second', async () => {
  await using runner = createTestRunner()
  const seen: { lines: number; last: string }[] = []
  const outcome = await runner.bash('for i in 1 2 3 4 5; do echo line $i; sleep 0.15; done; yes | head -c 10M', {
    onOutput: ({ lines, last }) => seen.push({ lines, last: last.toString() }),
  })
  assert.ok(seen.some(({ lines, last }) => lines === 1 && last === 'line 1\n'))
  assert.ok(seen.length <= outcome.durationMs / 100 + 2, `${seen.length} in ${outcome.durationMs} ms`)
})

test('a folder or a program that is not there is told, not thrown', async () => {
  await using runner = createTestRunner()
  const noFolder = await runner.bash('true', { cwd: join(runner.directory, 'nowhere') })
  assert.equal(noFolder.end.kind, 'failed-to-start')
  assert.equal(noFolder.end.kind === 'failed-to-start' && noFolder.end.missing, 'folder')
  const noProgram = await runner.bash('true', { argv: ['no-such-program-here'] })
  assert.equal(noProgram.end.kind === 'failed-to-start' && noProgram.end.missing, 'program')
  const tooLong = await runner.bash(`: ${'x'.repeat(200_000)}`)
  assert.equal(tooLong.end.kind === 'failed-to-start' && tooLong.end.code, 'E2BIG')
})

test('many commands at once do not mix their outputs', async () => {
  await using runner = createTestRunner()
  const numbers = Array.from({ length: 24 }, (_, index) => index)
  const outcomes = await Promise.all(numbers.map(number => runner.bash(`for i in 1 2 3; do echo ${number}; done`)))
  assert.deepEqual(
    outcomes.map(textOf),
    numbers.map(number => `${number}\n`.repeat(3)),
  )
})

test('FIFOs are made in a private folder, used again, and removed at the end', async () => {
  await using runner = createTestRunner()
  for (let index = 0; index < 20; index++) await runner.bash('echo x')
  const folder = join(runner.directory, 'run')
  const [inner = ''] = readdirSync(folder)
  assert.equal(statSync(join(folder, inner)).mode & 0o777, 0o700)
  assert.equal(readdirSync(join(folder, inner)).length, 8)
  await runner.runner.close()
  assert.deepEqual(readdirSync(folder), [])
})

test('FIFOs that were cleaned away are made anew', async () => {
  await using runner = createTestRunner()
  await runner.bash('true')
  rmSync(join(runner.directory, 'run'), { recursive: true })
  assert.equal(textOf(await runner.bash('echo again')), 'again\n')
})

test('where FIFOs can not be made, pipes serve by the same rules', async () => {
  await using runner = createTestRunner()
  writeFileSync(join(runner.directory, 'run'), 'a file in the way')
  const outcome = await runner.bash('echo piped; sleep 60 & exit 6')
  assert.deepEqual(outcome.end, exitedWith(6))
  assert.equal(textOf(outcome), 'piped\n')
  assert.equal(outcome.isOneStream, false)
  assert.ok(outcome.leftovers.known)
  assert.equal(outcome.leftovers.processes.length, 1)
})

test('a call inside a call is ended with the outer one', async () => {
  await using runner = createTestRunner()
  mkdirSync(join(runner.directory, 'inner'))
  const outcome = await runner.bash('DECKHAND_CALL=$DECKHAND_CALL:inner.1 setsid sleep 60 & sleep 60', {
    timeoutMs: 300,
  })
  assert.equal(outcome.end.kind, 'timed-out')
  assert.deepEqual(runner.alive(), [])
})
