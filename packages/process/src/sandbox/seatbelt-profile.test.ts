import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import type { SandboxPolicy } from './policy.ts'
import { createSeatbeltProfile } from './seatbelt-profile.ts'
import { createSeatbeltSandbox } from './seatbelt-sandbox.ts'

const policy: SandboxPolicy = {
  writableRoots: ['/Users/dev/proj'],
  readOnlyPaths: ['/Users/dev/proj/.git/hooks', '/Users/dev/proj/deckhand.json'],
  maskedPaths: ['/Users/dev/.ssh/id_ed25519', '/Users/dev/a "b" \\c'],
  network: 'off',
}

const lines = (changes: Partial<SandboxPolicy> = {}) =>
  createSeatbeltProfile({ ...policy, ...changes }, '/private/tmp/x').split('\n')

test('core.sandbox: a Seatbelt profile denies all, then allows reading and the roots, then takes back what is to stay and secrets', () => {
  const profile = lines()
  assert.deepEqual(profile.slice(0, 2), ['(version 1)', '(deny default)'])
  const at = (line: string) => {
    const index = profile.indexOf(line)
    assert.ok(index >= 0, `${line}\nis not in\n${profile.join('\n')}`)
    return index
  }
  const order = [
    '(allow file-read*)',
    '(allow file-write* (subpath "/Users/dev/proj") (subpath "/private/tmp/x"))',
    '(deny file-write* (subpath "/Users/dev/proj/.git/hooks") (subpath "/Users/dev/proj/deckhand.json"))',
    '(deny file-write-unlink (literal "/Users/dev/proj/.git"))',
    '(deny file-read* file-write* (subpath "/Users/dev/.ssh/id_ed25519") (subpath "/Users/dev/a \\"b\\" \\\\c"))',
  ].map(at)
  assert.deepEqual(
    [...order].sort((a, b) => a - b),
    order,
  )
})

test('core.sandbox: a Seatbelt profile has the network only where the policy has it', () => {
  assert.ok(lines({ network: 'on' }).includes('(allow network*)'))
  assert.ok(!lines().includes('(allow network*)'))
  assert.ok(lines().includes('(allow network* (local ip "localhost:*") (remote ip "localhost:*"))'))
})

test('core.sandbox: with nothing to write, to keep or to mask, a Seatbelt profile says nothing of it', () => {
  const profile = lines({ writableRoots: [], readOnlyPaths: [], maskedPaths: [] })
  assert.ok(profile.includes('(allow file-write* (subpath "/private/tmp/x"))'))
  assert.ok(!profile.some(line => line.startsWith('(deny file-write')))
})

test('core.sandbox: on macOS a command is started by sandbox-exec, with a TMPDIR of its own that is removed', async () => {
  const sandbox = createSeatbeltSandbox({ temporaryDirectory: tmpdir() })
  const { argv, environment, descriptors } = await sandbox.enter(['bash', '-c', 'true'], '/', policy)
  assert.deepEqual([argv[0], argv[1], ...argv.slice(3)], ['/usr/bin/sandbox-exec', '-p', 'bash', '-c', 'true'])
  assert.deepEqual(descriptors, [])
  assert.ok(existsSync(environment.TMPDIR ?? ''))
  await sandbox.close()
  assert.ok(!existsSync(environment.TMPDIR ?? ''))
})
