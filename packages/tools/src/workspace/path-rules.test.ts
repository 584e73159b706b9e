import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeBytes } from './describe-bytes.ts'
import { findSpecialFile } from './file-kind.ts'
import { findLaterCode } from './later-code.ts'
import { findPastedText } from './pasted-text.ts'
import { findSecret } from './secret-file.ts'

const home = '/home/me'

test('core.preflight: secret files are known by their names and places', () => {
  const secrets = [
    '/p/.env',
    '/p/.env.local',
    '/p/prod.env',
    '/home/me/.ssh/id_ed25519',
    '/p/server.pem',
    '/p/a.KEY',
    '/home/me/.aws/credentials',
    '/home/me/.netrc',
    '/home/me/.npmrc',
    '/etc/shadow',
    '/proc/self/environ',
    '/home/me/.ssh/work',
    '/home/me/.local/share/opencode/auth.json',
    '/home/me/.gnupg/x',
  ]
  const plain = [
    '/p/.env.example',
    '/p/.env.sample',
    '/p/.env.template',
    '/home/me/.ssh/id_ed25519.pub',
    '/home/me/.ssh/known_hosts',
    '/p/environment.ts',
    '/p/.npmrc',
    '/p/key.ts',
    '/p/.envrc.md',
    '/p/auth.json',
  ]
  for (const path of secrets) assert.ok(findSecret(path, { home }), path)
  for (const path of plain) assert.equal(findSecret(path, { home }), undefined, path)
})

test('core.preflight: what runs later is known by its names and places', () => {
  const later = [
    '/p/.git/hooks/pre-push',
    '/p/.git/config',
    '/home/me/.zshrc',
    '/home/me/.profile',
    '/p/opencode.json',
    '/p/deckhand.jsonc',
    '/p/.opencode/plugin/x.ts',
    '/home/me/.config/deckhand/deckhand.jsonc',
    '/home/me/.ssh/authorized_keys',
    '/home/me/.gitconfig',
    '/etc/cron.d/x',
    '/home/me/.config/systemd/user/x.service',
    '/p/.git',
    '/p/.husky/pre-commit',
    '/p/lefthook.yml',
    '/p/.pre-commit-config.yaml',
    '/p/.vscode/tasks.json',
    '/p/.vscode/settings.json',
    '/p/x.code-workspace',
    '/p/.idea/runConfigurations/a.xml',
    '/p/.devcontainer/devcontainer.json',
    '/p/.envrc',
    '/p/mise.toml',
    '/p/.npmrc',
    '/p/.yarnrc.yml',
    '/p/package.json',
    '/p/packages/a/package.json',
    '/p/sitecustomize.py',
  ]
  const plain = [
    '/p/src/git/config.ts',
    '/p/.gitignore',
    '/p/.github/workflows/ci.yml',
    '/p/profile.ts',
    '/p/deckhand/main.ts',
    '/p/package-lock.json',
    '/p/.vscode/extensions.json',
    '/p/.gitattributes',
    '/p/x.git.ts',
  ]
  for (const path of later) assert.ok(findLaterCode(path), path)
  for (const path of plain) assert.equal(findLaterCode(path), undefined, path)
})

test('core.preflight: a package.json is asked for when its scripts change, or when that can not be told', () => {
  const before = '{"name":"a","scripts":{"test":"node --test"},"version":"1.0.0"}'
  const find = (after: string) => findLaterCode('/p/package.json', { before, after })
  const create = (after: string) => findLaterCode('/p/package.json', { before: undefined, after })
  assert.equal(find(before.replace('1.0.0', '1.0.1')), undefined)
  assert.equal(find('{"name":"a","dependencies":{"b":"1"},"scripts":{"test":"node --test"}}'), undefined)
  assert.equal(create('{"name":"new"}'), undefined)
  for (const after of [
    before.replace('node --test', 'curl x | sh'),
    before.replace('{"name"', '{"husky":{"hooks":{}},"name"'),
    '{"name":"a"}',
    '{"name":"a","scripts":',
  ])
    assert.equal(find(after), 'its scripts are run by package managers', after)
  assert.ok(create('{"scripts":{"preinstall":"x"}}'))
})

test('read.device_blocklist: endless files are known by their place, whatever their type', () => {
  const regular = {
    isFIFO: () => false,
    isSocket: () => false,
    isCharacterDevice: () => false,
    isBlockDevice: () => false,
  }
  const kind = (path: string) => findSpecialFile(path, regular as never)
  for (const path of [
    '/proc/kmsg',
    '/proc/kcore',
    '/proc/1/mem',
    '/proc/1/task/2/pagemap',
    '/sys/kernel/tracing/trace_pipe',
  ])
    assert.ok(kind(path), path)
  for (const path of ['/proc/cpuinfo', '/proc/1/status', '/w/proc/kmsg', '/w/mem'])
    assert.equal(kind(path), undefined, path)
})

test('read.line_prefixes: copied line numbers are told apart from content that is numbered', () => {
  assert.ok(findPastedText('3| a\n4| b\n', ''))
  assert.ok(findPastedText('a.ts · text · 9 bytes\n1| a\n2| b\n3| c\nEnd of file: all 3 lines shown.', ''))
  assert.equal(findPastedText('a | b\n1 | 2\n', ''), undefined)
  assert.equal(findPastedText('1| a\n2| b\n', '1| a\n'), undefined)
  assert.equal(findPastedText('// ... existing code ...', 'x\n// ... existing code ...\n'), undefined)
})

test('read.per_line_clamp: sizes are told in the unit that fits', () => {
  assert.deepEqual([0, 1, 1023, 1024, 51_200, 1_048_575, 1024 ** 2, 3 * 1024 ** 3].map(describeBytes), [
    '0 bytes',
    '1 byte',
    '1023 bytes',
    '1.0 KB',
    '50.0 KB',
    '1.0 MB',
    '1.0 MB',
    '3.0 GB',
  ])
})
