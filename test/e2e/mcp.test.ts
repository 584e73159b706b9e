// `deckhand mcp` as another agent meets it: the built program, driven by the official client.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type CallToolResult, Client, type ElicitResult } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const program = join(import.meta.dirname, '../../packages/cli/bin/deckhand.js')

interface ConnectOptions {
  readonly args?: readonly string[]
  /** Default: a new one. */
  readonly home?: string
  readonly roots?: readonly string[]
  readonly elicit?: (message: string) => ElicitResult
  readonly negotiation?: 'auto'
}

interface Connection {
  readonly client: Client
  readonly folder: string
  readonly stderr: () => string
  call(name: string, input: Record<string, unknown>): Promise<CallToolResult>
}

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-e2e-mcp-')))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function connect(t: TestContext, options: ConnectOptions = {}): Promise<Connection> {
  const folder = makeFolder()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...(options.args ?? [])],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', DECKHAND_HOME: options.home ?? makeFolder() },
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', chunk => {
    stderr += chunk
  })
  const client = createClient(options)
  t.after(() => client.close())
  await client.connect(transport)
  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })) as CallToolResult
  return { client, folder, stderr: () => stderr, call }
}

function createClient({ roots, elicit, negotiation }: ConnectOptions): Client {
  const capabilities = { ...(roots && { roots: {} }), ...(elicit && { elicitation: {} }) }
  const client = new Client(
    { name: 'e2e', version: '1' },
    { capabilities, ...(negotiation && { versionNegotiation: { mode: negotiation } }) },
  )
  if (roots) {
    client.setRequestHandler('roots/list', () => ({ roots: roots.map(root => ({ uri: pathToFileURL(root).href })) }))
  }
  if (elicit) client.setRequestHandler('elicitation/create', ({ params }) => elicit(params.message))
  return client
}

function textOf({ content }: CallToolResult): string {
  return content.map(part => (part.type === 'text' ? part.text : `(${part.type})`)).join('\n')
}

/** Each default tool with a call that works, in order, and what its result holds. */
const calls: readonly [string, Record<string, unknown>, RegExp][] = [
  ['write', { path: 'src/app.ts', content: 'export const port = 80\n' }, /src\/app\.ts/],
  ['read', { path: 'src/app.ts' }, /1\| ?export const port = 80/],
  ['edit', { path: 'src/app.ts', oldText: '80', newText: '8080' }, /Edited src\/app\.ts: 1 replacement/],
  ['glob', { pattern: '**/*.ts' }, /src\/app\.ts/],
  ['grep', { pattern: 'port = \\d+' }, /port = 8080/],
  ['shell', { command: 'wc -l < src/app.ts' }, /\n1\n/],
  ['job', { action: 'list' }, /There are no jobs in this session/],
  ['todo', { todos: [{ content: 'Look at the port', status: 'in_progress' }] }, /Look at the port/],
]

for (const negotiation of [undefined, 'auto'] as const) {
  const protocol = negotiation ? '2026-07-28' : '2025-11-25'
  test(`core.mcp_server: every default tool works through the official client (${protocol})`, async t => {
    const { client, folder, call } = await connect(t, { args: ['--mode', 'auto'], negotiation })
    const { tools } = await client.listTools()
    assert.deepEqual(tools.map(({ name }) => name).sort(), calls.map(([name]) => name).sort())
    for (const [name, input, expected] of calls) {
      const result = await call(name, input)
      assert.equal(result.isError, undefined, `${name}: ${textOf(result)}`)
      assert.match(textOf(result), expected, name)
    }
    assert.equal(readFileSync(join(folder, 'src/app.ts'), 'utf8'), 'export const port = 8080\n')
  })
}

test('core.mcp_server: in mode ask a question goes to the user of the client, with the change', async t => {
  const messages: string[] = []
  const { folder, call } = await connect(t, {
    args: ['--mode', 'ask'],
    elicit: message => {
      messages.push(message)
      return { action: 'accept', content: { decision: 'allow once' } }
    },
  })
  assert.equal((await call('shell', { command: 'touch made' })).isError, undefined)
  assert.ok(existsSync(join(folder, 'made')))
  writeFileSync(join(folder, 'a.txt'), 'old\n')
  await call('read', { path: 'a.txt' })
  assert.equal((await call('edit', { path: 'a.txt', oldText: 'old', newText: 'new' })).isError, undefined)
  assert.equal(messages.length, 2)
  assert.match(messages[0] ?? '', /^shell asks for permission:\n {4}touch made\n/)
  assert.match(messages[1] ?? '', /^edit asks for permission:\n {4}Edit a\.txt\n[\s\S]*\n {4}-old\n {4}\+new\n/)
})

test('core.mcp_server: without forms the answer is no, with how to allow it; rules of the user are kept to', async t => {
  const home = makeFolder()
  writeFileSync(join(home, 'deckhand.json'), '{ "permission": { "shell": { "touch allowed": "allow" } } }')
  const { folder, call } = await connect(t, { home, args: ['--mode', 'ask'] })
  const refused = await call('shell', { command: 'touch made' })
  assert.equal(refused.isError, true)
  assert.match(textOf(refused), /deckhand mcp --mode auto/)
  assert.equal(existsSync(join(folder, 'made')), false)
  assert.equal((await call('shell', { command: 'touch allowed' })).isError, undefined)
  assert.ok(existsSync(join(folder, 'allowed')))
})

test('core.mcp_server: the configuration of the workspace counts, also when the client names it', async t => {
  const root = makeFolder()
  mkdirSync(join(root, 'docs'))
  writeFileSync(join(root, 'deckhand.json'), '{ "permission": { "read": { "docs/*": "deny" } } }')
  writeFileSync(join(root, 'docs/a.md'), 'secret')
  const { call } = await connect(t, { args: ['--auto'], roots: [root] })
  const result = await call('read', { path: 'docs/a.md' })
  assert.equal(result.isError, true)
  assert.match(textOf(result), /^A rule denies docs\/a\.md/)
})

test('what was approved for the session is not left in the store', async t => {
  const home = makeFolder()
  let count = 0
  const options: ConnectOptions = {
    home,
    args: ['--mode', 'ask'],
    elicit: () => {
      count++
      return { action: 'accept', content: { decision: 'allow always (this session)' } }
    },
  }
  for (const expected of [1, 2]) {
    const { client, folder, call } = await connect(t, options)
    writeFileSync(join(folder, 'a.txt'), 'old\n')
    await call('write', { path: 'b.txt', content: 'one' })
    await call('write', { path: 'b.txt', content: 'two' })
    assert.equal(count, expected)
    await client.close()
  }
  const env = { PATH: process.env.PATH, DECKHAND_HOME: home }
  const { stdout } = spawnSync(process.execPath, [program, 'permission', 'list', '--json'], { env, encoding: 'utf8' })
  const { approvals, elsewhere } = JSON.parse(stdout)
  assert.deepEqual([...approvals, ...elsewhere], [])
})

for (const args of [
  ['--dir', '/no/such/folder'],
  ['--auto', '--mode', 'plan'],
  ['--http', '8080'],
]) {
  test(`wrong usage ends with exit code 2 and nothing on stdout: ${args.join(' ')}`, async () => {
    const child = spawn(process.execPath, [program, 'mcp', ...args], { env: { DECKHAND_HOME: makeFolder() } })
    let stdout = ''
    child.stdout.on('data', chunk => {
      stdout += chunk
    })
    assert.deepEqual(await once(child, 'close'), [2, null])
    assert.equal(stdout, '')
  })
}

for (const end of ['SIGTERM', 'SIGINT', 'SIGHUP', 'the end of stdin'] as const) {
  test(`core.mcp_server: ${end} ends the program with exit code 0`, async t => {
    const child = spawn(process.execPath, [program, 'mcp'], {
      cwd: makeFolder(),
      env: { PATH: process.env.PATH, DECKHAND_HOME: makeFolder() },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    t.after(() => child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    await once(child.stderr, 'data')
    if (end === 'the end of stdin') child.stdin.end()
    else child.kill(end)
    assert.deepEqual(await exited, [0, null])
  })
}
