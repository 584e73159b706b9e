import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PermissionDenied } from '@deckhand/core'
import { createTestShell } from './fixtures/test-shell.ts'

const fenced = (command: string, text: string) => `<output of="${command}" fence="w">\n${text}</output fence="w">\n`

test('core.preflight: nothing runs before it is allowed; the question names the command and its folder', async () => {
  await using shell = createTestShell()
  const denied = new PermissionDenied('rule', 'No.')
  const ask = () => Promise.reject(denied)
  await assert.rejects(shell.call({ command: 'touch made' }, { ask }), denied)
  assert.equal(existsSync(join(shell.directory, 'made')), false)
  await shell.call({ command: 'touch made' })
  assert.deepEqual(shell.questions, [
    {
      title: 'touch made',
      parts: [{ permission: 'shell', pattern: 'touch made', effect: 'execute', always: [shell.directory] }],
      metadata: { cwd: shell.directory },
    },
  ])
})

test('core.result_shape: a result has title, output and the facts', async () => {
  await using shell = createTestShell()
  const { title, metadata } = await shell.call({ command: 'echo out; exit 3', description: 'prints and fails' })
  assert.equal(title, 'echo out; exit 3')
  const { durationMs, ...facts } = metadata
  assert.ok(Number(durationMs) >= 0)
  assert.deepEqual(facts, { output: 'out\n', exit: 3, description: 'prints and fails', truncated: false })
})

test('core.shell_env: a credential that is kept from commands is told where the command speaks of it', async () => {
  await using shell = createTestShell()
  const note =
    'not handed to commands, as a credential: SHELL_TEST_TOKEN (the user can allow it with shell.allowEnvironment)'
  const command = 'test -z "$SHELL_TEST_TOKEN"'
  assert.equal(await shell.told({ command }), `exit 0 · no output · TIME · ${note}`)
  assert.equal(await shell.told({ command: 'SHELL_TEST_TOKEN=x true' }), 'exit 0 · no output · TIME')
  assert.equal(await shell.told({ command: 'true $MY_SHELL_TEST_TOKEN' }), 'exit 0 · no output · TIME')
})

test('output, then exit 3, is told with both', async () => {
  await using shell = createTestShell()
  assert.equal(
    await shell.told({ command: 'echo partial; exit 3' }),
    `${fenced('echo partial; exit 3', 'partial\n')}exit 3 · TIME`,
  )
})

test('shell.signal_honesty: a command killed by SIGKILL is told as 137, in the facts too', async () => {
  await using shell = createTestShell()
  const { output, metadata } = await shell.call({ command: 'echo before; kill -9 $$' })
  assert.match(output, /\nbefore\n/)
  assert.match(output, /\nkilled by SIGKILL \(exit 137\)/)
  assert.equal(metadata.exit, 137)
  assert.equal(metadata.signal, 'SIGKILL')
  assert.match(
    (await shell.call({ command: "bash -c 'kill -9 $$'; exit $?" })).output,
    /\nexit 137: usually a command killed by SIGKILL/,
  )
})

test('shell.benign_exit: grep without a match is told as no failure', async () => {
  await using shell = createTestShell()
  writeFileSync(join(shell.directory, 'f'), 'one\n')
  assert.equal(
    await shell.told({ command: 'grep -q zzz f' }),
    'exit 1: grep found no match; not a failure · no output · TIME',
  )
  assert.equal(await shell.told({ command: 'grep -q one f' }), 'exit 0 · no output · TIME')
  assert.equal(await shell.told({ command: 'false' }), 'exit 1 · no output · TIME')
})

test('shell.middle_out: long output is cut in the middle; the log has all of it', async () => {
  await using shell = createTestShell({ shownHeadBytes: 6, shownTailBytes: 14 })
  const { output, metadata } = await shell.call({ command: 'seq 1 200000' })
  const path = String(metadata.outputPath)
  assert.equal(metadata.truncated, true)
  assert.equal(
    output.replace(/fence="\w{6}"/g, 'fence="w"').replace(/\nexit 0 · .*$/, ''),
    `<output of="seq 1 200000" fence="w">
1
2
3
[… 199,995 lines, 1.23 MB left out of 200,000 lines, 1.23 MB. All of it: ${path}; read it with read(path, offset 4), or search it with grep …]
199999
200000
</output fence="w">`,
  )
  assert.equal(statSync(path).size, 1_288_895)
  assert.ok(readFileSync(path, 'utf8').endsWith('199999\n200000\n'))
})

test('shell.full_log: output that was still in memory is saved too when it is cut', async () => {
  await using shell = createTestShell({ shownHeadBytes: 6, shownTailBytes: 6 })
  const { metadata } = await shell.call({ command: 'seq 1 100' })
  assert.equal(statSync(String(metadata.outputPath)).size, 292)
})

test('a log that turns out not to be needed is removed', async () => {
  await using shell = createTestShell({ output: { logAfterBytes: 1000 } })
  const { output, metadata } = await shell.call({
    command: `for i in {1..4000}; do printf '\\rloading %05d' $i; done; echo; echo done`,
  })
  assert.match(output, />\nloading 04000\ndone\n</)
  assert.equal(metadata.truncated, false)
  assert.deepEqual(readdirSync(shell.logs), [])
})

test('invalid UTF-8 and a character that comes in two pieces are shown as they are meant', async () => {
  await using shell = createTestShell()
  const command = "printf 'left \\xff\\xfe right \\xf0\\x9f'; sleep 0.1; printf '\\x98\\x80 end'"
  assert.equal((await shell.call({ command })).metadata.output, 'left \ufffd\ufffd right 😀 end')
})

test('binary output is summarised and saved', async () => {
  await using shell = createTestShell()
  const { output, metadata } = await shell.call({ command: 'head -c 300000 /dev/urandom | gzip -n' })
  assert.match(output, />\n\[293 KB of binary data \(gzip\); saved to .*shell-\w+\.log\]\n</)
  assert.ok(statSync(String(metadata.outputPath)).size > 300_000)
})

test('core.stdin_closed: commands that want a person fail at once, with a hint', async () => {
  await using shell = createTestShell()
  const noInput = 'there is no stdin and no terminal: pass the answers as arguments, or pipe them in'
  assert.equal(await shell.told({ command: 'read -p "name? " x' }), `exit 1 · no output · TIME · ${noInput}`)
  const commit = 'git init -q && git -c user.name=a -c user.email=a@b.invalid commit --allow-empty'
  assert.match(
    await shell.told({ command: commit }),
    /exit 1 · TIME · there is no editor: give the message with -m or -F; to take a prepared text as it is, set GIT_EDITOR=true$/,
  )
})

test('shell.timeout_cap: a timeout ends the tree and is told; what was printed is there', async () => {
  await using shell = createTestShell({ graceMs: 200 })
  const command = "trap '' TERM; echo started; sleep 60"
  assert.equal(
    await shell.told({ command, timeoutMs: 300 }),
    `${fenced(command, 'started\n')}timed out after 300 ms: sent SIGTERM, then SIGKILL; survivors: none. Raise timeoutMs (at most 600000), or start it with background true and wait for it with job wait · TIME`,
  )
  const { metadata } = await shell.call({ command, timeoutMs: 300 })
  assert.equal(metadata.timedOut, true)
  assert.equal(metadata.exit, null)
})

test('shell.timeout_cap: a wish above the limit is capped, and told', async () => {
  await using shell = createTestShell({ maxTimeoutMs: 500 })
  assert.equal(
    await shell.told({ command: 'true', timeoutMs: 900_000 }),
    'exit 0 · no output · TIME · timeoutMs 900000 was capped: at most 500 (500 ms)',
  )
})

test('core.cancel: a cancelled call gives the output so far and says so', async () => {
  await using shell = createTestShell()
  const controller = new AbortController()
  const report = () => controller.abort()
  assert.equal(
    await shell.told({ command: 'echo so-far; sleep 60' }, { signal: controller.signal, report }),
    `${fenced('echo so-far; sleep 60', 'so-far\n')}cancelled by the user: sent SIGTERM; survivors: none · TIME`,
  )
})

test('core.live_output: the output so far is reported while the command runs', async () => {
  await using shell = createTestShell()
  await shell.call({ command: 'echo one; sleep 0.2; echo two; sleep 0.2' })
  assert.ok(shell.reports.some(({ title, metadata }) => title?.startsWith('echo one') && metadata?.output === 'one\n'))
})

test('what is left running is told', async () => {
  await using shell = createTestShell()
  assert.equal(
    await shell.told({ command: 'sleep 60 & echo on' }),
    `${fenced('sleep 60 & echo on', 'on\n')}exit 0 · TIME · still running: sleep 60 (pid N) (ended when Deckhand ends; what it prints here is dropped)`,
  )
})

test('shell.persist_state: a call starts where the last one ended, which is told', async () => {
  await using shell = createTestShell()
  mkdirSync(join(shell.directory, 'sub'))
  const note = 'cwd sub (stays for the next call)'
  assert.equal(
    await shell.told({ command: 'cd sub && pwd' }),
    `${fenced('cd sub && pwd', `${shell.directory}/sub\n`)}exit 0 · TIME · ${note}`,
  )
  const again = `${fenced('pwd', `${shell.directory}/sub\n`)}exit 0 · TIME · ${note}`
  assert.equal(await shell.told({ command: 'pwd' }), again)
})

test('shell.persist_state: a reset waits for its turn: what a call before it leaves is forgotten too', async () => {
  await using shell = createTestShell()
  const [, reset] = await Promise.all([
    shell.call({ command: 'A=1' }),
    shell.told({ command: 'echo "[$A]"', reset: true }),
  ])
  assert.match(reset, /^\[\]$/m)
  assert.match(await shell.told({ command: 'echo "[$A]"' }), /^\[\]$/m)
})

test('workdir starts at the workspace and is told', async () => {
  await using shell = createTestShell()
  mkdirSync(join(shell.directory, 'sub'))
  assert.equal(
    await shell.told({ command: 'pwd', cwd: 'sub' }),
    `(cwd was taken as workdir)\n${fenced('pwd', `${shell.directory}/sub\n`)}exit 0 · TIME · cwd sub (for this call)`,
  )
  await assert.rejects(shell.call({ command: 'pwd', workdir: 'nowhere' }), {
    name: 'ToolFailure',
    message: 'There is no folder nowhere to run the command in; nothing was run.',
  })
})

test('shell.workspace_boundary: a workdir outside the workspace is asked for', async () => {
  await using shell = createTestShell()
  await shell.call({ command: 'pwd', workdir: '/' })
  assert.deepEqual(shell.questions[0]?.parts.at(-1), {
    permission: 'external_directory',
    pattern: '/*',
    effect: 'execute',
    always: ['/*'],
  })
})

test('what no shell can take is refused in words', async () => {
  await using shell = createTestShell()
  await assert.rejects(shell.call({ command: 'echo \0' }), /NUL character/)
  await assert.rejects(shell.call({ command: `: ${'x'.repeat(200_000)}` }), /longer than the system takes \(128 KB\)/)
  assert.equal(shell.questions.length, 1)
})

test('a start-up file of the shell changes nothing', async () => {
  await using shell = createTestShell()
  writeFileSync(join(shell.directory, 'rc'), 'echo from-rc; exit 9\n')
  const command = 'BASH_ENV=rc; echo "[$BASH_ENV]"; bash --version >/dev/null; echo done'
  assert.equal((await shell.call({ command })).metadata.exit, 0)
})
