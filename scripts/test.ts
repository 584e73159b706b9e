// Runs the tests from source with Node's own runner. `npm test -- read shell` runs the files whose path holds a word.
// `--long` adds the long proofs (*.long.test.ts), `--peers` runs those that install other agents (*.peers.test.ts).
import { spawn, spawnSync } from 'node:child_process'
import { globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const words = args.filter(arg => !arg.startsWith('--'))
const flags = args.filter(arg => arg.startsWith('--'))

/** The files of a special kind, which the usual run leaves out. */
function kindOf(given: readonly string[]): RegExp | undefined {
  if (given.includes('--peers')) return /\.peers\.test\.ts$/
  return given.includes('--long') ? /\.long\.test\.ts$/ : undefined
}

function chosenFiles(): string[] {
  const all = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).sort()
  const kind = kindOf(flags)
  const ofKind = all.filter(file => (kind ? kind.test(file) : !/\.(peers|long)\.test\.ts$/.test(file)))
  return words.length === 0 ? ofKind : ofKind.filter(file => words.some(word => file.includes(word)))
}

const files = chosenFiles()
if (files.length === 0) {
  console.error(`No test file's path holds ${words.map(word => `"${word}"`).join(' or ')}.`)
  process.exit(1)
}

// Tests under test/ drive the built program.
if (files.some(file => file.startsWith('test/'))) {
  const built = spawnSync(process.execPath, ['scripts/build.ts', '--stale'], { cwd: root, stdio: 'inherit' })
  if (built.status !== 0) process.exit(built.status ?? 1)
}

mkdirSync(join(root, '.cache'), { recursive: true })
const coverage = flags.includes('--coverage')
  ? [
      '--experimental-test-coverage',
      '--enable-source-maps',
      '--test-coverage-include=packages/*/src/**',
      '--test-coverage-exclude=**/*.test.ts',
      '--test-coverage-exclude=**/fixtures/**',
    ]
  : []
const only = flags.filter(flag => flag.startsWith('--test-name-pattern'))
const child = spawn(
  process.execPath,
  [
    '--conditions=deckhand-source',
    '--test',
    '--test-concurrency=2',
    `--test-timeout=${kindOf(flags) === undefined ? 60_000 : 1_800_000}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/test-titles-reporter.ts',
    `--test-reporter-destination=.cache/test-titles${words.length + only.length > 0 ? '-some' : ''}.jsonl`,
    ...coverage,
    ...only,
    ...files,
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_NO_WARNINGS: '1' } },
)
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
