// `npm run bench [word…]`: measures what is promised about speed, and fails when a promise is broken.
// `npm run bench:peers [word…]`: the same work beside other agents, installed on demand.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type BenchResult, describeResult, isOver } from './result.ts'

const args = process.argv.slice(2)
const words = args.filter(arg => !arg.startsWith('--'))
const pattern = args.includes('--peers') ? '*.peers.ts' : '*.bench.ts'
const files = globSync(pattern, { cwd: import.meta.dirname }).sort()
const chosen = words.length === 0 ? files : files.filter(file => words.some(word => file.includes(word)))

// The built program is what is measured.
const build = [join(import.meta.dirname, '../scripts/build.ts'), '--stale']
const { status } = spawnSync(process.execPath, build, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

const results: BenchResult[] = []
for (const file of chosen) {
  const { default: bench } = (await import(join(import.meta.dirname, file))) as { default: Bench }
  for (const result of await bench()) {
    results.push(result)
    console.log(describeResult(result))
  }
}
const broken = results.filter(isOver)
console.log(
  broken.length === 0
    ? `All ${results.length} promises are kept.`
    : `${broken.length} of ${results.length} promises are broken.`,
)
process.exit(broken.length === 0 ? 0 : 1)
