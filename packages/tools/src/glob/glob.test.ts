import assert from 'node:assert/strict'
import { mkdirSync, utimesSync } from 'node:fs'
import { test } from 'node:test'
import { createFileBench, denyAll, type FileBench } from '../workspace/fixtures/file-bench.ts'

function putAll(bench: FileBench, names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    bench.put(name, 'x')
    utimesSync(bench.path(name), 1_000_000 + index, 1_000_000 + index)
  }
}

test('read.globs: files are found by pattern, newest first', async t => {
  const bench = createFileBench(t)
  putAll(bench, ['src/a.ts', 'src/deep/er/b.ts', 'src/c.js', 'src/node.ts/x.ts'])
  assert.equal(
    await bench.told('glob', { pattern: 'src/**/*.ts' }),
    '3 files match src/**/*.ts, newest first:\nsrc/node.ts/x.ts\nsrc/deep/er/b.ts\nsrc/a.ts',
  )
  assert.equal(await bench.told('glob', { pattern: '*.js' }), '1 file matches *.js:\nsrc/c.js')
  assert.equal(
    await bench.told('glob', { pattern: '*.ts', path: 'src/deep' }),
    '1 file matches *.ts in src/deep:\nsrc/deep/er/b.ts',
  )
})

test('read.globs: no match is told, and which ignored files would match', async t => {
  const bench = createFileBench(t)
  putAll(bench, ['.gitignore', 'gen/out.zig', 'a.ts'])
  bench.put('.gitignore', 'gen/\n')
  assert.equal(await bench.told('glob', { pattern: '**/*.c' }), 'No file matches **/*.c.')
  assert.equal(
    await bench.told('glob', { pattern: '**/*.zig' }),
    'No file matches **/*.zig. But 1 file that .gitignore leaves out does: gen/out.zig; set ignored: true to see it.',
  )
  assert.equal(
    await bench.told('glob', { pattern: '**/*.zig', ignored: true }),
    '1 file matches **/*.zig:\ngen/out.zig',
  )
})

test('read.exclusions_gitignore: what .gitignore names stays out also where the pattern names it, and outside a repository', async t => {
  const bench = createFileBench(t)
  putAll(bench, ['a.log', 'sub/b.log', 'sub/keep.log', '.github/ci.yml', '.git/config'])
  bench.put('.gitignore', '*.log\n!keep.log\n')
  assert.equal(await bench.told('glob', { pattern: '*.log' }), '1 file matches *.log:\nsub/keep.log')
  assert.equal(await bench.told('glob', { pattern: '**/*.yml' }), '1 file matches **/*.yml:\n.github/ci.yml')
  assert.match(await bench.told('glob', { pattern: '**/config', ignored: true }), /^No file matches/)
})

test('read.globs: names with brackets and parentheses are taken literally where they exist', async t => {
  const bench = createFileBench(t)
  putAll(bench, ['src/app/[locale]/(auth)/page.tsx', 'src/app/[locale]/x.tsx', 'src/app/l/page.tsx', '[slug].ts'])
  const found = async (pattern: string) => (await bench.told('glob', { pattern })).split('\n').slice(1)
  assert.deepEqual(await found('src/app/[locale]/(auth)/page.tsx'), ['src/app/[locale]/(auth)/page.tsx'])
  assert.deepEqual(await found('src/app/[locale]/**/*.tsx'), [
    'src/app/[locale]/x.tsx',
    'src/app/[locale]/(auth)/page.tsx',
  ])
  assert.deepEqual(await found('[slug].ts'), ['[slug].ts'])
})

test('read.globs: a cut list says how many were left out of how many', async t => {
  const bench = createFileBench(t, { limits: { glob: { maxFiles: 3 } } })
  putAll(
    bench,
    Array.from({ length: 10 }, (_, index) => `f${index}.txt`),
  )
  const output = await bench.told('glob', { pattern: '*.txt' })
  assert.equal(
    output,
    '10 files match *.txt, newest first:\nf9.txt\nf8.txt\nf7.txt\n[7 more left out of 10; narrow the pattern or the path]',
  )
})

test('read.globs: a name with a line break stays one line', async t => {
  const bench = createFileBench(t)
  putAll(bench, ['a\nb.txt'])
  assert.equal(await bench.told('glob', { pattern: '*.txt' }), '1 file matches *.txt:\n"a\\nb.txt"')
})

test('shell.workspace_boundary: the folder that a pattern leads to is what is asked', async t => {
  const bench = createFileBench(t)
  putAll(bench, ['src/a.ts'])
  await bench.told('glob', { pattern: 'src/*.ts' })
  assert.deepEqual(
    bench.questions.at(-1)?.parts.map(({ pattern, harmless }) => [pattern, harmless]),
    [['src', true]],
  )
  await bench.told('glob', { pattern: '../outside/*' })
  assert.deepEqual(
    bench.questions.at(-1)?.parts.map(({ permission, pattern, harmless }) => [permission, pattern, harmless]),
    [
      ['glob', bench.outside, undefined],
      ['external_directory', `${bench.outside}/*`, undefined],
    ],
  )
  bench.answer = denyAll
  assert.equal((await bench.failed('glob', { pattern: '*' })).code, 'rule')
})

test('read.globs: a place that is no folder is told', async t => {
  const bench = createFileBench(t)
  putAll(bench, ['a.ts'])
  assert.equal(
    (await bench.failed('glob', { pattern: '*', path: 'a.ts' })).message,
    'glob looks in a folder, and a.ts is not a folder. Leave path out to look in the whole workspace.',
  )
  mkdirSync(bench.path('empty'))
  assert.equal(await bench.told('glob', { pattern: '**', path: 'empty' }), 'No file matches ** in empty.')
})

test('read.globs: without ripgrep the failure says how to get it', async t => {
  const bench = createFileBench(t, { rgPath: '/nowhere/rg' })
  assert.equal(
    (await bench.failed('glob', { pattern: '*' })).message,
    'glob and grep need ripgrep, but /nowhere/rg could not be started. Install again with optional dependencies (npm install --include=optional), or use find and grep in the shell.',
  )
})

test('core.cancel: a search ends with its signal', async t => {
  const bench = createFileBench(t)
  const reason = new Error('stop')
  await assert.rejects(bench.call('glob', { pattern: '*' }, AbortSignal.abort(reason)), reason)
})
