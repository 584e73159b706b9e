import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { isRunning, makeFolder, until } from './fixtures/test-client.ts'

interface RawServer {
  readonly child: ChildProcess
  readonly folder: string
  readonly stderr: () => string
  send(line: string | object): void
  /** The next message from the server. */
  next(): Promise<Record<string, unknown>>
}

const initialize = {
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}
const list = { jsonrpc: '2.0', id: 'list', method: 'tools/list' }
const callShell = (command: string, id: string | number = 'call') => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'shell', arguments: { command } },
})

function startRaw(t: TestContext): RawServer {
  const folder = makeFolder()
  const script = join(import.meta.dirname, 'fixtures/serves-tools.ts')
  const child = spawn(process.execPath, ['--conditions=deckhand-source', script, '--mode', 'auto'], { cwd: folder })
  t.after(() => child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  child.stdin.on('error', () => {})
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    folder,
    stderr: () => stderr,
    send: line => void child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    // Whatever is no JSON on stdout fails here.
    next: async () => JSON.parse(String((await lines.next()).value)),
  }
}

async function startInitialized(t: TestContext): Promise<RawServer> {
  const server = startRaw(t)
  server.send(initialize)
  assert.equal((await server.next()).id, 'first')
  server.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return server
}

test('core.mcp_server: a line that is no JSON is answered with a parse error, told, and the server lives on', async t => {
  const server = await startInitialized(t)
  server.send('{"jsonrpc": "2.0", "id": 1, "method": ')
  const answer = await server.next()
  assert.equal(answer.id, undefined)
  assert.equal((answer.error as { code: number }).code, -32_700)
  await until(() => server.stderr().includes('deckhand mcp: refused a line of stdin: It is not valid JSON ('), 'told')
  server.send(list)
  assert.equal((await server.next()).id, 'list')
})

test('JSON that is no JSON-RPC is answered with its id where it has one', async t => {
  const server = await startInitialized(t)
  const error = { code: -32_600, message: 'It is no JSON-RPC 2.0 message.' }
  server.send({ id: 7, method: 'tools/list' })
  assert.deepEqual(await server.next(), { jsonrpc: '2.0', id: 7, error })
  server.send([list])
  assert.deepEqual(await server.next(), { jsonrpc: '2.0', error })
  server.send('')
  server.send(' \r')
  server.send(`${JSON.stringify(list)}\r`)
  assert.equal((await server.next()).id, 'list')
})

test('an unknown method is answered with "Method not found"', async t => {
  const server = await startInitialized(t)
  server.send({ jsonrpc: '2.0', id: 3, method: 'resources/list' })
  assert.equal(((await server.next()).error as { code: number }).code, -32_601)
})

/** A command that writes its own pid and that of a child, and lasts. */
const lasting = 'sleep 100 & echo "$$ $!" > pids.new; mv pids.new pids; wait'

async function startLasting(server: RawServer, command: string): Promise<readonly number[]> {
  server.send(callShell(command))
  const file = join(server.folder, 'pids')
  await until(() => existsSync(file), 'the command runs')
  return readFileSync(file, 'utf8').trim().split(' ').map(Number)
}

const ways: Readonly<Record<string, (server: RawServer) => void>> = {
  'the end of stdin': ({ child }) => child.stdin?.end(),
  SIGTERM: ({ child }) => child.kill('SIGTERM'),
  SIGINT: ({ child }) => child.kill('SIGINT'),
}
for (const [way, end] of Object.entries(ways)) {
  test(`core.mcp_server: ${way} ends it cleanly: running calls are down, the exit code is 0`, async t => {
    const server = await startInitialized(t)
    const pids = await startLasting(server, lasting)
    const exited = once(server.child, 'exit')
    const startedAt = performance.now()
    end(server)
    assert.deepEqual(await exited, [0, null])
    assert.ok(performance.now() - startedAt < 2000, 'within two seconds')
    assert.deepEqual(pids.filter(isRunning), [])
    assert.ok(server.stderr().endsWith(`closed ${server.folder}\n`), server.stderr())
  })
}

test('core.mcp_server: a reader of stdout that goes away ends it quietly', async t => {
  const server = await startInitialized(t)
  const pids = await startLasting(server, lasting)
  const exited = once(server.child, 'exit')
  const told = server.stderr()
  server.child.stdout?.destroy()
  server.send(list)
  assert.deepEqual(await exited, [0, null])
  assert.deepEqual(pids.filter(isRunning), [])
  assert.equal(server.stderr(), `${told}closed ${server.folder}\n`)
})

test('a process that ignores SIGTERM is gone before the server is', async t => {
  const server = await startInitialized(t)
  const pids = await startLasting(
    server,
    `trap '' TERM; ${lasting.replace('sleep 100 &', '(trap "" TERM; while :; do sleep 0.1; done) &')}`,
  )
  const exited = once(server.child, 'exit')
  server.child.stdin?.end()
  assert.deepEqual(await exited, [0, null])
  assert.deepEqual(pids.filter(isRunning), [])
})

test('what a call left running is ended with the server', async t => {
  const server = await startInitialized(t)
  server.send(callShell('sleep 100 > /dev/null 2>&1 & echo $! > pid'))
  assert.equal((await server.next()).id, 'call')
  const pid = Number(readFileSync(join(server.folder, 'pid'), 'utf8'))
  assert.ok(isRunning(pid))
  server.child.stdin?.end()
  await once(server.child, 'exit')
  assert.equal(isRunning(pid), false)
})

test('requests that are piped in at once are answered before it ends', async t => {
  const server = startRaw(t)
  server.send(initialize)
  server.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  server.send(list)
  server.child.stdin?.end()
  assert.equal((await server.next()).id, 'first')
  assert.equal((await server.next()).id, 'list')
  assert.deepEqual(await once(server.child, 'exit'), [0, null])
})

test('a server that gets nothing but the end of stdin ends', async t => {
  const server = startRaw(t)
  server.child.stdin?.end()
  assert.deepEqual(await once(server.child, 'exit'), [0, null])
})
