// Runs the ```console blocks of the documents, each document in a folder of its own, and compares what they print.
// A line of `…` stands for any lines, `…` in a line for any text.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test } from 'node:test'

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'deckhand-docs-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const bin = join(scratch, 'bin')
mkdirSync(bin)
writeFileSync(
  join(bin, 'deckhand'),
  `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'packages/cli/bin/deckhand.js')}' "$@"\n`,
)
chmodSync(join(bin, 'deckhand'), 0o755)

interface DocumentedCommand {
  readonly command: string
  readonly output: readonly string[]
}

for (const file of globSync(['*.md', 'docs/*.md'], { cwd: root }).sort()) {
  const commands = listCommands(readFileSync(join(root, file), 'utf8'))
  if (commands.length === 0) continue
  test(`the commands of ${file} print what it says`, () => {
    const folder = join(scratch, file.replaceAll('/', '-'))
    mkdirSync(join(folder, 'work'), { recursive: true })
    const env = {
      ...process.env,
      DECKHAND_HOME: join(folder, 'home'),
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      NO_COLOR: '1',
    }
    for (const { command, output } of commands) {
      const { stdout } = spawnSync('bash', ['-c', `exec 2>&1\n${command}`], {
        cwd: join(folder, 'work'),
        env,
        encoding: 'utf8',
        timeout: 60_000,
      })
      assert.match(normalise(stdout), createPattern(output), `$ ${command}\n${stdout}`)
    }
  })
}

function listCommands(text: string): DocumentedCommand[] {
  return [...text.matchAll(/^```console\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    splitBlock(block.split('\n').slice(0, -1)),
  )
}

/** A command begins with `$ `; a here-document goes on to its END; what follows is its output. */
function splitBlock(lines: readonly string[]): DocumentedCommand[] {
  const commands: { command: string; output: string[] }[] = []
  let isInDocument = false
  for (const line of lines) {
    const last = commands.at(-1)
    if (isInDocument && last) {
      last.command += `\n${line}`
      isInDocument = line !== 'END'
    } else if (line.startsWith('$ ')) {
      commands.push({ command: line.slice(2), output: [] })
      isInDocument = line.includes("<<'END'")
    } else last?.output.push(line)
  }
  return commands
}

function normalise(text: string): string {
  return text
    .split('\n')
    .map(line => line.replace(/\s+/g, ' ').trim())
    .filter(line => line !== '')
    .map(line => `${line}\n`)
    .join('')
}

function createPattern(output: readonly string[]): RegExp {
  const lines = normalise(output.join('\n')).split('\n').slice(0, -1)
  const patterns = lines.map(line =>
    line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(RegExp.escape).join('.*')}\\n`,
  )
  return new RegExp(`^${patterns.join('')}$`)
}
