import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SandboxPolicy } from './policy.ts'
import { describeRefusals, findRefusals } from './refusals.ts'

const policy: SandboxPolicy = {
  writableRoots: ['/work/proj'],
  readOnlyPaths: ['/work/proj/.git/config', '/work/proj/.git/hooks'],
  maskedPaths: ['/home/dev/.ssh', '/work/proj/.env'],
  network: 'off',
}

const host = {
  exists: (path: string) => ['/var/run/docker.sock', '/tmp/shot.png', '/run/pg/.s.PGSQL.5432'].includes(path),
  isPortOpen: (port: number) => port === 5432,
  hasProcess: (pid: number) => pid === 4242,
}

function told(output: string, changes: Partial<SandboxPolicy> = {}): string {
  return describeRefusals(findRefusals(output, { policy: { ...policy, ...changes }, cwd: '/work/proj/src' }, host))
}

const refused: readonly (readonly [output: string, words: string])[] = [
  ['bash: line 1: /etc/x: Read-only file system', 'writing /etc/x'],
  ["touch: cannot touch '/etc/x': Read-only file system", 'writing /etc/x'],
  ['bash: line 3: ../../outside: Read-only file system', 'writing /work/outside'],
  ["Error: EROFS: read-only file system, open '/etc/x'", 'writing /etc/x'],
  ["OSError: [Errno 30] Read-only file system: '/home/dev/.cache/pip'", 'writing /home/dev/.cache/pip'],
  ['mkdir /home/dev/.cache/go-build: read-only file system', 'writing /home/dev/.cache/go-build'],
  ['could not do it: Read-only file system (os error 30)', 'writing outside the workspace'],
  [
    'error: could not write config file /work/proj/.git/config: Device or resource busy',
    'writing /work/proj/.git/config',
  ],
  ["mv: cannot move 'a' to '/work/proj/.git/hooks': Device or resource busy", 'writing /work/proj/.git/hooks'],
  ['cat: /home/dev/.ssh/id_ed25519: Permission denied', 'reading /home/dev/.ssh/id_ed25519'],
  ["Error: EACCES: permission denied, open '/work/proj/.env'", 'reading /work/proj/.env'],
  ['git@host.example: Permission denied (publickey).', 'reading /home/dev/.ssh'],
  ['curl: (6) Could not resolve host: host.example', 'reaching host.example'],
  ["curl: (7) Failed to connect to 192.0.2.1 port 80 after 0 ms: Couldn't connect to server", 'reaching 192.0.2.1'],
  [
    'npm error request to https://registry.example/left-pad failed, reason: getaddrinfo EAI_AGAIN registry.example',
    'reaching registry.example',
  ],
  [
    "fatal: unable to access 'https://host.example/a.git/': Could not resolve host: host.example",
    'reaching host.example',
  ],
  ['ssh: Could not resolve hostname host.example: Temporary failure in name resolution', 'reaching host.example'],
  ['dial tcp: lookup proxy.example: no such host', 'reaching proxy.example'],
  ['wget: unable to resolve host address ‘host.example’', 'reaching host.example'],
  ['socket.gaierror: [Errno -3] Temporary failure in name resolution', 'reaching the network'],
  ['ping: socket: Operation not permitted', 'reaching the network'],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'reaching port 5432 of this machine'],
  ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is it running?', 'seeing /var/run/docker.sock'],
  [
    'connection to server on socket "/run/pg/.s.PGSQL.5432" failed: No such file or directory',
    'seeing /run/pg/.s.PGSQL.5432',
  ],
  ["ls: cannot access '/tmp/shot.png': No such file or directory", 'seeing /tmp/shot.png'],
  ['bash: line 1: kill: (4242) - No such process', 'seeing process 4242'],
  ['sudo: The "no new privileges" flag is set, which prevents sudo from running as root.', 'acting as another user'],
]

for (const [output, words] of refused) {
  test(`core.sandbox: "${output}" is told as the sandbox's`, () => {
    assert.equal(told(output), `the sandbox kept it from ${words}`)
  })
}

const innocent = [
  "mkdir: cannot create directory '/work/proj/a': Read-only file system",
  'rm: cannot remove a: Device or resource busy',
  'cat: /work/proj/private: Permission denied',
  'bash: ./run.sh: Permission denied',
  'connect ECONNREFUSED 127.0.0.1:3000',
  'curl: (7) Failed to connect to localhost port 3000 after 0 ms: Connection refused',
  "ls: cannot access '/tmp/missing': No such file or directory",
  'bash: line 1: kill: (99) - No such process',
  'Error: Cannot find module ./x',
  'expected "host" to equal "hosts"',
  '',
]

for (const output of innocent) {
  test(`core.sandbox: "${output}" is not laid to the sandbox`, () => {
    assert.equal(told(output), '')
  })
}

test('core.sandbox: with the network on no host is laid to the sandbox', () => {
  assert.equal(told('curl: (6) Could not resolve host: host.example', { network: 'on' }), '')
})

test('core.sandbox: each thing is told once, the general word not beside a named one, and no more than three', () => {
  const write = (name: string) => `touch: cannot touch '/etc/${name}': Read-only file system`
  assert.equal(
    told([write('a'), write('a'), 'x: Read-only file system', write('b')].join('\n')),
    'the sandbox kept it from writing /etc/a and writing /etc/b',
  )
  assert.equal(
    told(['a', 'b', 'c', 'd', 'e'].map(write).join('\n')),
    'the sandbox kept it from writing /etc/a, writing /etc/b and writing /etc/c (and 2 more)',
  )
})
