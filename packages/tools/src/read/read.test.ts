import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { createFileBench, denyAll } from '../workspace/fixtures/file-bench.ts'
import { withOpenFile } from './open-file.ts'

const lines = (count: number, make = (n: number) => `line ${n}`) =>
  Array.from({ length: count }, (_, index) => `${make(index + 1)}\n`).join('')

test('read.line_prefixes: a small file is shown whole, numbered, between a header and a closing line', async t => {
  const bench = createFileBench(t)
  bench.put('src/app.ts', 'one\n\ntwo')
  assert.equal(
    await bench.told('read', { path: 'src/app.ts' }),
    'src/app.ts · text · 8 bytes\n1| one\n2| \n3| two\nEnd of file: all 3 lines shown.',
  )
})

test('read.line_window: 2,000 lines are shown, and the exact next offset is named', async t => {
  const bench = createFileBench(t)
  bench.put(
    'a.txt',
    lines(5000, n => `${n}`),
  )
  const output = (await bench.told('read', { path: 'a.txt' })).split('\n')
  assert.equal(output[1], '1| 1')
  assert.equal(output.at(-2), '2000| 2000')
  assert.equal(
    output.at(-1),
    'Lines 1-2000 of 5,000 shown (limit of 2,000 lines); 3,000 more lines. Go on with offset: 2001.',
  )
})

test('read.line_window: offset and limit choose the lines', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', lines(50))
  assert.equal(
    await bench.told('read', { path: 'a.txt', offset: 10, limit: 2 }),
    'a.txt · text · 391 bytes\n10| line 10\n11| line 11\nLines 10-11 of 50 shown (as asked); 39 more lines. Go on with offset: 12.',
  )
})

test('read.second_ceiling: 50 KB end a window before 2,000 lines do', async t => {
  const bench = createFileBench(t)
  bench.put(
    'a.txt',
    lines(1500, n => `${n} `.padEnd(100, 'x')),
  )
  const output = await bench.told('read', { path: 'a.txt' })
  const shown = output.split('\n').filter(line => /^\d+\| /.test(line)).length
  assert.ok(Buffer.byteLength(output) < 51_500)
  assert.match(
    output,
    new RegExp(`Lines 1-${shown} of 1,500 shown \\(limit of 50.0 KB\\); .* Go on with offset: ${shown + 1}\\.$`),
  )
})

test('read.per_line_clamp: a long line is cut and says how many characters were left out, and how to see them', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', `${'é'.repeat(2500)}\nnext\n`)
  assert.equal(
    await bench.told('read', { path: 'a.txt' }),
    `a.txt · text · 4.9 KB\n1| ${'é'.repeat(2000)} [… 500 more characters; see them with offset: 1, column: 2001]\n2| next\nEnd of file: all 2 lines shown.`,
  )
})

test('read.resume_offset: inside a giant line the next column is named until the line ends', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', `${'x'.repeat(60_000)}END\nlast\n`)
  const first = await bench.told('read', { path: 'a.txt', offset: 1, column: 2001 })
  assert.match(first, /\nLine 1: characters 2001-53200 of 60,003 shown\. Go on with offset: 1, column: 53201\.$/)
  const second = await bench.told('read', { path: 'a.txt', offset: 1, column: 53_201 })
  assert.match(second, /END\nLine 1: characters 53201-60003 of 60,003 shown, to its end\. Go on with offset: 2\.$/)
  const past = await bench.told('read', { path: 'a.txt', offset: 1, column: 90_000 })
  assert.match(past, /\nColumn 90000 is past the end: line 1 has 60,003 characters\.$/)
})

test('read.empty_file_note: an empty file is said to be empty', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', '')
  assert.equal(
    await bench.told('read', { path: 'a.txt' }),
    'a.txt · text · 0 bytes\nThe file is empty: it exists and has 0 bytes.',
  )
})

test('read.eof_note: an offset past the end is told with the true length', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', 'one\ntwo\nthree\n')
  for (const offset of [4, 100]) {
    assert.equal(
      await bench.told('read', { path: 'a.txt', offset }),
      `a.txt · text · 14 bytes\nOffset ${offset} is past the end: a.txt has 3 lines. Use an offset from 1 to 3, or a negative one to count from the end.`,
    )
  }
})

test('read.deferred_chunk: a file of exactly the limit has no more lines', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', lines(2000))
  assert.match(await bench.told('read', { path: 'a.txt' }), /\nEnd of file: all 2,000 lines shown\.$/)
  bench.put('b.txt', 'a\nb\n')
  assert.match(await bench.told('read', { path: 'b.txt', offset: 2, limit: 1 }), /\n2\| b\nEnd of file: line 2 of 2\.$/)
})

test('read.dedup: an unchanged window is shown once, again on demand, after a change and after the context was compacted', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', lines(300))
  const first = await bench.told('read', { path: 'a.txt' })
  assert.equal(
    await bench.told('read', { path: 'a.txt' }),
    'a.txt: unchanged since you read the same lines; that earlier result still holds. To see them again, set again: true.',
  )
  assert.equal(await bench.told('read', { path: 'a.txt', again: true }), first)
  assert.match(await bench.told('read', { path: 'a.txt', offset: 2 }), /^a\.txt · text/)
  appendFileSync(bench.path('a.txt'), 'FRESH\n')
  assert.match(await bench.told('read', { path: 'a.txt' }), /301\| FRESH/)
  bench.ledger.forgetWindows()
  assert.match(await bench.told('read', { path: 'a.txt' }), /301\| FRESH/)
})

test('read.did_you_mean: a missing path gets close names of its folder, and the same name elsewhere', async t => {
  const bench = createFileBench(t)
  for (const name of ['src/app.ts', 'src/api.ts', 'lib/deep/unique.ts', 'config.yaml']) bench.put(name, 'x')
  const message = async (path: string) => (await bench.failed('read', { path })).message
  assert.equal(
    await message('src/ap.ts'),
    'No such file: src/ap.ts does not exist. Close names: src/api.ts, src/app.ts.',
  )
  assert.equal(await message('config.yml'), 'No such file: config.yml does not exist. Close names: config.yaml.')
  assert.equal(await message('Config.yaml'), 'No such file: Config.yaml does not exist. Close names: config.yaml.')
  assert.equal(
    await message('src/unique.ts'),
    'No such file: src/unique.ts does not exist. Close names: lib/deep/unique.ts.',
  )
  assert.equal(
    await message('zzz/qqqqqqqq'),
    'No such file: zzz/qqqqqqqq does not exist. No close name was found; look for it with glob.',
  )
})

test('read.unicode_retry: a name that differs only in what can not be seen is opened, and told', async t => {
  const bench = createFileBench(t)
  bench.put('Shot 1.01\u202fAM.txt', 'morning\n')
  assert.equal(
    await bench.told('read', { path: 'Shot 1.01 AM.txt' }),
    'Shot 1.01\u202fAM.txt · text · 8 bytes\nNote: there is no "Shot 1.01 AM.txt"; the only name that differs just in Unicode form, blanks or quotes was opened: "Shot 1.01\u202fAM.txt"\n1| morning\nEnd of file: all 1 line shown.',
  )
  bench.put('cafe\u0301.txt', 'nfd\n')
  assert.match(await bench.told('read', { path: 'caf\u00e9.txt' }), /1\| nfd/)
  bench.put('It\u2019s.txt', 'curly\n')
  assert.match(await bench.told('read', { path: "It's.txt" }), /1\| curly/)
})

test('read.unicode_retry: the name that is opened is asked for by itself', async t => {
  const bench = createFileBench(t)
  bench.put('my\u202f.env', 'KEY=1\n')
  bench.answer = ({ parts }) => {
    if (parts[0]?.pattern.includes('\u202f')) denyAll()
  }
  assert.equal((await bench.failed('read', { path: 'my .env' })).code, 'rule')
  bench.put('plain\u202fname', 'x\n')
  assert.equal((await bench.failed('read', { path: 'plain name' })).code, 'rule')
  assert.deepEqual(
    bench.questions.slice(-2).map(({ parts }) => parts[0]?.pattern),
    ['plain name', 'plain\u202fname'],
  )
})

test('read.unicode_retry: with two such names none is opened', async t => {
  const bench = createFileBench(t)
  bench.put('a\u202fb.txt', '1')
  bench.put('a\u00a0b.txt', '2')
  assert.equal((await bench.failed('read', { path: 'a b.txt' })).code, 'not-found')
})

test('read.confusables: characters that mislead the eye are told with line, column and code point', async t => {
  const bench = createFileBench(t)
  bench.put(
    'x.js',
    'const user\u200bName = 1\nif (l !== "user\u202e \u2066// x\u2069 \u2066") {}\nconst \u0430dmin = true\n',
  )
  const output = await bench.told('read', { path: 'x.js' })
  assert.equal(
    output.split('\n')[1],
    'Note: characters that mislead the eye (line:column): zero-width U+200B at 1:11; bidi U+202E at 2:16; bidi U+2066 at 2:18; bidi U+2069 at 2:23; bidi U+2066 at 2:25; look-alike U+0430 at 3:7 (Cyrillic, in the word "\u0430dmin")',
  )
})

test('read.confusables: plain Cyrillic, emoji and a byte order mark are not suspicious', async t => {
  const bench = createFileBench(t)
  bench.put('x.txt', '\ufeffПривет, мир\n👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿\nΔt = λ\n')
  assert.doesNotMatch(await bench.told('read', { path: 'x.txt' }), /Note/)
})

test('read.device_blocklist: devices, pipes and sockets are refused before they are opened', async t => {
  const bench = createFileBench(t)
  execFileSync('mkfifo', [bench.path('pipe')])
  const server = createServer().listen(bench.path('sock'))
  t.after(() => server.close())
  await new Promise(resolve => server.once('listening', resolve))
  const cases = { '/dev/zero': 'a character device', pipe: 'a named pipe (FIFO)', sock: 'a socket' }
  for (const [path, kind] of Object.entries(cases)) {
    const failure = await bench.failed('read', { path })
    assert.equal(
      failure.message,
      `${path} is ${kind}, not a regular file: reading it could block or never end, so it was not opened. If you need its data, use the shell with a limit, such as: timeout 5 head -c 1000 PATH`,
    )
  }
  symlinkSync('/dev/zero', bench.path('link'))
  assert.equal((await bench.failed('read', { path: 'link' })).code, 'not-a-file')
  assert.equal(bench.questions.length, 0)
})

test('read.device_blocklist: a pipe that took the place of a file after it was looked at is not read', async t => {
  const bench = createFileBench(t)
  execFileSync('mkfifo', [bench.path('pipe')])
  await assert.rejects(
    withOpenFile(bench.workspace.resolve('pipe'), async () => assert.fail('it was opened')),
    { code: 'not-a-file' },
  )
})

test('read.device_blocklist: an open stream of a process, which has no path of its own, is refused', {
  skip: process.platform !== 'linux',
}, async t => {
  const bench = createFileBench(t)
  const child = spawn('sleep', ['60'], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.after(() => child.kill('SIGKILL'))
  assert.equal((await bench.failed('read', { path: `/proc/${child.pid}/fd/1` })).code, 'not-a-file')
})

test('read.device_blocklist: endless files of /proc are refused, others are read', {
  skip: process.platform !== 'linux',
}, async t => {
  const bench = createFileBench(t)
  for (const path of ['/proc/kmsg', '/proc/self/mem', '/proc/self/pagemap']) {
    assert.equal((await bench.failed('read', { path })).code, 'not-a-file', path)
  }
  assert.match(await bench.told('read', { path: '/proc/self/status' }), /\n1\| Name:/)
})

test('read.magic_bytes: a text file named .png is text, and so is an SVG', async t => {
  const bench = createFileBench(t)
  bench.put('fake.png', 'really text\n')
  bench.put('logo.png', '<svg xmlns="http://www.w3.org/2000/svg"/>\n')
  bench.put('BM.txt', 'BM is how bitmaps begin\n')
  for (const path of ['fake.png', 'logo.png', 'BM.txt']) {
    const result = await bench.call('read', { path })
    assert.match(result.output, /\n1\| (really text|<svg|BM is)/)
    assert.equal(result.attachments, undefined)
  }
})

test('read.magic_bytes: other binary is refused with what it is and its size', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(2000)]))
  bench.put('b.txt', Buffer.from([1, 2, 3, 0, 0, 5, 6, 7, 0, 9]))
  assert.equal(
    (await bench.failed('read', { path: 'a.txt' })).message,
    'a.txt is not text: gzip data, 2.0 KB. It was not shown. With the shell, try: gzip -dc PATH | head -c 20000',
  )
  assert.equal(
    (await bench.failed('read', { path: 'b.txt' })).message,
    'b.txt is not text: binary data, 10 bytes. It was not shown. With the shell, try: file PATH; xxd PATH | head',
  )
})

test('read.magic_bytes: a document says that reading it is not there yet', async t => {
  const bench = createFileBench(t)
  bench.put('a.pdf', '%PDF-1.7\n1 0 obj\n')
  assert.equal(
    (await bench.failed('read', { path: 'a.pdf' })).message,
    'a.pdf is a PDF document (17 bytes). Reading documents of this kind is not there yet. Convert it with the shell, such as: pdftotext -layout PATH -',
  )
})

const encoded: readonly (readonly [string, Buffer, string])[] = [
  ['UTF-8 with BOM', Buffer.from('\ufeffnaïve\n'), 'naïve'],
  ['encoding UTF-16LE with BOM', Buffer.from('\ufeffnaïve\n', 'utf16le'), 'naïve'],
  ['encoding UTF-16BE with BOM', Buffer.from('\ufeffnaïve\n', 'utf16le').swap16(), 'naïve'],
  ['encoding UTF-16LE (guessed)', Buffer.from('naïve\nor so\n', 'utf16le'), 'naïve'],
  ['encoding UTF-16BE (guessed)', Buffer.from('naïve\nor so\n', 'utf16le').swap16(), 'naïve'],
  [
    'encoding GB18030 (guessed)',
    Buffer.from(`7469746c653a20${'c4e3bac3cac0bde7'.repeat(6)}0a`, 'hex'),
    `title: ${'你好世界'.repeat(6)}`,
  ],
  [
    'encoding windows-1252 (guessed)',
    Buffer.from('Le caf\xe9 cr\xe8me, la cr\xe8me br\xfbl\xe9e.\n', 'latin1'),
    'Le café crème, la crème brûlée.',
  ],
]
for (const [words, bytes, first] of encoded) {
  test(`read.magic_bytes: text with ${words} is decoded, and the header says so`, async t => {
    const bench = createFileBench(t)
    bench.put('a.txt', bytes)
    const output = await bench.told('read', { path: 'a.txt' })
    assert.ok(output.startsWith(`a.txt · text · ${bytes.length} bytes · ${words}\n1| ${first}\n`), output)
  })
}

test('read.magic_bytes: a late byte that is no UTF-8 decides the encoding where the start is plain ASCII', async t => {
  const bench = createFileBench(t)
  bench.put(
    'a.txt',
    Buffer.concat([Buffer.from(lines(40_000)), Buffer.from('Le caf\xe9 cr\xe8me, d\xe9j\xe0 vu\n', 'latin1')]),
  )
  const output = await bench.told('read', { path: 'a.txt', offset: 40_001 })
  assert.match(output, /encoding windows-1252 \(guessed\)\n40001\| Le café crème, déjà vu\n/)
})

test('read.magic_bytes: UTF-8 with a damaged byte stays UTF-8, and the line is told', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', Buffer.concat([Buffer.from('你好世界, ça va\nbad '), Buffer.from([0xff]), Buffer.from(' byte\n')]))
  assert.equal(
    await bench.told('read', { path: 'a.txt' }),
    'a.txt · text · 32 bytes\nNote: line 2: bytes that are no valid text are shown as \ufffd\n1| 你好世界, ça va\n2| bad \ufffd byte\nEnd of file: all 2 lines shown.',
  )
})

test('read.line_prefixes: CRLF is told and not part of the lines; mixed endings are counted', async t => {
  const bench = createFileBench(t)
  bench.put('w.txt', 'first\r\nsecond\r\n')
  bench.put('m.txt', 'a\r\nb\nc\n')
  assert.equal(
    await bench.told('read', { path: 'w.txt' }),
    'w.txt · text · 15 bytes · CRLF line endings\n1| first\n2| second\nEnd of file: all 2 lines shown.',
  )
  assert.match(await bench.told('read', { path: 'm.txt' }), /mixed line endings \(1 CRLF, 2 LF\)/)
})

const png = (width: number, height: number, more = 0) => {
  const bytes = Buffer.alloc(33 + more)
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

test('read.image_vision: an image is attached under its true type, with its dimensions', async t => {
  const bench = createFileBench(t)
  const bytes = png(60, 40)
  bench.put('red.jpg', bytes)
  const { output, attachments } = await bench.call('read', { path: 'red.jpg' })
  assert.equal(
    output,
    'red.jpg · PNG image · 60 x 40 px · 33 bytes\nThe image is attached at its full size (scale factor 1: its coordinates are those of the file).',
  )
  assert.deepEqual(attachments, [
    { mime: 'image/png', filename: 'red.jpg', url: `data:image/png;base64,${bytes.toString('base64')}` },
  ])
})

test('read.image_vision: an image that models do not take is told with its size, and that resizing is not there yet', async t => {
  const bench = createFileBench(t)
  bench.put('wide.png', png(9000, 10))
  bench.put('heavy.png', png(100, 100, 4_000_000))
  bench.put('cut.png', png(100, 100).subarray(0, 12))
  assert.equal(
    (await bench.failed('read', { path: 'wide.png' })).message,
    'wide.png is a PNG image of 33 bytes, 9000 x 10 px. Models take at most 3.6 MB and 8000 px a side; making it smaller is not there yet. Make a smaller copy and read that, such as: magick PATH -resize 2000x2000 small.png',
  )
  assert.equal((await bench.failed('read', { path: 'heavy.png' })).code, 'too-large')
  assert.match((await bench.failed('read', { path: 'cut.png' })).message, /header is damaged or cut off/)
})

test('read.many_files: a folder is listed with its counts', async t => {
  const bench = createFileBench(t)
  for (const name of ['sub/b.ts', 'sub/a.ts', 'sub/.hidden', 'sub/deep/c.ts']) bench.put(name, 'x')
  symlinkSync('a.ts', bench.path('sub/link'))
  assert.equal(
    await bench.told('read', { path: 'sub' }),
    'sub · folder · 1 folder, 4 files\n.hidden\na.ts\nb.ts\ndeep/\nlink@\nAll 5 entries shown.',
  )
  assert.equal(
    await bench.told('read', { path: 'sub', offset: 2, limit: 2 }),
    'sub · folder · 1 folder, 4 files\na.ts\nb.ts\nEntries 2-3 of 5 shown; 2 left out. Go on with offset: 4.',
  )
  mkdirSync(bench.path('none'))
  assert.match(await bench.told('read', { path: 'none' }), /The folder is empty\.$/)
})

test('read.many_files: several files in one call, each with its header; a missing one stops no other', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', 'alpha\n')
  bench.put('b.txt', 'beta\n')
  assert.equal(
    await bench.told('read', { paths: ['a.txt', 'nowhere.md', 'b.txt'] }),
    'a.txt · text · 6 bytes\n1| alpha\nEnd of file: all 1 line shown.\n\nNo such file: nowhere.md does not exist. No close name was found; look for it with glob.\n\nb.txt · text · 5 bytes\n1| beta\nEnd of file: all 1 line shown.\n\n2 files read, 1 could not be read.',
  )
})

test('read.per_file_range: each entry may carry its own range', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', lines(10))
  bench.put('b.txt', lines(10))
  const output = await bench.told('read', {
    paths: [
      { path: 'a.txt', offset: 9 },
      { path: 'b.txt', offset: 2, limit: 1 },
    ],
  })
  assert.deepEqual(
    output.split('\n').filter(line => /^\d+\| /.test(line)),
    ['9| line 9', '10| line 10', '2| line 2'],
  )
})

test('read.aggregate_cap: the budget of a call is shared fairly, what small files leave goes to large ones', async t => {
  const bench = createFileBench(t)
  bench.put(
    'big1.txt',
    lines(5000, n => `${n} `.padEnd(80, 'x')),
  )
  bench.put(
    'big2.txt',
    lines(5000, n => `${n} `.padEnd(80, 'y')),
  )
  bench.put(
    'big3.txt',
    lines(5000, n => `${n} `.padEnd(80, 'z')),
  )
  bench.put('small.txt', 'tiny\n')
  const output = await bench.told('read', { paths: ['big1.txt', 'big2.txt', 'small.txt', 'big3.txt'] })
  assert.ok(Buffer.byteLength(output) < 104_000)
  assert.match(output, /1\| tiny/)
  for (const letter of 'xyz') {
    const shown = output.split('\n').filter(line => line.endsWith(letter.repeat(20))).length
    assert.ok(shown > 370 && shown < 420, `${letter}: ${shown}`)
  }
})

test('read.aggregate_cap: files that the budget does not reach are named with their sizes', async t => {
  const bench = createFileBench(t)
  const names = Array.from({ length: 60 }, (_, index) => `f${String(index).padStart(2, '0')}.txt`)
  for (const name of names) bench.put(name, lines(400))
  const result = await bench.call('read', { paths: names })
  const unreached = result.metadata.unreached as string[]
  assert.equal(unreached.length, 10)
  assert.match(
    result.output,
    /Left out, as one call shows at most 100\.0 KB; read them in another: .*f59\.txt \(3\.4 KB\)\.$/,
  )
})

test('read.aliased_input: wrong but common names and forms are accepted and told', async t => {
  const bench = createFileBench(t)
  bench.put('a b.txt', 'x\n')
  const head = async (input: unknown) => (await bench.told('read', input)).split('\n').slice(0, 2).join(' / ')
  assert.equal(
    await head({ file_path: 'a b.txt', limit: '10' }),
    '(file_path was taken as path; limit "10" was taken as the number 10) / a b.txt · text · 2 bytes',
  )
  for (const name of ['filePath', 'file', 'filename']) {
    assert.match(await head({ [name]: 'a b.txt', again: true }), new RegExp(`^\\(${name} was taken as path\\)`))
  }
  assert.equal(
    await head({ paths: 'a b.txt', again: true }),
    '(paths was taken as a list of one) / a b.txt · text · 2 bytes',
  )
  assert.equal(
    await head({ path: '@a b.txt', again: true }),
    'a b.txt · text · 2 bytes / Note: "@a b.txt" was taken as a b.txt',
  )
  assert.equal(
    await head({ path: `file://${bench.path('a%20b.txt')}`, again: true }),
    `a b.txt · text · 2 bytes / Note: file://${bench.path('a%20b.txt')} was taken as ${bench.path('a b.txt')}`,
  )
  assert.match(
    await head({ path: 'a b.txt', again: true, color: 'red' }),
    /^\(ignored: color; the arguments are path, paths/,
  )
  writeFileSync(`${bench.workspace.home}/h.txt`, 'home\n')
  assert.match(await bench.told('read', { path: '~/h.txt' }), /1\| home/)
})

test('read.aliased_input: a name that really begins with @ is taken as it is', async t => {
  const bench = createFileBench(t)
  bench.put('@types/x.d.ts', 'scoped\n')
  bench.put('types/x.d.ts', 'plain\n')
  assert.match(await bench.told('read', { path: '@types/x.d.ts' }), /1\| scoped/)
})

test('read.negative_offset: the last lines, with their true numbers in a small file', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', lines(100))
  assert.match(
    await bench.told('read', { path: 'a.txt', offset: -2 }),
    /\n99\| line 99\n100\| line 100\nEnd of file: lines 99-100 of 100\.$/,
  )
  assert.match(await bench.told('read', { path: 'a.txt', offset: -500, limit: 1 }), /\n1\| line 1\nLine 1 of 100 shown/)
})

test('read.negative_offset: the last lines of a large file are numbered from its end', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', lines(300_000))
  assert.match(
    await bench.told('read', { path: 'a.txt', offset: -3 }),
    /\n-3\| line 299998\n-2\| line 299999\n-1\| line 300000\nEnd of file: lines -3 to -1, counted from the end\.$/,
  )
  assert.match(
    await bench.told('read', { path: 'a.txt', offset: -3, limit: 1 }),
    /\n-3\| line 299998\nLine -3 shown \(as asked\); 2 more lines\. Go on with offset: -2\.$/,
  )
})

test('core.preflight: a read inside the workspace is asked as harmless, by the path as it is shown', async t => {
  const bench = createFileBench(t)
  bench.put('src/a.ts', 'x')
  await bench.told('read', { path: './src/../src/a.ts' })
  assert.deepEqual(bench.questions, [
    {
      title: 'Read src/a.ts',
      parts: [
        {
          permission: 'read',
          pattern: 'src/a.ts',
          denyPatterns: [bench.path('src/a.ts')],
          effect: 'read',
          harmless: true,
          always: ['src/a.ts'],
        },
      ],
    },
  ])
})

test('shell.workspace_boundary: a link out of the workspace and a path beside it are asked as outside', async t => {
  const bench = createFileBench(t)
  writeFileSync(`${bench.outside}/x.txt`, 'x')
  symlinkSync(`${bench.outside}/x.txt`, bench.path('link'))
  for (const path of ['link', '../outside/x.txt']) await bench.told('read', { path })
  for (const { parts } of bench.questions) {
    assert.equal(
      parts.some(part => part.harmless),
      false,
    )
    assert.deepEqual(parts.at(-1), {
      permission: 'external_directory',
      pattern: `${bench.outside}/*`,
      effect: 'read',
      always: [`${bench.outside}/*`],
    })
  }
})

test('core.preflight: a secret is asked whatever is allowed, also through a link; an example of one is not', async t => {
  const bench = createFileBench(t)
  bench.put('.env', 'KEY=1')
  bench.put('.env.example', 'KEY=')
  symlinkSync('.env', bench.path('innocent'))
  for (const path of ['.env', 'innocent', '.env.example']) await bench.told('read', { path })
  assert.deepEqual(
    bench.questions.map(({ parts }) => [parts[0]?.floor?.reason, parts[0]?.harmless, parts[0]?.always]),
    [
      ['environment files often hold secrets', undefined, undefined],
      ['environment files often hold secrets', undefined, undefined],
      [undefined, true, ['.env.example']],
    ],
  )
  assert.ok(bench.questions[1]?.parts[0]?.denyPatterns?.includes('.env'))
})

test('core.preflight: nothing is shown of what was denied; of several files the others are', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', 'alpha\n')
  bench.put('.env', 'SECRET=1\n')
  bench.answer = question => {
    if (question.parts.some(part => part.pattern === '.env')) denyAll()
  }
  assert.deepEqual(await bench.failed('read', { path: '.env' }).then(({ code, message }) => [code, message]), [
    'rule',
    'A rule denies this.',
  ])
  assert.equal(
    await bench.told('read', { paths: ['a.txt', '.env'] }),
    'a.txt · text · 6 bytes\n1| alpha\nEnd of file: all 1 line shown.\n\nA rule denies this.\n\n1 file read, 1 could not be read.',
  )
  assert.equal(bench.ledger.get(bench.path('.env')), undefined)
})

test('read.aliased_input: a call without any path is told what is needed', async t => {
  const bench = createFileBench(t)
  assert.equal(
    (await bench.failed('read', {})).message,
    'read needs path (one file) or paths (several); nothing was read.',
  )
})
