import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { createFileBench, denyAll } from '../workspace/fixtures/file-bench.ts'

test('read.line_prefixes: matches are shown by file, with line numbers and true counts', async t => {
  const bench = createFileBench(t)
  bench.put('src/b.ts', 'foo\nbar\nfoo bar\n')
  bench.put('src/a.ts', 'x\nfoo\r\n')
  bench.put('c.md', 'foo\n')
  assert.equal(
    await bench.told('grep', { pattern: 'foo' }),
    '4 lines match "foo", in 3 files:\nc.md\n  1: foo\nsrc/a.ts\n  2: foo\nsrc/b.ts\n  1: foo\n  3: foo bar',
  )
  assert.equal(
    await bench.told('grep', { pattern: 'foo', path: 'src', include: '*.ts', filesOnly: true }),
    '3 lines match "foo" in src (*.ts), in 2 files:\nsrc/a.ts: 1\nsrc/b.ts: 2',
  )
  assert.equal(
    await bench.told('grep', { pattern: 'foo', path: 'c.md' }),
    '1 line matches "foo" in c.md, in 1 file:\nc.md\n  1: foo',
  )
})

test('read.line_prefixes: context lines are told apart from matches', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', '1\n2\nhit\n4\n5\n6\n7\nhit\n')
  assert.equal(
    await bench.told('grep', { pattern: 'hit', context: 1 }),
    '2 lines match "hit", in 1 file:\na.txt\n  2- 2\n  3: hit\n  4- 4\n  --\n  7- 7\n  8: hit',
  )
})

test('read.exclusions_gitignore: ignored files, .git and binary files are not searched, also with include; hidden ones are', async t => {
  const bench = createFileBench(t)
  bench.put('.gitignore', '*.log\n')
  for (const name of ['a.log', '.git/x', '.github/ci.yml', 'sub/a.ts']) bench.put(name, 'needle\n')
  bench.put('other/b.ts', 'nothing, then an eyelet\n')
  bench.put('bin.dat', 'needle\0\n')
  assert.equal(
    await bench.told('grep', { pattern: 'needle' }),
    '2 lines match "needle", in 2 files:\n.github/ci.yml\n  1: needle\nsub/a.ts\n  1: needle',
  )
  assert.equal(
    await bench.told('grep', { pattern: 'needle', include: '*.log' }),
    'No line matches "needle" (*.log). Files that .gitignore leaves out were not searched; ignored: true searches them too.',
  )
  assert.match(
    await bench.told('grep', { pattern: 'needle', include: '*.log', ignored: true }),
    /a\.log\n {2}1: needle/,
  )
  assert.match(
    await bench.told('grep', { pattern: 'needle|eyelet', include: 'sub/**/*.ts' }),
    /^1 line matches .*\nsub\/a\.ts/,
  )
})

test('read.many_files: no match, and a pattern that is none, are told', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', 'f(x)\n')
  assert.equal(
    await bench.told('grep', { pattern: 'zzz' }),
    'No line matches "zzz". Files that .gitignore leaves out were not searched; ignored: true searches them too.',
  )
  const failure = await bench.failed('grep', { pattern: '(x' })
  assert.equal(failure.code, 'invalid-input')
  assert.match(
    failure.message,
    /^"\(x" is no valid regular expression, so nothing was searched\. .*\nTo search for it as plain text, set literal: true\.$/s,
  )
  assert.match(await bench.told('grep', { pattern: '(x', literal: true }), /1: f\(x\)/)
  assert.match(await bench.told('grep', { pattern: 'F(?=\\()', ignoreCase: true }), /1: f\(x\)/)
  assert.match(await bench.told('grep', { pattern: '-x' }), /^No line matches/)
})

test('read.aggregate_cap: a flood is cut, with the true total', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', 'hit\n'.repeat(8000))
  const output = await bench.told('grep', { pattern: 'hit' })
  assert.match(output, /^8,000 lines match "hit", in 1 file:/)
  assert.match(
    output,
    /\n {2}200: hit\n\[7,800 more matching lines left out \(limit of 200 lines\); narrow with path or include, or see names with filesOnly: true\]$/,
  )
})

test('read.per_line_clamp: of a long line the part around the match is shown', async t => {
  const bench = createFileBench(t)
  bench.put('a.js', `${'y'.repeat(5000)}needle${'z'.repeat(5000)}\n`)
  const line = (await bench.told('grep', { pattern: 'needle' })).split('\n').at(-1) ?? ''
  assert.match(line, /^ {2}1: …y+needlez+…$/)
  assert.ok(line.length < 450)
})

test('core.preflight: matches in secret files are counted, not shown; a secret that is named is asked for', async t => {
  const bench = createFileBench(t)
  bench.put('.env', 'KEY=needle\nB=needle\n')
  bench.put('a.txt', 'needle\n')
  assert.equal(
    await bench.told('grep', { pattern: 'needle' }),
    '1 line matches "needle", in 1 file:\nNote: 2 matching lines of .env not shown, as it may hold secrets; read the file to be asked.\na.txt\n  1: needle',
  )
  assert.match(await bench.told('grep', { pattern: 'needle', path: '.env' }), /1: KEY=needle/)
  assert.equal(bench.questions.at(-1)?.parts[0]?.floor?.action, 'ask')
})

test('read.device_blocklist: a pipe is refused when named, and passed over in a folder', async t => {
  const bench = createFileBench(t)
  bench.put('a.txt', 'hit\n')
  execFileSync('mkfifo', [bench.path('pipe')])
  assert.equal(
    (await bench.failed('grep', { pattern: 'hit', path: 'pipe' })).message,
    'pipe is a named pipe (FIFO), not a regular file; it was not searched.',
  )
  assert.match(await bench.told('grep', { pattern: 'hit' }), /^1 line matches/)
})

test('shell.workspace_boundary: a folder outside is asked, and nothing is searched when the answer is no', async t => {
  const bench = createFileBench(t)
  writeFileSync(`${bench.outside}/x.txt`, 'hit\n')
  symlinkSync(bench.outside, bench.path('link'))
  assert.match(await bench.told('grep', { pattern: 'hit', path: 'link' }), /\nlink\/x\.txt\n {2}1: hit/)
  assert.deepEqual(
    bench.questions.at(-1)?.parts.map(({ permission, pattern }) => [permission, pattern]),
    [
      ['grep', 'link'],
      ['external_directory', `${bench.outside}/*`],
    ],
  )
  assert.equal(
    await bench.told('grep', { pattern: 'hit' }),
    'No line matches "hit". Files that .gitignore leaves out were not searched; ignored: true searches them too.',
  )
  bench.answer = denyAll
  assert.equal((await bench.failed('grep', { pattern: 'hit', path: 'link' })).code, 'rule')
})

test('read.did_you_mean: grep in a missing path gets close names', async t => {
  const bench = createFileBench(t)
  bench.put('src/app.ts', 'x')
  assert.equal(
    (await bench.failed('grep', { pattern: 'x', path: 'src/ap.ts' })).message,
    'No such file: src/ap.ts does not exist. Close names: src/app.ts.',
  )
})

test('core.cancel: a search that hangs ends with its signal, or at its time limit, and is told', async t => {
  const bench = createFileBench(t)
  const slow = bench.put('slow-rg', '#!/bin/sh\nprintf "./a.txt\\0001:1:hit\\n"\nexec sleep 60\n')
  chmodSync(slow, 0o755)
  const timed = createFileBench(t, { limits: { grep: { timeoutMs: 2000 } }, rgPath: slow })
  assert.equal(
    await timed.told('grep', { pattern: 'hit' }),
    '1 line matches "hit", in 1 file:\nNote: the search ran out of time; there may be more, and the counts are of what was searched.\na.txt\n  1: hit',
  )
  const patient = createFileBench(t, { rgPath: slow })
  const controller = new AbortController()
  const reason = new Error('stop')
  const call = patient.call('grep', { pattern: 'hit' }, controller.signal)
  setTimeout(() => controller.abort(reason), 50)
  await assert.rejects(call, reason)
})

test('read.aliased_input: grep takes the names of other agents', async t => {
  const bench = createFileBench(t)
  bench.put('a.ts', 'Hit\n')
  assert.match(
    await bench.told('grep', { query: 'hit', '-i': true, glob: '*.ts' }),
    /^\(query was taken as pattern; -i was taken as ignoreCase; glob was taken as include\)\n1 line/,
  )
})
