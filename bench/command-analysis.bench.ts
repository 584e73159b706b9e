import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assessCommand, createWorkspace } from '@deckhand/tools'
import { build } from 'esbuild'
import type { Bench } from './result.ts'

const root = join(import.meta.dirname, '..')

const typical = 'cd src && grep -rn "TODO" . | sort -u > ../out.txt; npm test 2>&1 | tail -20'
const workspace = createWorkspace({ directory: process.cwd(), home: '/home/nobody' })
const options = { workspace, home: '/home/nobody', cwd: workspace.directory, shell: 'bash' } as const

/** Judging a typical command, the very first one, and hostile ones. */
const bench: Bench = async () => {
  const warmMs = await measure(() => assessCommand(typical, options), 3000)
  const first = await measureFirst()
  const hostile = [
    `${'('.repeat(20_000)}ls${')'.repeat(20_000)}`,
    `echo ${'a'.repeat(1 << 20)}`,
    Array.from({ length: 10_000 }, (_, index) => `cat ../f${index}`).join(';'),
    Array.from({ length: 10_000 }, (_, index) => `make t${index}`).join(' | '),
    Array.from({ length: 3000 }, (_, index) => `x${index}=$x${index - 1}; echo $((x${index}))`).join('\n'),
    `${'for a in 1 2; do '.repeat(30)}cd ..; ${'done; '.repeat(30)}`,
    `ls ${Array.from({ length: 15_000 }, (_, index) => `../f${index}`).join(' ')}`,
  ]
  const hostileMs: number[] = []
  for (const text of hostile) hostileMs.push(await measure(() => assessCommand(text, options), 3))
  return [
    {
      name: 'command analysis: five parts, warm',
      figures: `${warmMs.toFixed(3)} ms`,
      value: warmMs,
      limit: 1,
      unit: 'ms',
    },
    {
      name: 'command analysis: the very first',
      figures: `${first.analysis.toFixed(1)} ms with loading`,
      value: first.analysis,
      limit: 40,
      unit: 'ms',
    },
    {
      name: 'command analysis: the first over a bare parse',
      figures: `${first.analysis.toFixed(1)} ms over ${first.parse.toFixed(1)} ms`,
      value: first.analysis / first.parse,
      limit: 4,
      unit: 'x',
    },
    {
      name: 'command analysis: the slowest of hostile texts',
      figures: hostileMs.map(ms => ms.toFixed(0)).join(', '),
      value: Math.max(...hostileMs),
      limit: 500,
      unit: 'ms',
    },
  ]
}

async function measure(act: () => unknown, times: number): Promise<number> {
  const each: number[] = []
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now()
    for (let time = 0; time < times; time++) await act()
    each.push((performance.now() - startedAt) / times)
  }
  return Math.min(...each)
}

/** What loads first, timed inside a fresh process: the analysis with all it needs, or the parser alone. */
async function measureFirst(): Promise<{ analysis: number; parse: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-bench-'))
  try {
    const text = JSON.stringify(typical)
    const tools = join(folder, 'tools.ts')
    writeFileSync(
      tools,
      ['command/assess-command.ts', 'workspace/workspace.ts']
        .map(file => `export * from ${JSON.stringify(join(root, 'packages/tools/src', file))}`)
        .join('\n'),
    )
    const analysis = await bundle(
      folder,
      'analysis',
      `const { assessCommand, createWorkspace } = await import(${JSON.stringify(tools)})
       const workspace = createWorkspace({ directory: process.cwd(), home: '/home/nobody' })
       await assessCommand(${text}, { workspace, home: '/home/nobody', cwd: workspace.directory, shell: 'bash' })`,
    )
    const parse = await bundle(folder, 'parse', `const { parse } = await import('unbash'); parse(${text})`)
    const time = (file: string) =>
      Math.min(
        ...Array.from({ length: 9 }, () => Number(spawnSync(process.execPath, [file], { encoding: 'utf8' }).stdout)),
      )
    return { analysis: time(analysis), parse: time(parse) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function bundle(folder: string, name: string, code: string): Promise<string> {
  await build({
    stdin: { contents: `const t = performance.now()\n${code}\nconsole.log(performance.now() - t)`, resolveDir: root },
    outdir: join(folder, name),
    entryNames: 'main',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    conditions: ['deckhand-source'],
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  })
  return join(folder, name, 'main.mjs')
}

export default bench
