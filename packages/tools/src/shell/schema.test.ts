import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normaliseShell } from './schema.ts'

const cases: readonly (readonly [Record<string, unknown>, Record<string, unknown>, readonly string[]])[] = [
  [{ command: 'ls', timeoutMs: 5 }, { command: 'ls', timeoutMs: 5 }, []],
  [
    { cmd: 'ls', cwd: 'src' },
    { command: 'ls', workdir: 'src' },
    ['cmd was taken as command', 'cwd was taken as workdir'],
  ],
  [{ command: 'ls', timeout: 30 }, { command: 'ls', timeoutMs: 30_000 }, ['timeout 30 was taken as timeoutMs 30000']],
  [
    { command: 'ls', timeout: 60_000 },
    { command: 'ls', timeoutMs: 60_000 },
    ['timeout 60000 was taken as timeoutMs 60000'],
  ],
  [
    { command: 'ls', timeout_seconds: '1200' },
    { command: 'ls', timeoutMs: 1_200_000 },
    ['timeout_seconds 1200 was taken as timeoutMs 1200000'],
  ],
  [{ command: 'ls', timeout_ms: 500 }, { command: 'ls', timeoutMs: 500 }, ['timeout_ms was taken as timeoutMs']],
  [
    { command: 'ls', timeoutMs: '500' },
    { command: 'ls', timeoutMs: 500 },
    ['timeoutMs "500" was taken as the number 500'],
  ],
  [{ command: ['bash', '-lc', 'ls | wc'] }, { command: 'ls | wc' }, ['command was taken from a list of words']],
  [
    { command: ['git', 'commit', '-m', "it's"] },
    { command: "git commit -m 'it'\\''s'" },
    ['command was taken from a list of words'],
  ],
  [
    { command: 'ls', run_in_background: 'true' },
    { command: 'ls', background: true },
    ['run_in_background was taken as background', 'background "true" was taken as true'],
  ],
]

for (const [input, expected, notes] of cases) {
  test(`arguments as models send them are put right, and told: ${JSON.stringify(input)}`, () =>
    assert.deepEqual(normaliseShell(input), { input: expected, notes }))
}
