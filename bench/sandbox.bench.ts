import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createChildEnvironment,
  createCommandRunner,
  createRunResources,
  findSandbox,
  type SandboxPolicy,
} from '@deckhand/process'
import type { Bench } from './result.ts'

/** What the sandbox adds to a command, and to the first one of a run. */
const bench: Bench = async () => {
  const startedAt = performance.now()
  const state = await findSandbox({ platform: process.platform, temporaryDirectory: tmpdir() })
  if (state.kind === 'none') {
    console.log(`No sandbox here, so nothing of it is measured: ${state.reason}`)
    return []
  }
  const directory = realpathSync(mkdtempSync(join(homedir(), '.deckhand-bench-')))
  const sandbox = state.open()
  const runner = createCommandRunner(createRunResources({ temporaryDirectory: tmpdir() }))
  const policy: SandboxPolicy = {
    writableRoots: [directory],
    readOnlyPaths: [],
    maskedPaths: ['/etc/shadow'],
    network: 'off',
  }
  const { environment } = createChildEnvironment(process.env)
  const options = {
    argv: ['bash', '--noprofile', '--norc', '-c', 'true'],
    cwd: directory,
    environment,
    timeoutMs: 10_000,
  } as const
  const time = async (isIn: boolean) => {
    const from = performance.now()
    await runner.run({ ...options, ...(isIn && { sandbox: { sandbox, policy } }) })
    return performance.now() - from
  }
  try {
    await time(true)
    const firstMs = performance.now() - startedAt
    const inside: number[] = []
    const outside: number[] = []
    // One after the other, so that what else the machine does falls on both.
    for (let round = 0; round < 60; round++) {
      inside.push(await time(true))
      outside.push(await time(false))
    }
    const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1] ?? 0
    const addedMs = median(inside) - median(outside)
    return [
      {
        name: 'sandbox: added to a command',
        figures: `${median(inside).toFixed(1)} ms over ${median(outside).toFixed(1)} ms`,
        value: addedMs,
        limit: 12,
        unit: 'ms',
      },
      {
        name: 'sandbox: looked for, and a first command',
        figures: `${firstMs.toFixed(0)} ms`,
        value: firstMs,
        limit: 60,
        unit: 'ms',
      },
    ]
  } finally {
    await runner.close()
    await sandbox.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

export default bench
