import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createFileBench, denyAll, type FileBench } from '../workspace/fixtures/file-bench.ts'

async function readAnd(bench: FileBench, name: string, content: string | Uint8Array): Promise<void> {
  bench.put(name, content)
  await bench.call('read', { path: name })
}

test('read.ledger: an exact match is replaced, and the model sees a short diff', async t => {
  const bench = createFileBench(t)
  await readAnd(bench, 'a.ts', 'const a = 1\nconst b = 2\nconst c = 3\n')
  const result = await bench.call('edit', { path: 'a.ts', oldText: 'b = 2', newText: 'b = 5' })
  assert.equal(
    result.output,
    'Edited a.ts: 1 replacement (+1 -1).\n@@ -1,3 +1,3 @@\n const a = 1\n-const b = 2\n+const b = 5\n const c = 3',
  )
  assert.equal(bench.bytes('a.ts').toString(), 'const a = 1\nconst b = 5\nconst c = 3\n')
  assert.match(String(result.metadata.diff), /^--- a\.ts\n\+\+\+ a\.ts\n@@/m)
})

test('read.ledger: a file that was never read, or has changed since, is not edited', async t => {
  const bench = createFileBench(t)
  bench.put('a.ini', 'alpha=1\n')
  const edit = { path: 'a.ini', oldText: 'alpha=1', newText: 'alpha=9' }
  assert.equal((await bench.failed('edit', edit)).code, 'not-read')
  await bench.call('read', { path: 'a.ini' })
  bench.put('a.ini', 'alpha=1\ngamma=777\n')
  assert.equal((await bench.failed('edit', edit)).code, 'changed-on-disk')
  assert.equal(bench.bytes('a.ini').toString(), 'alpha=1\ngamma=777\n')
})

test('read.ledger: a change while the question stands is seen, and the edit is not made', async t => {
  const bench = createFileBench(t)
  await readAnd(bench, 'a.txt', 'one\n')
  bench.answer = () => void bench.put('a.txt', 'one and more\n')
  const failure = await bench.failed('edit', { path: 'a.txt', oldText: 'one', newText: 'two' })
  assert.equal(
    failure.message,
    'a.txt was changed on disk in the meantime, so it was left alone. Read it again, then do this with what it holds now.',
  )
  assert.equal(bench.bytes('a.txt').toString(), 'one and more\n')
})

test('read.ledger: own edits refresh what is known, also of a CRLF file', async t => {
  const bench = createFileBench(t)
  await readAnd(bench, 'w.txt', 'a\r\nb\r\nc\r\n')
  await bench.call('edit', { path: 'w.txt', oldText: 'a\nb', newText: 'a\nx' })
  await bench.call('edit', { path: 'w.txt', oldText: 'x\nc', newText: 'x\ny\nc' })
  assert.equal(bench.bytes('w.txt').toString(), 'a\r\nx\r\ny\r\nc\r\n')
  await bench.call('write', { path: 'w.txt', content: 'whole\n' })
})

test('read.partial_ledger: after an edit of a partly read file only the lines before it count as seen', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join(''))
  await bench.call('read', { path: 'a.txt', limit: 50 })
  await bench.call('edit', { path: 'a.txt', oldText: 'line 10\n', newText: 'line ten\n' })
  assert.match((await bench.failed('write', { path: 'a.txt', content: 'x' })).message, /only partly read \(lines 1-9\)/)
})

test('read.ledger: two edits of one file in one step are both made', async t => {
  const bench = createFileBench(t)
  await readAnd(bench, 'a.txt', 'one\ntwo\n')
  await Promise.all([
    bench.call('edit', { path: 'a.txt', oldText: 'one', newText: '1' }),
    bench.call('edit', { path: 'a.txt', oldText: 'two', newText: '2' }),
  ])
  assert.equal(bench.bytes('a.txt').toString(), '1\n2\n')
})

test('read.ledger: several edits are made all or none, each against the file as it was', async t => {
  const bench = createFileBench(t)
  await readAnd(bench, 'a.txt', 'one\ntwo\nthree\n')
  const edits = [
    { oldText: 'one', newText: 'two' },
    { oldText: 'two', newText: 'three' },
    { oldText: 'three', newText: 'one' },
  ]
  assert.match(
    (await bench.failed('edit', { path: 'a.txt', edits: [...edits, { oldText: 'four', newText: '4' }] })).message,
    /^a\.txt was left as it was\. Edit 4 of 4: oldText is not in the file\./,
  )
  assert.equal(bench.bytes('a.txt').toString(), 'one\ntwo\nthree\n')
  await bench.call('edit', { path: 'a.txt', edits })
  assert.equal(bench.bytes('a.txt').toString(), 'two\nthree\none\n')
})

test('read.ledger: edits that overlap are refused', async t => {
  const bench = createFileBench(t)
  await readAnd(bench, 'a.txt', 'abc\n')
  const edits = [
    { oldText: 'ab', newText: 'x' },
    { oldText: 'bc', newText: 'y' },
  ]
  assert.equal(
    (await bench.failed('edit', { path: 'a.txt', edits })).message,
    'a.txt was left as it was. Two edits want to change the same text, at line 1. Make one edit of them.',
  )
})

test('read.ledger: several places are told with their lines; all replaces each', async t => {
  const bench = createFileBench(t)
  await readAnd(bench, 'a.txt', 'x\ny\nx\nx\n')
  const failure = await bench.failed('edit', { path: 'a.txt', oldText: 'x', newText: 'z' })
  assert.equal(failure.code, 'ambiguous')
  assert.equal(
    failure.message,
    'a.txt was left as it was. oldText is there 3 times (lines 1, 3, 4). Add lines around the one that you mean, or set all: true to replace each.',
  )
  assert.match(
    await bench.told('edit', { path: 'a.txt', oldText: 'x', newText: 'z', all: true }),
    /^Edited a\.txt: 3 replacements \(\+3 -3\)\./,
  )
  assert.equal(bench.bytes('a.txt').toString(), 'z\ny\nz\nz\n')
})

const missing: readonly (readonly [string, string, string, string])[] = [
  ['the closest line', 'function add(a, b) {\n}\n', 'function adt(a, b) {', 'Closest: line 1: "function add(a, b) {".'],
  [
    'other blanks',
    '\tif (x) {\n',
    '    if (x) {',
    'Closest: line 1. Line 1 differs in its blanks at an end: the file has "\\tif (x) {", oldText has "    if (x) {".',
  ],
  [
    'the line of several that differs',
    'a1\nb2\nc3\nd4\n',
    'b2\ncX\nd4',
    'Closest: lines 2-4. Line 3 differs: the file has "c3", oldText has "cX".',
  ],
  ['that nothing is close', 'aaa\n', 'zzzzzzzzzzz', 'No line of the file is close to it; read the file again.'],
]
for (const [what, content, oldText, words] of missing) {
  test(`read.ledger: text that is not there is told with ${what}`, async t => {
    const bench = createFileBench(t)
    await readAnd(bench, 'a.txt', content)
    const failure = await bench.failed('edit', { path: 'a.txt', oldText, newText: 'new' })
    assert.equal(failure.code, 'no-match')
    assert.equal(failure.message, `a.txt was left as it was. oldText is not in the file. ${words}`)
  })
}

test('read.ledger: an edit that was made before, or carries line numbers, is told as such', async t => {
  const bench = createFileBench(t)
  await readAnd(bench, 'a.txt', 'one\nfresh text\n')
  assert.match(
    (await bench.failed('edit', { path: 'a.txt', oldText: 'stale text', newText: 'fresh text' })).message,
    /newText is there already, at line 2: was this edit made before\?/,
  )
  assert.match(
    (await bench.failed('edit', { path: 'a.txt', oldText: '1| one\n2| fresh', newText: 'x' })).message,
    /its lines begin with the line numbers that read shows\. Leave those out\.$/,
  )
})

test('read.ledger: senseless edits are refused', async t => {
  const bench = createFileBench(t)
  await readAnd(bench, 'a.txt', 'one\r\n')
  const message = async (edit: object) => (await bench.failed('edit', { path: 'a.txt', ...edit })).message
  assert.match(await message({ oldText: 'one', newText: 'one' }), /oldText and newText are the same/)
  assert.match(await message({ oldText: 'one\r\n', newText: 'one\n' }), /oldText and newText are the same/)
  assert.match(await message({ oldText: '', newText: 'one' }), /oldText is empty/)
  assert.match(
    await message({ oldText: 'one', newText: '// ... existing code ...' }),
    /newText can't be meant: it stands for text that was left out/,
  )
  assert.match(await message({}), /edit needs oldText and newText, or edits; nothing was changed\.$/)
  assert.match(
    (await bench.failed('edit', { path: 'b.txt', oldText: 'a', newText: 'b' })).message,
    /^No such file: b\.txt does not exist\. Close names: a\.txt\.$/,
  )
})

test('read.aliased_input: edit takes the names of other agents, in a list too', async t => {
  const bench = createFileBench(t)
  await readAnd(bench, 'a.txt', 'x x\n')
  assert.match(
    await bench.told('edit', { file_path: 'a.txt', old_string: 'x', new_string: 'y', replace_all: 'true' }),
    /^\(file_path was taken as path; old_string was taken as oldText; new_string was taken as newText; replace_all was taken as all; all "true" was taken as true\)\nEdited/,
  )
  await bench.call('edit', { filePath: 'a.txt', edits: [{ search: 'y y', replace: 'z' }] })
  assert.equal(bench.bytes('a.txt').toString(), 'z\n')
})

test('core.preflight: the diff is asked first, and nothing is touched when the answer is no', async t => {
  const bench = createFileBench(t)
  await readAnd(bench, 'a.txt', 'one\n')
  bench.answer = denyAll
  assert.equal((await bench.failed('edit', { path: 'a.txt', oldText: 'one', newText: 'two' })).code, 'rule')
  assert.equal(bench.bytes('a.txt').toString(), 'one\n')
  assert.match(String(bench.questions.at(-1)?.metadata?.diff), /-one\n\+two/)
})

const exact: readonly (readonly [string, Buffer, string, string, Buffer])[] = [
  [
    'Latin-1',
    Buffer.from('int x = 1;\r\n// caf\xe9 cr\xe8me\r\n', 'latin1'),
    'x = 1',
    'x = 5',
    Buffer.from('int x = 5;\r\n// caf\xe9 cr\xe8me\r\n', 'latin1'),
  ],
  [
    'Latin-1, in the match itself',
    Buffer.from('caf\xe9 cr\xe8me br\xfbl\xe9e\n', 'latin1'),
    'crème',
    'thé',
    Buffer.from('caf\xe9 th\xe9 br\xfbl\xe9e\n', 'latin1'),
  ],
  [
    'GBK',
    Buffer.from(`${'c4e3bac3cac0bde7'.repeat(6)}0a783d310a`, 'hex'),
    'x=1',
    'x=世',
    Buffer.from(`${'c4e3bac3cac0bde7'.repeat(6)}0a783dcac00a`, 'hex'),
  ],
  [
    'invalid UTF-8',
    Buffer.concat([Buffer.from('naïve café ñ é ü ö\n'), Buffer.from([0xff, 0xc3, 10]), Buffer.from('x = 1\n')]),
    'x = 1',
    'x = ü',
    Buffer.concat([Buffer.from('naïve café ñ é ü ö\n'), Buffer.from([0xff, 0xc3, 10]), Buffer.from('x = ü\n')]),
  ],
  ['a byte order mark', Buffer.from('\ufeffone\ntwo\n'), 'one', 'eins', Buffer.from('\ufeffeins\ntwo\n')],
  [
    'UTF-16',
    Buffer.from('\ufeffone\r\ntwo\r\n', 'utf16le'),
    'one\ntwo',
    'one\nzwei',
    Buffer.from('\ufeffone\r\nzwei\r\n', 'utf16le'),
  ],
  ['mixed line endings', Buffer.from('a\r\nb\nc\r\nd\n'), 'a\nb\nc\nd', 'a\nB\nc\nd', Buffer.from('a\r\nB\nc\r\nd\n')],
  [
    'mixed line endings and more lines',
    Buffer.from('a\r\nb\nc\r\n'),
    'b\nc',
    'b\nnew\nc',
    Buffer.from('a\r\nb\nnew\r\nc\r\n'),
  ],
]
for (const [what, before, oldText, newText, expected] of exact) {
  test(`read.ledger: an edit changes only the match: ${what}`, async t => {
    const bench = createFileBench(t)
    await readAnd(bench, 'a.txt', before)
    await bench.call('edit', { path: 'a.txt', oldText, newText })
    assert.deepEqual(bench.bytes('a.txt'), expected)
  })
}

test('read.ledger: in any file an edit changes no byte outside the match, or refuses and changes none', async t => {
  const bench = createFileBench(t)
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom('\n', '\r\n', '\r', 'abc', 'é', '世界', '\ufeff', ' '),
      fc.uint8Array({ maxLength: 4 }).map(bytes => Buffer.from(bytes)),
    ),
    { maxLength: 20 },
  )
  const join = (list: readonly (string | Buffer)[]) => Buffer.concat(list.map(piece => Buffer.from(piece)))
  let edited = 0
  await fc.assert(
    fc.asyncProperty(pieces, pieces, fc.string({ minLength: 1, maxLength: 6 }), async (before, after, insert) => {
      const newText = insert.replace(/[\r\n]/g, 'n')
      const content = Buffer.concat([join(before), Buffer.from('<MARK>'), join(after)])
      bench.put('a.bin', content)
      try {
        await bench.call('read', { path: 'a.bin', again: true })
        await bench.call('edit', { path: 'a.bin', oldText: '<MARK>', newText })
      } catch {
        assert.deepEqual(bench.bytes('a.bin'), content)
        return
      }
      edited++
      assert.deepEqual(bench.bytes('a.bin'), Buffer.concat([join(before), Buffer.from(newText), join(after)]))
    }),
    { numRuns: 150 },
  )
  assert.ok(edited > 20, `${edited} of 150 were edited`)
})
