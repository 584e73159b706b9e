import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '@deckhand/core'
import { parseConfigFile } from './config-file.ts'

function messageFor(text: string, path = '/p/deckhand.jsonc'): string {
  try {
    parseConfigFile(path, text)
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.message
  }
  return 'no error'
}

test('comments and trailing commas are read', () => {
  const text = '{\n  // the model\n  "model": "a/b", /* and */\n  "instructions": ["x.md",],\n}\n'
  assert.deepEqual(parseConfigFile('/p/deckhand.jsonc', text).values, { model: 'a/b', instructions: ['x.md'] })
})

test('a file that is empty or all comments holds nothing, and nothing is wrong with it', () => {
  for (const text of ['', ' \n', '// later\n', '/* { "model": "a/b" } */']) {
    assert.deepEqual(parseConfigFile('/p/deckhand.jsonc', text).values, {}, JSON.stringify(text))
  }
})

test('a syntax error is told with line, column and the line itself', () => {
  assert.equal(
    messageFor('{\n  "model": "a/b"\n  "mode": "ask"\n}'),
    `/p/deckhand.jsonc is no valid JSON: comma expected at line 3, column 3:
    "mode": "ask"
    ^`,
  )
})

test('a syntax error in a very long line shows only what is around it', () => {
  const text = `{${'"a": 1, '.repeat(5000)}"b" 2, ${'"c": 3, '.repeat(5000)}`
  assert.equal(
    messageFor(text),
    `/p/deckhand.jsonc is no valid JSON: colon expected at line 1, column 40006:
  "a": 1, "a": 1, "a": 1, "a": 1, "a": 1, "a": 1, "a": 1, "b" 2, "c": 3, "c": 3, "c": 3, "c": 3, "c":
                                                              ^`,
  )
})

test('a syntax error beside a key does not show the key', () => {
  const message = messageFor('{ "apiKey": "sk-very-secret" "x": 1 }')
  assert.equal(
    message,
    `/p/deckhand.jsonc is no valid JSON: comma expected at line 1, column 30:
  { "apiKey": "**************" "x": 1 }
                               ^`,
  )
})

test('a file that holds no object is refused', () => {
  assert.equal(messageFor('[1]'), '/p/deckhand.jsonc must hold an object, such as { "model": "provider/model" }.')
})

test('all problems of a file are told at once, in the order of their lines', () => {
  const text = `{
  "modle": "a/b",
  "shell": { "timeoutMs": 0, "timoutMs": 5 },
  "mode": "yolo",
  "instructions": "AGENTS.md",
  "permissions": {},
  "bash": {},
  "mcp": {},
  "limits": { "maxSteps": 1.5 }
}`
  assert.equal(
    messageFor(text),
    `/p/deckhand.jsonc can't be used:
  modle is no option; did you mean mode or model? (line 2)
  shell.timeoutMs must be a whole number from 1 to 86400000; it is 0 (line 3)
  shell.timoutMs is no option; did you mean timeoutMs? (line 3)
  mode must be one of "plan", "ask", "workspace", "auto"; it is "yolo" (line 4)
  instructions must be a list of paths or globs; it is "AGENTS.md" (line 5)
  permissions is called permission here (line 6)
  bash is called shell here (line 7)
  mcp is not supported yet (line 8)
  limits.maxSteps must be a whole number from 1 to 10000; it is 1.5 (line 9)`,
  )
})

test('an unknown option with no close name lists what may stand there', () => {
  assert.equal(
    messageFor('{ "retry": { "jitter": true } }'),
    `/p/deckhand.jsonc can't be used:
  retry.jitter is no option. Options here: maxAttempts, maxTotalMs, firstDelayMs, maxDelayMs (line 1)`,
  )
})

test('each wrong rule of a permission section is told with its line', () => {
  const text = `{
  "permission": {
    "bahs": "ask",
    "edit": "maybe",
    "shell": {
      "rm *": "denied",
      "ls": "allow"
    }
  }
}`
  assert.equal(
    messageFor(text),
    `/p/deckhand.jsonc can't be used:
  permission.bahs is no permission. Use one of read, edit, glob, grep, shell, external_directory, task, fetch, skill, schedule, kill, network, outside_sandbox, todo, doom_loop, bash (the same as shell), mcp:SERVER:TOOL, or a wildcard over them (line 3)
  permission.edit must be "allow", "ask" or "deny", or a map of patterns to one of them; it is "maybe" (line 4)
  permission.shell["rm *"] must be "allow", "ask" or "deny"; it is "denied" (line 6)`,
  )
})

test('a key that stands twice is refused, since the first would be lost without a word', () => {
  assert.equal(
    messageFor('{\n "permission": { "shell": "deny" },\n "permission": {}\n}'),
    `/p/deckhand.jsonc can't be used:
  permission stands there twice; only one can count (line 3)`,
  )
})

test('names that JavaScript gives a meaning are unknown options like others', () => {
  assert.equal(
    messageFor('{ "__proto__": { "mode": "auto" },\n "agent": { "x": { "__proto__": {} } },\n "constructor": 1 }'),
    `/p/deckhand.jsonc can't be used:
  __proto__ is no option (line 1)
  agent.x.__proto__ is no option (line 2)
  constructor is no option. Options here: model, mode, provider, permission, instructions, plugins, agent, shell, jobs, sandbox, limits, retry (line 3)`,
  )
})

test('a wrong value that is a secret, or endless, is not shown', () => {
  const long = 'x'.repeat(500)
  const message = messageFor(
    `{ "provider": { "a": { "options": { "apiKey": ["sk-secret"], "baseURL": 5 } } },\n "mode": "${long}" }`,
  )
  assert.equal(
    message,
    `/p/deckhand.jsonc can't be used:
  provider.a.options.baseURL is wrong (Invalid input: expected string, received number); it is 5 (line 1)
  provider.a.options.apiKey is wrong (Invalid input: expected string, received array); it is ["(hidden)"] (line 1)
  mode must be one of "plan", "ask", "workspace", "auto"; it is "${'x'.repeat(79)}… (line 2)`,
  )
})

test('core.opencode_compat: an opencode.json is taken as it is, and what Deckhand does not use is listed', () => {
  const text = JSON.stringify({
    $schema: 'https://opencode.ai/config.json',
    theme: 'tokyonight',
    share: 'disabled',
    model: 'local/qwen',
    small_model: 'local/tiny',
    provider: {
      local: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Local',
        options: { baseURL: 'http://127.0.0.1:1234/v1', apiKey: '{env:LOCAL_KEY}' },
        models: { qwen: { name: 'Qwen', limit: { context: 32768, output: 4096 }, tool_call: true } },
      },
    },
    permission: { bash: { '*': 'ask', 'git status': 'allow' }, edit: 'ask', webfetch: 'deny', github_create: 'deny' },
    instructions: ['CONTRIBUTING.md', 'docs/*.md'],
    agent: {
      review: { description: 'Reviews', mode: 'subagent', prompt: 'You review.', tools: { write: false }, steps: 5 },
      old: { disable: true },
    },
    mcp: { github: { type: 'local', command: ['x'] } },
  })
  assert.deepEqual(parseConfigFile('/p/opencode.json', text), {
    path: '/p/opencode.json',
    values: {
      model: 'local/qwen',
      provider: {
        local: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Local',
          options: { baseURL: 'http://127.0.0.1:1234/v1', apiKey: '{env:LOCAL_KEY}' },
          models: { qwen: { name: 'Qwen', limit: { context: 32768, output: 4096 }, tool_call: true } },
        },
      },
      instructions: ['CONTRIBUTING.md', 'docs/*.md'],
      agent: {
        review: { description: 'Reviews', prompt: 'You review.', maxSteps: 5, permission: { write: 'deny' } },
      },
      permission: { bash: { '*': 'ask', 'git status': 'allow' }, edit: 'ask', webfetch: 'deny' },
    },
    unused: ['theme', 'share', 'small_model', 'mcp', 'agent.review.mode', 'permission.github_create'],
  })
})

test('core.opencode_compat: a tool switched off in the older "tools" form stays forbidden', () => {
  const permissionOf = (values: unknown) =>
    parseConfigFile('/p/opencode.jsonc', JSON.stringify(values)).values.permission
  assert.deepEqual(permissionOf({ tools: { bash: false, write: false, read: true } }), { bash: 'deny', write: 'deny' })
  assert.deepEqual(permissionOf({ tools: { bash: false }, permission: 'allow' }), { '*': 'allow', bash: 'deny' })
  assert.deepEqual(permissionOf({ tools: { bash: false }, permission: { edit: 'ask' } }), { bash: 'deny', edit: 'ask' })
  assert.equal(permissionOf({ tools: { read: true } }), undefined)
})

test('a wrong value in an opencode.json is told like in our own file', () => {
  assert.equal(
    messageFor('{\n "theme": 5,\n "model": 5\n}', '/p/opencode.json'),
    `/p/opencode.json can't be used:
  model must be a text; it is 5 (line 3)`,
  )
})
