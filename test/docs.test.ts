// Runs the commands of the documents and compares what they print with what the page says. A page's ```console blocks
// run in order, in one new folder, with a home of its own. In the output `…` stands for anything within a line, and for
// any lines where it stands alone; ids, times, durations and the folder's path need not be the same.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const program = join(root, 'packages/cli/bin/deckhand.js')

interface DocumentedCommand {
  readonly line: number
  readonly command: string
  /** Lines of standard output and standard error together. */
  readonly output: readonly string[]
}

// What installs or tests this repository itself is run by CI.
const isForCi = (command: string) => /^npm (ci|test|run)\b/.test(command)

/** The commands of a page's ```console blocks, each with the output that stands below it. */
function parseCommands(text: string): DocumentedCommand[] {
  const commands: DocumentedCommand[] = []
  for (const block of text.matchAll(/^```console\n([\s\S]*?)^```$/gm)) {
    const firstLine = text.slice(0, block.index).split('\n').length + 1
    commands.push(...parseBlock((block[1] ?? '').split('\n').slice(0, -1), firstLine))
  }
  return commands
}

function parseBlock(lines: readonly string[], firstLine: number): DocumentedCommand[] {
  const commands: DocumentedCommand[] = []
  for (let index = 0; index < lines.length; ) {
    const line = firstLine + index
    const first = lines[index] ?? ''
    assert.ok(first.startsWith('$ '), `line ${line}: a console block begins with a command ("$ …"), not "${first}"`)
    const end = findCommandEnd(lines, index)
    const next = lines.findIndex((candidate, at) => at >= end && candidate.startsWith('$ '))
    const outputEnd = next === -1 ? lines.length : next
    const command = [first.slice(2), ...lines.slice(index + 1, end)].join('\n')
    commands.push({ line, command, output: lines.slice(end, outputEnd) })
    index = outputEnd
  }
  return commands
}

/** The line after a command: it goes on through a heredoc, and where a line ends with a backslash. */
function findCommandEnd(lines: readonly string[], start: number): number {
  const heredoc = /<<-?\s*'?(\w+)'?/.exec(lines[start] ?? '')?.[1]
  if (heredoc !== undefined) {
    const close = lines.indexOf(heredoc, start + 1)
    assert.ok(close !== -1, `the heredoc ${heredoc} has no end`)
    return close + 1
  }
  let end = start
  while (lines[end]?.endsWith('\\')) end++
  return end + 1
}

/** A folder to work in, with `deckhand` and `npx deckhand` on the path. */
function createPlayground() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-docs-')))
  const workspace = join(folder, 'project')
  const bin = join(folder, 'bin')
  mkdirSync(workspace)
  mkdirSync(bin)
  const write = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  write('deckhand', `exec "${process.execPath}" "${program}" "$@"`)
  write('npx', 'test "$1" = deckhand || { echo "npx $1 is not for this test"; exit 1; }\nexec "$@"')
  const env = {
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: folder,
    LANG: 'C.UTF-8',
    TMPDIR: folder,
  }
  const run = (command: string) =>
    spawnSync('bash', ['-c', `{ ${command}\n} 2>&1`], { cwd: workspace, env, encoding: 'utf8', timeout: 60_000 })
  return { folder, run, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Puts `…` in place of all that is another in each run. */
function normalise(text: string): string {
  return text
    .replace(/\b(ses|msg|prt|per|trn)_[0-9A-Za-z]+/g, '$1_…')
    .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?/g, '…')
    .replace(/\b1[789]\d{11}\b/g, '…')
    .replace(/\b\d+(\.\d+)? (ms|s|min)\b/g, '… $2')
}

/** What the page promises, as an expression over the whole output. */
function toPattern(output: readonly string[]): RegExp {
  const lines = output.map(line => {
    if (line === '…') return '(?:.*\\n)*'
    return `${normalise(line).split('…').map(RegExp.escape).join('.*')} *\\n`
  })
  return new RegExp(`^${lines.join('')}$`)
}

test('a console block is taken apart into commands with their heredocs, and their output', () => {
  const page = [
    'text',
    '```console',
    "$ cat > a <<'END'",
    '- b',
    'END',
    '$ cat a \\',
    '  --show-all',
    '- b',
    '…',
    '```',
    '```sh',
    '$ no',
    '```',
  ]
  assert.deepEqual(parseCommands(page.join('\n')), [
    { line: 3, command: "cat > a <<'END'\n- b\nEND", output: [] },
    { line: 6, command: 'cat a \\\n  --show-all', output: ['- b', '…'] },
  ])
})

test('output is compared line by line, but for what is left open', () => {
  const isShown = (expected: readonly string[], actual: string) => toPattern(expected).test(normalise(actual))
  assert.ok(isShown([], ''))
  assert.ok(!isShown([], 'something\n'))
  assert.ok(
    isShown(['ses_…  4 messages (…)', '…', 'done · 0.4 s'], 'ses_0a1B2c3D4e  4 messages (x)\na\nb\ndone · 12 s\n'),
  )
  assert.ok(isShown(['a', '…'], 'a\n'))
  assert.ok(!isShown(['a', 'b'], 'a\n'))
  assert.ok(!isShown(['a.c'], 'abc\n'))
})

const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).sort()

for (const document of documents) {
  const commands = parseCommands(readFileSync(join(root, document), 'utf8')).filter(({ command }) => !isForCi(command))
  if (commands.length === 0) continue
  test(`${document} is true: its commands print what it says`, t => {
    const { folder, run, remove } = createPlayground()
    t.after(remove)
    for (const { line, command, output } of commands) {
      const { stdout, error } = run(command)
      if (error) throw error
      const actual = normalise(stdout.replaceAll(folder, '…'))
      const whole = actual === '' || actual.endsWith('\n') ? actual : `${actual}\n`
      assert.ok(
        toPattern(output).test(whole),
        `${document}, line ${line}:\n$ ${command}\nshould print:\n${output.join('\n')}\nbut printed:\n${whole}`,
      )
    }
  })
}
