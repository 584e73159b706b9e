// `deckhand config` and what a configuration does to a run: the built program.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createTestFolder, parseLines, runDeckhand } from './deckhand-process.ts'

function prepare(t: TestContext) {
  const folder = createTestFolder()
  t.after(folder.remove)
  const deckhand = (...args: readonly string[]) => runDeckhand(args, folder.options)
  return { folder, deckhand }
}

test('config show names the source of each value; the nearest file wins', async t => {
  const { folder, deckhand } = prepare(t)
  mkdirSync(join(folder.workspace, '.git'))
  const user = join(folder.home, 'deckhand.jsonc')
  writeFileSync(user, '{\n  // mine\n  "shell": { "timeoutMs": 1000, "maxTimeoutMs": 5000, },\n  "mode": "auto",\n}')
  const root = folder.write('deckhand.json', '{ "shell": { "timeoutMs": 2000 } }')
  const inner = folder.write('deep/er/deckhand.jsonc', '{ "shell": { "timeoutMs": 3000 }, "mode": "plan" }')
  const { code, stdout } = await deckhand('config', 'show', '--dir', 'deep/er')
  assert.equal(code, 0)
  assert.ok(stdout.startsWith(`Files, the later ones win:\n  ${user}\n  ${root}\n  ${inner}\n`), stdout)
  for (const line of [
    `shell.timeoutMs = 3000  (${inner})`,
    `shell.maxTimeoutMs = 5000  (${user})`,
    `mode = "plan"  (${inner})`,
    'limits.maxSteps = 100  (default)',
  ]) {
    assert.ok(stdout.split('\n').includes(line), `${line}\nis not in\n${stdout}`)
  }
  const json = JSON.parse((await deckhand('config', 'show', '--dir', 'deep/er', '--json')).stdout)
  assert.deepEqual(
    [json.config.shell.timeoutMs, json.sources['shell.timeoutMs'], json.config.mode],
    [3000, inner, 'plan'],
  )
})

test('config check tells every problem of a file with its line, and ends with 2; a run does not begin then', async t => {
  const { folder, deckhand } = prepare(t)
  const file = folder.write(
    'deckhand.json',
    '{\n  "shel": {},\n  "permissions": {},\n  "limits": { "maxSteps": 0 },\n  "mcp": {}\n}',
  )
  const problems = `${file} can't be used:
  shel is no option; did you mean shell? (line 2)
  permissions is called permission here (line 3)
  limits.maxSteps must be a whole number from 1 to 10000; it is 0 (line 4)
  mcp is not supported yet (line 5)`
  const { code, stdout, stderr } = await deckhand('config', 'check')
  assert.deepEqual([code, stdout, stderr], [2, '', `${problems}\n`])

  const run = await deckhand('run', '--format', 'json', '--model', folder.script([{ say: 'no' }]), 'go')
  assert.equal(run.code, 2)
  const last = parseLines(run.stdout).at(-1)
  assert.deepEqual([last?.type, last?.error.name, last?.error.data.message], ['error', 'ConfigError', problems])
  assert.equal((await deckhand('session', 'list', '--json')).stdout, '[]\n')
})

test('a syntax error is shown with its line and a mark below the place', async t => {
  const { folder, deckhand } = prepare(t)
  folder.write('deckhand.jsonc', '{\n  "mode": "ask"\n  "shell": {}\n}')
  const { code, stderr } = await deckhand('config', 'check')
  assert.equal(code, 2)
  assert.match(stderr, /deckhand\.jsonc/)
  assert.match(stderr, /line 3/)
  assert.match(stderr, /^ +"shell": \{\}\n +\^/m)
})

test('config check says when all is well, and when there is no file', async t => {
  const { folder, deckhand } = prepare(t)
  const none = await deckhand('config', 'check')
  assert.deepEqual([none.code, none.stdout], [0, 'No configuration file was found; nothing to check.\n'])
  const file = folder.write('deckhand.json', '{ "mode": "plan" }')
  const good = await deckhand('config', 'check')
  assert.deepEqual([good.code, good.stdout, good.stderr], [0, `${file}\nNothing wrong.\n`, ''])
})

test('config schema prints a JSON Schema of the file', async t => {
  const { deckhand } = prepare(t)
  const { code, stdout } = await deckhand('config', 'schema')
  assert.equal(code, 0)
  const schema = JSON.parse(stdout)
  assert.equal(schema.title, 'deckhand.json')
  assert.ok('permission' in schema.properties && 'provider' in schema.properties)
})

test('core.opencode_compat: an opencode.json works as it is, and what is not used of it is told', async t => {
  const { folder, deckhand } = prepare(t)
  folder.write(
    'opencode.json',
    JSON.stringify({
      $schema: 'https://opencode.ai/config.json',
      theme: 'dark',
      permission: { bash: { 'touch *': 'deny' } },
    }),
  )
  const model = folder.script([{ call: { shell: { command: 'touch made' } } }, { expect: 'A rule denies', say: 'ok' }])
  const { code, stdout, stderr } = await deckhand('run', '--auto', '--model', model, 'go')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /ok\n$/)
  assert.match(stderr, /opencode\.json.*theme/)
})

test("core.rules: a project's file can't loosen what is asked, neither by a mode nor by a rule, and that is told", async t => {
  const { folder, deckhand } = prepare(t)
  const file = folder.write('deckhand.json', JSON.stringify({ mode: 'auto', permission: { shell: 'allow' } }))
  const model = folder.script([
    { call: { shell: { command: 'touch made' } } },
    { expect: "needs a person's permission", say: 'I could not.' },
  ])
  const { code, stderr } = await deckhand('run', '--model', model, 'go')
  assert.equal(code, 3)
  assert.ok(stderr.includes(`${file}: "mode": "auto" is not taken from a project's file`), stderr)
  assert.ok(stderr.includes(`${file}: its "allow" rules count as "ask"`), stderr)
})

test('a secret by reference is never shown: not by config show, not in the lines of a run, not in the session', async t => {
  const { folder } = prepare(t)
  const secret = 'sk-very-secret-0123456789'
  folder.configure({
    model: 'work/coder',
    retry: { maxAttempts: 1 },
    provider: {
      work: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: 'http://127.0.0.1:9/v1', apiKey: '{env:WORK_KEY}' },
        models: { coder: {} },
      },
    },
  })
  const options = { ...folder.options, env: { ...folder.options.env, WORK_KEY: secret } }
  const shown = await runDeckhand(['config', 'show'], options)
  assert.match(shown.stdout, /^provider\.work\.options\.apiKey = "\{env:WORK_KEY\}" {2}\(/m)
  const run = await runDeckhand(['run', '--format', 'json', 'go'], options)
  assert.equal(run.code, 1)
  const id = parseLines(run.stdout)[0]?.sessionID ?? ''
  const session = await runDeckhand(['session', 'export', id], options)
  assert.equal(session.code, 0)
  for (const text of [shown.stdout, run.stdout, run.stderr, session.stdout]) assert.ok(!text.includes(secret))
})

test('options of the command line outweigh the agent, and the agent outweighs the configuration', async t => {
  const { folder, deckhand } = prepare(t)
  folder.configure({
    mode: 'plan',
    limits: { maxSteps: 1 },
    agent: { careful: { mode: 'ask', maxSteps: 2, prompt: 'You only look.' } },
  })
  const start = async (...args: readonly string[]) => {
    const model = folder.script([
      { call: { glob: { pattern: 'a' } } },
      { call: { glob: { pattern: 'b' } } },
      { call: { glob: { pattern: 'c' } } },
      { say: 'end' },
    ])
    const { code, stdout } = await deckhand('run', '--format', 'json', '--model', model, ...args, 'go')
    const lines = parseLines(stdout)
    return [code, lines[0]?.mode, lines.at(-1)?.reason, lines.at(-1)?.steps]
  }
  assert.deepEqual(await start(), [4, 'plan', 'step-limit', 1])
  assert.deepEqual(await start('--agent', 'careful'), [4, 'ask', 'step-limit', 2])
  assert.deepEqual(await start('--agent', 'careful', '--mode', 'auto', '--max-steps', '9'), [0, 'auto', 'done', 4])

  const wrong = await deckhand('run', '--agent', 'carefull', '--model', folder.script([{ say: 'x' }]), 'go')
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /There is no agent "carefull"; did you mean careful\?/)
})
