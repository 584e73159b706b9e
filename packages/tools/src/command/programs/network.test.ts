import assert from 'node:assert/strict'
import { test } from 'node:test'
import { literalArg, unknownArg } from '../arg.ts'
import { findNetworkUse } from './network.ts'

const rows: readonly (readonly [command: string, use: string])[] = [
  ['curl https://host.example', 'yes'],
  ['/usr/bin/curl x', 'yes'],
  ['ssh host ls', 'yes'],
  ['git push', 'yes'],
  ['git -C sub --no-pager fetch --all', 'yes'],
  ['git -c a.b=fetch status', 'unknown'],
  ['git submodule update --init', 'yes'],
  ['git remote update', 'yes'],
  ['git remote add o url', 'unknown'],
  ['git commit -m pull', 'unknown'],
  ['git add pull', 'no'],
  ['git checkout -b fetch', 'no'],
  ['npm ci', 'yes'],
  ['npm --prefix web install left-pad', 'yes'],
  ['npm test', 'unknown'],
  ['npm run install', 'unknown'],
  ['yarn', 'yes'],
  ['yarn build', 'unknown'],
  ['pip install x', 'yes'],
  ['python -m pip install x', 'unknown'],
  ['uv pip install x', 'yes'],
  ['uv run x', 'unknown'],
  ['cargo build', 'unknown'],
  ['cargo add serde', 'yes'],
  ['go mod tidy', 'yes'],
  ['go build ./...', 'unknown'],
  ['docker pull x', 'yes'],
  ['docker ps', 'unknown'],
  ['rsync -a a/ b/', 'no'],
  ['rsync -a a/ host:b/', 'yes'],
  ['pacman -Syu', 'yes'],
  ['mkdir -p a', 'no'],
  ['./curl.sh', 'unknown'],
  ['make', 'unknown'],
]

for (const [command, use] of rows) {
  test(`core.sandbox: the network is ${use} for: ${command}`, () => {
    assert.equal(findNetworkUse(command.split(' ').map(literalArg), false), use)
  })
}

test('core.sandbox: what only reads needs no network, and what can not be known may', () => {
  assert.equal(findNetworkUse([literalArg('grep'), literalArg('x')], true), 'no')
  assert.equal(findNetworkUse([unknownArg('$x', 'it is not set')], false), 'unknown')
})
