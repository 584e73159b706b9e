// What `deckhand run` does with every kind of standard input that it may be started with.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  createTestFolder,
  type Line,
  parseLines,
  program,
  startDeckhand,
  startProgram,
  waitFor,
} from './deckhand-process.ts'

const folder = createTestFolder()
after(() => folder.remove())

const idleNotice = 'Standard input is open, but nothing came from it within 250 ms; the run goes on without it.'

/** A model that fails, with what it was told, unless the user's message holds the text. */
function modelThatExpects(text: string): string {
  return folder.script([{ expect: text, say: 'Seen.' }])
}

function endOf(stdout: string): Line | undefined {
  return parseLines(stdout).at(-1)
}

function noticesOf(stdout: string): unknown[] {
  return parseLines(stdout).flatMap(line => (line.type === 'notice' ? [line.message] : []))
}

function runArgs(expected: string, ...words: string[]): string[] {
  return ['run', '--format', 'json', '--model', modelThatExpects(expected), ...words]
}

function assertSeen({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }): void {
  assert.deepEqual({ code, text: endOf(stdout)?.text }, { code: 0, text: 'Seen.' }, stdout + stderr)
}

/** A FIFO that we hold open, so that it neither says anything nor ends. */
function holdFifo(name: string): number {
  const path = join(folder.path, name)
  execFileSync('mkfifo', [path])
  return openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
}

test('core.headless: a prompt that is piped in whole is read to its end', async () => {
  const { child, exited } = startDeckhand(runArgs('first half, second half'), { ...folder.options, stdinAs: 'pipe' })
  child.stdin?.write('first half, ')
  // Longer than what is waited for first bytes; a piped prompt alone is waited for.
  setTimeout(() => child.stdin?.end('second half\n'), 600)
  const result = await exited
  assertSeen(result)
  assert.deepEqual(noticesOf(result.stdout), [])
})

test('core.headless: what is piped stands after the prompt of the arguments', async () => {
  const result = await startDeckhand(runArgs('Review this:\n\n+ a line', 'Review this:'), {
    ...folder.options,
    stdin: '+ a line\n',
  }).exited
  assertSeen(result)
})

test('core.headless: an idle pipe is left alone when there is a prompt, and that is told', async () => {
  const { child, exited } = startDeckhand(runArgs('do it', 'do it'), { ...folder.options, stdinAs: 'pipe' })
  const result = await exited
  child.stdin?.destroy()
  assertSeen(result)
  assert.deepEqual(noticesOf(result.stdout), [idleNotice])
})

test('core.headless: a FIFO that somebody holds open does not hold up the run', async t => {
  const fifo = holdFifo('held')
  t.after(() => closeSync(fifo))
  const result = await startDeckhand(runArgs('do it', 'do it'), { ...folder.options, stdinAs: fifo }).exited
  assertSeen(result)
  assert.deepEqual(noticesOf(result.stdout), [idleNotice])
})

test('core.headless: with an attached file there is something to do, so an idle pipe is left alone too', async () => {
  const file = folder.write('notes.txt', 'the notes\n')
  const { child, exited } = startDeckhand(runArgs('the notes', '--file', file), {
    ...folder.options,
    stdinAs: 'pipe',
  })
  const result = await exited
  child.stdin?.destroy()
  assertSeen(result)
})

test('core.headless: an input that is empty, closed or no input at all is not waited for', async () => {
  const inputs = ['</dev/null', '<&-', '</', '</dev/zero']
  for (const input of inputs) {
    const args = runArgs('do it', 'do it').map(arg => `'${arg}'`)
    const { exited } = startProgram('bash', ['-c', `'${process.execPath}' '${program}' ${args.join(' ')} ${input}`], {
      ...folder.options,
    })
    const result = await exited
    assertSeen(result)
    assert.deepEqual(noticesOf(result.stdout), [], input)
  }
})

test('core.headless: a regular file is read', async t => {
  const path = join(folder.path, 'prompt.txt')
  writeFileSync(path, 'from a file\n')
  const file = openSync(path, 'r')
  t.after(() => closeSync(file))
  assertSeen(await startDeckhand(runArgs('from a file'), { ...folder.options, stdinAs: file }).exited)
})

test('core.headless: a socket is read', async t => {
  const server = createServer(socket => socket.end('from a socket\n'))
  t.after(() => server.close())
  const path = join(folder.path, 'socket')
  await new Promise<void>(resolve => server.listen(path, resolve))
  const script = `
    const { spawn } = require('node:child_process')
    const socket = require('node:net').connect(${JSON.stringify(path)})
    socket.on('connect', () => {
      const child = spawn(process.execPath, process.argv.slice(1), { stdio: [socket, 'inherit', 'inherit'] })
      child.on('exit', code => process.exit(code))
    })`
  const args = ['-e', script, program, ...runArgs('from a socket')]
  assertSeen(await startProgram(process.execPath, args, folder.options).exited)
})

test('core.headless: over 10 MB is refused, whatever else would still come', async () => {
  const { exited } = startProgram(
    'bash',
    ['-c', `yes 'a line' | '${process.execPath}' '${program}' run --format json --model script/none.yaml 'do it'`],
    folder.options,
  )
  const { code, stdout, stderr } = await exited
  const message =
    'Standard input is over 10 MB. Save it to a file and name the file in the prompt, or attach it with --file.'
  assert.equal(code, 2)
  assert.equal(stderr, `deckhand: ${message}\n`)
  assert.deepEqual(
    parseLines(stdout).map(({ type, error }) => ({ type, message: error.data.message })),
    [{ type: 'error', message }],
  )
})

test('core.headless: without any prompt the usage is told, and nothing is begun', async () => {
  const { code, stdout, stderr } = await startDeckhand(['run'], folder.options).exited
  assert.deepEqual(
    { code, stdout, stderr },
    {
      code: 2,
      stdout: '',
      stderr: 'deckhand: There is no prompt. Say what to do: deckhand run "fix the failing test", or pipe it in.\n',
    },
  )
})

test('a prompt that begins with a dash is a prompt after --', async () => {
  assertSeen(await startDeckhand(runArgs('-rf is what?', '--', '-rf is what?'), folder.options).exited)
})

test('core.cancel: Ctrl-C while a piped prompt is waited for ends the run at once, with its terminal line', async () => {
  const { child, exited } = startDeckhand(['run', '--format', 'json'], { ...folder.options, stdinAs: 'pipe' })
  await untilItReads(child.pid ?? 0)
  child.kill('SIGINT')
  const { code, stdout } = await exited
  child.stdin?.destroy()
  assert.equal(code, 130)
  assert.deepEqual(
    parseLines(stdout).map(({ type, error }) => [type, error.name]),
    [['error', 'InterruptedError']],
  )
})

/** It listens for signals just before it reads; SIGHUP is the last of them, and Node alone does not catch it. */
async function untilItReads(pid: number): Promise<void> {
  await waitFor(() => {
    const caught = /SigCgt:\s*([0-9a-f]+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
    return (BigInt(`0x${caught}`) & 1n) !== 0n
  })
}
