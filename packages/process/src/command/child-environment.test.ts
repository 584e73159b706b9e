import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChildEnvironment } from './child-environment.ts'

test('core.stdin_closed: commands get an environment in which nothing pages, prompts or edits', () => {
  assert.deepEqual(createChildEnvironment({ PATH: '/bin', PAGER: 'less', EDITOR: 'vim', TERM: 'xterm' }), {
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

test('the keys of model providers and what changes the shell are not handed on; the rest is', () => {
  const environment = createChildEnvironment({
    OPENAI_API_KEY: 'k',
    ANTHROPIC_API_KEY: 'k',
    BASH_ENV: '/x',
    ENV: '/x',
    CDPATH: '/x',
    npm_package_name: 'deckhand',
    GITHUB_TOKEN: 'needed-by-gh',
    CI: 'true',
    GIT_SSH_COMMAND: 'ssh -i mine',
    UNSET: undefined,
  })
  const kept = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'BASH_ENV', 'ENV', 'CDPATH', 'npm_package_name', 'UNSET']
  for (const name of kept) assert.equal(name in environment, false, name)
  assert.equal(environment.GITHUB_TOKEN, 'needed-by-gh')
  assert.equal(environment.CI, 'true')
  assert.equal(environment.GIT_SSH_COMMAND, 'ssh -i mine')
})

test('which names are secret can be chosen', () => {
  const environment = createChildEnvironment({ OPENAI_API_KEY: 'a', MY_KEY: 'b' }, ['MY_KEY'])
  assert.equal(environment.OPENAI_API_KEY, 'a')
  assert.equal('MY_KEY' in environment, false)
})
