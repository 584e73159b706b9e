import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCredentialSign } from './credentials.ts'

const secretNames = [
  ...['GH_TOKEN', 'GITHUB_TOKEN', 'NPM_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID', 'AWS_SESSION_TOKEN'],
  ...['OPENAI_API_KEY', 'apiKey', 'STRIPE_KEY', 'RAILS_MASTER_KEY', 'SECRET_KEY_BASE', 'DJANGO_SECRET', 'DB_PASSWORD'],
  ...[
    'PGPASSWORD',
    'MYSQL_PWD',
    'SSHPASS',
    'REDISCLI_AUTH',
    'GITHUB_PAT',
    'CI_JOB_JWT',
    'BORG_PASSPHRASE',
    'SMTP_PASS',
  ],
  ...[
    'npm_config_//host.example/:_authToken',
    'DOCKER_AUTH_CONFIG',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'SESSION_COOKIE',
  ],
  ...['AZURE_CLIENT_SECRET', 'CLOUDFLARE_API_TOKEN', 'SIGNING_KEY', 'gh_token', 'PRIVATE_KEY', 'NODE_AUTH_TOKEN'],
]

for (const name of secretNames) {
  test(`core.shell_env: ${name} looks like a credential by its name`, () => {
    assert.equal(findCredentialSign(name, 'p4x'), 'name')
  })
}

const plain: readonly (readonly [string, string])[] = [
  ['PATH', '/usr/local/bin:/usr/bin'],
  ['PWD', '/home/me'],
  ['HOME', '/home/me'],
  ['SSH_AUTH_SOCK', '/run/user/1000/keyring/ssh'],
  ['XAUTHORITY', '/home/me/.Xauthority'],
  ['TOKENIZERS_PARALLELISM', 'false'],
  ['MAX_TOKENS', '4096'],
  ['ACCEPT_TOKENS', 'yes'],
  ['DB_PASSWORD', ''],
  ['SECRETS_DIR', '/run/secrets'],
  ['TOKEN_FILE', '/run/token'],
  ['NEXT_PUBLIC_API_KEY', 'abc'],
  ['KEYBOARD_LAYOUT', 'de'],
  ['MONKEY', 'business'],
  ['COMPASS', 'north'],
  ['AUTHOR', 'Ann'],
  ['GIT_AUTHOR_NAME', 'Ann'],
  ['DATABASE_URL', 'postgres://localhost/app'],
  ['HTTP_PROXY', 'http://proxy.example:3128'],
  ['LS_COLORS', 'rs=0:di=01;34:ln=01;36'],
  ['JAVA_HOME', '/opt/jdk'],
  ['GIT_SSH_COMMAND', 'ssh -i ~/.ssh/work'],
  ['LANG', 'en_GB.UTF-8'],
  ['PASSENGER_VERSION', '6'],
]

for (const [name, value] of plain) {
  test(`core.shell_env: ${name}=${value} is no credential`, () => {
    assert.equal(findCredentialSign(name, value), undefined)
  })
}

// Put together at run time, so that no scanner of repositories takes this file for a leak.
const letters = 'Ab3'.repeat(14)
const secretValues = [
  `sk-proj-${letters}`,
  `sk-ant-${letters}`,
  `sk_live_${letters}`,
  `ghp_${letters}`,
  `github_pat_${letters}`,
  `glpat-${letters}`,
  `xoxb-${'1'.repeat(12)}-${letters}`,
  `AKIA${'A1'.repeat(8)}`,
  `AIza${letters}`,
  `npm_${letters}`,
  `hf_${letters}`,
  `eyJ${letters}.eyJ${letters}.${letters}`,
  `Bearer ${letters}`,
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${letters}`,
  'postgres://app:hunter2@db.example/app',
  'redis://:hunter2@cache.example',
  'http://ann:hunter2@proxy.example:3128',
  'Server=db;User=app;Password=hunter2',
]

for (const value of secretValues) {
  test(`core.shell_env: ${value.slice(0, 14)}… looks like a credential, whatever its name`, () => {
    assert.equal(findCredentialSign('SETTING', value), 'value')
  })
}
