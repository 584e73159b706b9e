// Lists the rows of docs/requirements.md with the passing tests that name them, from the last whole `npm test`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const results = join(root, '.cache/test-titles.jsonl')
if (!existsSync(results)) {
  console.error('No test results yet. Run `npm test` first.')
  process.exit(1)
}

const rows = [
  ...readFileSync(join(root, 'docs/requirements.md'), 'utf8').matchAll(/^\| ([a-z]+\.[a-z0-9_]+) \|/gm),
].map(match => match[1] ?? '')
const tests = readFileSync(results, 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as { title: string; passed: boolean })

const named = rows.map(row => ({
  row,
  tests: tests.filter(test => new RegExp(`(^|[^\\w.])${row}(?![\\w])`).test(test.title)),
}))
const covered = named.filter(({ tests }) => tests.length > 0 && tests.every(test => test.passed))
const failing = named.filter(({ tests }) => tests.some(test => !test.passed))
const open = named.filter(({ tests }) => tests.length === 0)

for (const { row, tests } of covered)
  console.log(`passing  ${row.padEnd(28)} ${tests.length} test${tests.length === 1 ? '' : 's'}`)
for (const { row, tests } of failing)
  console.log(
    `FAILING  ${row.padEnd(28)} ${tests
      .filter(test => !test.passed)
      .map(test => test.title)
      .join(' | ')}`,
  )
for (const { row } of open) console.log(`open     ${row}`)
console.log(
  `\n${covered.length} of ${rows.length} rows have passing tests; ${failing.length} have a failing one; ${open.length} have none.`,
)
process.exitCode = failing.length > 0 ? 1 : 0
