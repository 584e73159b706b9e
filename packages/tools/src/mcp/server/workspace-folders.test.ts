import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { connectTestClient, makeFolder, textOf, until } from './fixtures/test-client.ts'
import { describeRefusedFolders, parseRoots } from './workspace-folders.ts'

test('roots are read as file: URIs, decoded, each once; what is no folder is left out and told', () => {
  const folder = join(makeFolder(), 'a b%é#?')
  mkdirSync(folder)
  writeFileSync(join(folder, 'file'), '')
  const uris = [
    pathToFileURL(folder).href,
    `${pathToFileURL(folder).href}/`,
    'https://example.com/a',
    pathToFileURL(join(folder, 'file')).href,
    'file:///no/such/folder',
    'file://elsewhere/share',
  ]
  const { folders, leftOut } = parseRoots(uris.map(uri => ({ uri })))
  assert.deepEqual(folders, [folder])
  assert.deepEqual(leftOut.slice(0, 2), [
    'https://example.com/a (not a file: URI)',
    `${pathToFileURL(join(folder, 'file')).href} (not a folder)`,
  ])
  assert.equal(leftOut.length, 4)
})

test('the root of the file system is no workspace unless somebody says so', () => {
  const root = { directory: '/', extraRoots: [] }
  assert.equal(
    describeRefusedFolders({ ...root, source: 'current' }),
    'Nothing was done: no one says which folder to work in. The client offers no roots, and the server was started in /. Start it as: deckhand mcp --dir FOLDER',
  )
  assert.equal(describeRefusedFolders({ ...root, source: 'directory' }), undefined)
  assert.equal(describeRefusedFolders({ directory: '/home', extraRoots: [], source: 'current' }), undefined)
})

test('a server that was started in / by a client without roots lists its tools and does nothing', async t => {
  const { client, call } = await connectTestClient(t, { cwd: '/', args: ['--mode', 'auto'] })
  assert.ok((await client.listTools()).tools.length > 0)
  const result = await call('read', { path: '.' })
  assert.equal(result.isError, true)
  assert.match(textOf(result), /^Nothing was done: no one says which folder to work in\./)
})

function makeNamed(name: string): string {
  const folder = makeFolder()
  writeFileSync(join(folder, `in-${name}.txt`), name)
  return folder
}

test('core.mcp_server: without roots and --dir the tools work in the current folder', async t => {
  const folder = makeNamed('here')
  const { text, stderr } = await connectTestClient(t, { cwd: folder })
  assert.match(await text('read', { path: '.' }), /in-here\.txt/)
  assert.match(
    stderr(),
    new RegExp(
      `^deckhand mcp: version 1\\.2\\.3 serves the tools over stdio; workspace: the client's roots, or ${folder} where it offers none\n`,
    ),
  )
  assert.ok(
    stderr().includes(`deckhand mcp: workspace: ${folder} (the current folder, as the client named no other)\n`),
  )
})

for (const modern of [false, true]) {
  const protocol = modern ? '2026-07-28' : '2025-11-25'

  test(`core.mcp_server: the tools work in the client's roots (${protocol})`, async t => {
    const [first, second] = [makeNamed('first'), makeNamed('second')]
    const { client, text, call, stderr } = await connectTestClient(t, { modern, roots: [first, second] })
    assert.equal((await client.listTools()).tools.length, 4)
    assert.match(await text('read', { path: '.' }), /in-first\.txt/)
    assert.match(await text('read', { path: join(second, 'in-second.txt') }), /second/)
    // What is outside is asked, and nobody can be asked.
    assert.equal((await call('read', { path: makeNamed('outside') })).isError, true)
    assert.ok(stderr().includes(`deckhand mcp: workspace: ${first}, ${second} (the client's roots)\n`))
  })

  test(`core.mcp_server: --dir holds whatever the client's roots are (${protocol})`, async t => {
    const [given, root] = [makeNamed('given'), makeNamed('root')]
    const { client, text } = await connectTestClient(t, { modern, roots: [root], args: ['--dir', given] })
    assert.match(await text('read', { path: '.' }), /in-given\.txt/)
    assert.match(client.getInstructions() ?? '', new RegExp(`in one workspace: ${given} \\(from --dir\\)\\.`))
  })
}

test('core.mcp_server: when the roots change, calls to come work in the new ones and running ones end in the old', async t => {
  const [before, after] = [makeNamed('before'), makeNamed('after')]
  writeFileSync(join(after, 'extra-tool'), '')
  const roots = [before]
  const { client, call, text, stderr } = await connectTestClient(t, { roots, args: ['--mode', 'auto'] })
  let isListChanged = false
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    isListChanged = true
  })
  await client.listTools()
  const running = call('shell', { command: 'touch started; until test -e go; do sleep 0.02; done; pwd' })
  await until(() => existsSync(join(before, 'started')), 'the call runs')
  roots.splice(0, 1, after)
  await client.sendRootsListChanged()
  await until(() => isListChanged, 'the other tools are told')
  assert.ok((await client.listTools()).tools.some(({ name }) => name === 'extra'))
  assert.match(await text('shell', { command: 'pwd' }), new RegExp(after))
  assert.ok(!stderr().includes(`closed ${before}`))
  writeFileSync(join(before, 'go'), '')
  assert.match(textOf(await running), new RegExp(before))
  await until(() => stderr().includes(`closed ${before}`), 'the old session is closed')
})

test('the same roots again keep the session', async t => {
  const folder = makeNamed('same')
  const { client, text, stderr } = await connectTestClient(t, { roots: [folder] })
  await text('read', { path: '.' })
  await client.sendRootsListChanged()
  await text('read', { path: '.' })
  assert.equal(stderr().split('deckhand mcp: workspace: ').length, 2)
})

test('a configuration that was mended is used without a new start', async t => {
  const folder = makeNamed('mended')
  writeFileSync(join(folder, 'broken'), '')
  const { call } = await connectTestClient(t, { cwd: folder })
  assert.equal(textOf(await call('read', { path: '.' })), 'deckhand.json is not valid.')
  rmSync(join(folder, 'broken'))
  assert.equal((await call('read', { path: '.' })).isError, undefined)
})
