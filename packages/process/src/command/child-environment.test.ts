import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChildEnvironment } from './child-environment.ts'

test('core.stdin_closed: commands get an environment in which nothing pages, prompts or edits', () => {
  const { environment } = createChildEnvironment({ PATH: '/bin', PAGER: 'less', EDITOR: 'vim', TERM: 'xterm' })
  assert.deepEqual(environment, {
    PATH: '/bin',
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GH_PAGER: 'cat',
    MANPAGER: 'cat',
    AWS_PAGER: '',
    EDITOR: 'no-editor-is-available-here',
    VISUAL: 'no-editor-is-available-here',
    GIT_EDITOR: 'no-editor-is-available-here',
    GIT_SEQUENCE_EDITOR: 'no-editor-is-available-here',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    GH_PROMPT_DISABLED: '1',
    DEBIAN_FRONTEND: 'noninteractive',
    PIP_NO_INPUT: '1',
  })
})

test('core.shell_env: credentials and what changes the shell are not handed on; the rest is', () => {
  const { environment, withheld } = createChildEnvironment({
    OPENAI_API_KEY: 'k',
    ANTHROPIC_API_KEY: 'k',
    BASH_ENV: '/x',
    ENV: '/x',
    CDPATH: '/x',
    npm_package_name: 'deckhand',
    GITHUB_TOKEN: 't',
    CI: 'true',
    GIT_SSH_COMMAND: 'ssh -i mine',
    UNSET: undefined,
  })
  const gone = [
    'GITHUB_TOKEN',
    'OPENAI_API_KEY',
    'ANTHROPIC_API_KEY',
    'BASH_ENV',
    'ENV',
    'CDPATH',
    'npm_package_name',
    'UNSET',
  ]
  for (const name of gone) assert.equal(name in environment, false, name)
  assert.deepEqual(withheld, ['ANTHROPIC_API_KEY', 'GITHUB_TOKEN', 'OPENAI_API_KEY'])
  assert.equal(environment.CI, 'true')
  assert.equal(environment.GIT_SSH_COMMAND, 'ssh -i mine')
})

test('core.shell_env: a credential is handed on when it is allowed by name or pattern, a model key never', () => {
  const base = {
    GH_TOKEN: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    AWS_SESSION_TOKEN: 'c',
    NPM_TOKEN: 'd',
    OPENAI_API_KEY: 'e',
  }
  const { environment, withheld } = createChildEnvironment(base, { allowed: ['GH_TOKEN', 'AWS_*', 'OPENAI_API_KEY'] })
  assert.deepEqual(withheld, ['NPM_TOKEN', 'OPENAI_API_KEY'])
  assert.deepEqual([environment.GH_TOKEN, environment.AWS_SESSION_TOKEN], ['a', 'c'])
})

test('core.shell_env: which names are always secret can be chosen', () => {
  const { withheld } = createChildEnvironment({ MY_ENDPOINT: 'a' }, { secretNames: ['MY_ENDPOINT'], allowed: ['*'] })
  assert.deepEqual(withheld, ['MY_ENDPOINT'])
})
