import assert from 'node:assert/strict'
import { chmodSync, existsSync, lstatSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { createFileBench, denyAll } from '../workspace/fixtures/file-bench.ts'

test('read.ledger: a new file is created with its folders, and told', async t => {
  const bench = createFileBench(t)
  const result = await bench.call('write', { path: 'src/deep/a.ts', content: 'one\ntwo\n' })
  assert.equal(result.output, 'Created src/deep/a.ts: 2 lines, 8 bytes.')
  assert.equal(bench.bytes('src/deep/a.ts').toString(), 'one\ntwo\n')
  assert.match(
    String(result.metadata.diff),
    /^--- src\/deep\/a\.ts\n\+\+\+ src\/deep\/a\.ts\n@@ -0,0 \+1,2 @@\n\+one\n\+two\n/m,
  )
})

test('read.ledger: an existing file that was never read is not overwritten', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', 'old\n')
  const failure = await bench.failed('write', { path: 'a.txt', content: 'new\n' })
  assert.equal(failure.code, 'not-read')
  assert.equal(
    failure.message,
    'a.txt exists (4 bytes) and has not been read in this session, so it was left alone. Read it first, then do this again.',
  )
  assert.equal(bench.bytes('a.txt').toString(), 'old\n')
  assert.equal(bench.questions.length, 0)
})

test('read.partial_ledger: a file that was only partly read is not overwritten; reading the rest helps', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', Array.from({ length: 500 }, (_, index) => `${index}\n`).join(''))
  await bench.call('read', { path: 'a.txt', limit: 10 })
  assert.equal(
    (await bench.failed('write', { path: 'a.txt', content: 'x\n' })).message,
    'a.txt was only partly read (lines 1-10 of 500), and overwriting it would lose what you have not seen, so it was left alone. Read the rest, or change parts of it with edit.',
  )
  await bench.call('read', { path: 'a.txt', offset: 11 })
  assert.equal(
    await bench.told('write', { path: 'a.txt', content: 'x\n' }),
    'Overwrote a.txt: 1 line, 2 bytes (+1 -500).',
  )
})

test('read.partial_ledger: a line that was cut counts as seen once its rest was read', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', `${'x'.repeat(3000)}\n`)
  await bench.call('read', { path: 'a.txt' })
  assert.equal((await bench.failed('write', { path: 'a.txt', content: 'x' })).code, 'not-read')
  await bench.call('read', { path: 'a.txt', offset: 1, column: 2002 })
  assert.equal((await bench.failed('write', { path: 'a.txt', content: 'x' })).code, 'not-read')
  await bench.call('read', { path: 'a.txt', offset: 1, column: 2001 })
  await bench.call('write', { path: 'a.txt', content: 'x' })
})

test('read.ledger: a file that was changed on disk since it was read is not overwritten', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', 'old\n')
  await bench.call('read', { path: 'a.txt' })
  bench.put('a.txt', 'NEW\n')
  const failure = await bench.failed('write', { path: 'a.txt', content: 'mine\n' })
  assert.equal(failure.code, 'changed-on-disk')
  assert.equal(
    failure.message,
    'a.txt was changed on disk since you last read it, so it was left alone. Read it again, then do this with what it holds now.',
  )
  assert.equal(bench.bytes('a.txt').toString(), 'NEW\n')
})

test('read.ledger: a change while the question stands is seen, and nothing is written', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', 'old\n')
  await bench.call('read', { path: 'a.txt' })
  bench.answer = () => void bench.put('a.txt', 'NEW\n')
  assert.equal((await bench.failed('write', { path: 'a.txt', content: 'mine\n' })).code, 'changed-on-disk')
  bench.answer = () => void bench.put('b.txt', 'theirs\n')
  assert.match((await bench.failed('write', { path: 'b.txt', content: 'mine\n' })).message, /created by someone else/)
  assert.equal(bench.bytes('a.txt').toString() + bench.bytes('b.txt').toString(), 'NEW\ntheirs\n')
})

test('read.ledger: own writes are known: a second write needs no reading', async t => {
  const bench = createFileBench(t)
  await bench.call('write', { path: 'a.txt', content: '1\n' })
  await bench.call('write', { path: 'a.txt', content: '2\n' })
  assert.equal(
    await bench.told('write', { path: 'a.txt', content: '2\n' }),
    'Unchanged, as the file held this already: a.txt: 1 line, 2 bytes.',
  )
})

test('core.preflight: nothing is touched when the answer is no', async t => {
  const bench = createFileBench(t)
  bench.answer = denyAll
  assert.equal((await bench.failed('write', { path: 'new/a.txt', content: 'x' })).code, 'rule')
  assert.deepEqual(readdirSync(bench.directory), [])
  assert.equal(bench.questions[0]?.title, 'Create new/a.txt')
  assert.deepEqual(bench.questions[0]?.parts, [
    {
      permission: 'edit',
      pattern: 'new/a.txt',
      denyPatterns: [bench.path('new/a.txt')],
      effect: 'write',
      contained: true,
      always: ['new/a.txt'],
    },
  ])
})

test('read.ledger: mode and link of an existing file stay, and no temporary file is left', async t => {
  const bench = createFileBench(t)
  bench.put('real.sh', '#!/bin/sh\n')
  chmodSync(bench.path('real.sh'), 0o750)
  symlinkSync('real.sh', bench.path('link.sh'))
  await bench.call('read', { path: 'link.sh' })
  await bench.call('write', { path: 'link.sh', content: '#!/bin/bash\n' })
  assert.equal(bench.bytes('real.sh').toString(), '#!/bin/bash\n')
  assert.equal(statSync(bench.path('real.sh')).mode & 0o777, 0o750)
  assert.ok(lstatSync(bench.path('link.sh')).isSymbolicLink())
  assert.deepEqual(readdirSync(bench.directory).sort(), ['link.sh', 'real.sh'])
})

const kept: readonly (readonly [string, Buffer, string, Buffer, string])[] = [
  [
    'a byte order mark',
    Buffer.from('\ufeffé\n'),
    'ü\n',
    Buffer.from('\ufeffü\n'),
    'Kept from the old file: byte order mark.',
  ],
  [
    'UTF-16',
    Buffer.from('\ufeffé\r\n', 'utf16le'),
    'ü\n',
    Buffer.from('\ufeffü\r\n', 'utf16le'),
    'Kept from the old file: encoding UTF-16LE, byte order mark, CRLF line endings.',
  ],
  [
    'CRLF',
    Buffer.from('a\r\nb\r\n'),
    'c\nd\n',
    Buffer.from('c\r\nd\r\n'),
    'Kept from the old file: CRLF line endings.',
  ],
  [
    'windows-1252',
    Buffer.from('caf\xe9 cr\xe8me br\xfbl\xe9e\n', 'latin1'),
    'thé\n',
    Buffer.from('th\xe9\n', 'latin1'),
    'Kept from the old file: encoding windows-1252.',
  ],
]
for (const [what, old, content, expected, words] of kept) {
  test(`read.ledger: ${what} of an existing file is kept`, async t => {
    const bench = createFileBench(t)
    bench.put('a.txt', old)
    await bench.call('read', { path: 'a.txt' })
    assert.equal((await bench.told('write', { path: 'a.txt', content })).split('\n')[1], words)
    assert.deepEqual(bench.bytes('a.txt'), expected)
  })
}

test('read.ledger: what the encoding of the file can not hold is refused, with the character', async t => {
  const bench = createFileBench(t)
  const old = Buffer.from('caf\xe9 cr\xe8me br\xfbl\xe9e\n', 'latin1')
  bench.put('a.txt', old)
  await bench.call('read', { path: 'a.txt' })
  assert.equal(
    (await bench.failed('write', { path: 'a.txt', content: 'thé 茶\n' })).message,
    'a.txt is in windows-1252, which can\'t hold "茶" (U+8336); it was left alone. Use other characters, or convert the file first: iconv -f windows-1252 -t UTF-8',
  )
  assert.deepEqual(bench.bytes('a.txt'), old)
})

test('read.line_prefixes: numbered text of a read is not written into a file', async t => {
  const bench = createFileBench(t)
  assert.equal(
    (await bench.failed('write', { path: 'a.txt', content: '12| const a = 1\n13| const b = 2\n' })).message,
    'a.txt was not written: its lines begin with the line numbers ("12| ") that read shows, which are not part of the file. Send the text without them.',
  )
  assert.equal(existsSync(bench.path('a.txt')), false)
})

const placeholders = [
  '// ... rest of code unchanged',
  '# ... existing code ...',
  '/* … remaining methods … */',
  '<!-- rest of file unchanged -->',
  '// rest of the file stays the same',
]
for (const line of placeholders) {
  test(`read.ledger: "${line}" does not replace real lines`, async t => {
    const bench = createFileBench(t)
    assert.match(
      (await bench.failed('write', { path: 'a.ts', content: `const a = 1\n${line}\n` })).message,
      /^a\.ts was not written: it stands for text that was left out/,
    )
  })
}

test('read.ledger: words and dots that only look like a placeholder are written', async t => {
  const bench = createFileBench(t)
  const content =
    'const rest = [...existing]\n# the rest of the code follows\nfunction f(...args) {}\n// see the other file\n1| a\ntext\ntext\n'
  await bench.call('write', { path: 'a.ts', content })
  assert.equal(bench.bytes('a.ts').toString(), content)
})

test('core.preflight: writing what runs later is asked whatever is allowed', async t => {
  const bench = createFileBench(t)
  const reasons: Record<string, string | undefined> = {}
  for (const path of [
    '.git/hooks/pre-commit',
    '.git/config',
    '~/.bashrc',
    'opencode.json',
    'deckhand.jsonc',
    'src/a.ts',
  ]) {
    await bench.call('write', { path, content: 'x' })
    reasons[path] = bench.questions.at(-1)?.parts[0]?.floor?.reason
  }
  assert.deepEqual(reasons, {
    '.git/hooks/pre-commit': "Git runs commands from its folder's hooks and settings",
    '.git/config': "Git runs commands from its folder's hooks and settings",
    '~/.bashrc': 'shells run it when they start',
    'opencode.json': 'it decides what Deckhand itself may do and run',
    'deckhand.jsonc': 'it decides what Deckhand itself may do and run',
    'src/a.ts': undefined,
  })
})

test('shell.workspace_boundary: a file outside is asked with its folder, and written through a dangling link only so', async t => {
  const bench = createFileBench(t)
  symlinkSync(`${bench.outside}/new.txt`, bench.path('link'))
  await bench.call('write', { path: 'link', content: 'x' })
  assert.deepEqual(bench.questions[0]?.parts.at(-1), {
    permission: 'external_directory',
    pattern: `${bench.outside}/*`,
    effect: 'write',
    always: [`${bench.outside}/*`],
  })
  assert.ok(lstatSync(bench.path('link')).isSymbolicLink())
})

test('read.ledger: folders, binary files and read-only files are refused in words', async t => {
  const bench = createFileBench(t)
  bench.put('sub/x', '')
  assert.equal(
    (await bench.failed('write', { path: 'sub', content: 'x' })).message,
    'sub is a folder, not a file. Name a file in it.',
  )
  bench.put('logo.png', Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'))
  assert.equal(
    (await bench.failed('write', { path: 'logo.png', content: 'x' })).message,
    'logo.png is not text but PNG image (10 bytes); it was left alone. To put text in its place, delete it first with the shell.',
  )
  bench.put('file', 'x')
  assert.match(
    (await bench.failed('write', { path: 'file/x', content: 'x' })).message,
    /a part of the path is a file, not a folder \(ENOTDIR\)/,
  )
})

test('core.cancel: a write that was cancelled while it was asked for is not made', async t => {
  const bench = createFileBench(t)
  const controller = new AbortController()
  const reason = new Error('stop')
  bench.answer = () => controller.abort(reason)
  await assert.rejects(bench.call('write', { path: 'a.txt', content: 'x' }, controller.signal), reason)
  assert.equal(existsSync(bench.path('a.txt')), false)
})

test('read.ledger: files written side by side each keep their own content', async t => {
  const bench = createFileBench(t)
  const names = Array.from({ length: 20 }, (_, index) => `f${index}.txt`)
  await Promise.all(names.map(path => bench.call('write', { path, content: `content of ${path}\n` })))
  for (const name of names) assert.equal(bench.bytes(name).toString(), `content of ${name}\n`)
})

test('read.aliased_input: write takes wrong but common names', async t => {
  const bench = createFileBench(t)
  assert.match(
    await bench.told('write', { file_path: 'a.txt', contents: 'x' }),
    /^\(file_path was taken as path; contents was taken as content\)\nCreated a\.txt/,
  )
  writeFileSync(bench.path('empty.txt'), '')
  await bench.call('write', { path: 'empty.txt', content: 'an empty file has nothing to lose' })
})
