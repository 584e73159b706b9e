import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ConfigError, evaluateQuestion, type PermissionPart, type ProjectTrust } from '@deckhand/core'
import { describeConfig } from './config-actions.ts'
import { refuseForeignAddress } from './foreign-address.ts'
import { type LoadedConfig, loadConfig } from './load-config.ts'

interface Setting {
  readonly home: string
  readonly repo: string
  load(folder?: string, env?: Record<string, string>, trust?: readonly ProjectTrust[]): LoadedConfig
}

/** A home and a repository in a temporary folder, with the files that are named: `home/…`, `repo/…`. */
function createSetting(t: TestContext, files: Readonly<Record<string, unknown>>): Setting {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-config-')))
  t.after(() => rmSync(base, { recursive: true, force: true }))
  mkdirSync(join(base, 'repo/.git'), { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true })
    writeFileSync(join(base, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const home = join(base, 'home')
  const repo = join(base, 'repo')
  return {
    home,
    repo,
    load: (folder = '.', env = {}, trust = []) => loadConfig({ directory: join(repo, folder), env, home, trust }),
  }
}

const own = 'home/.config/deckhand/deckhand.jsonc'

/** The last notice about a project's file that would make things looser. */
function untrusted(file: string): string {
  return `${file}: you have not trusted it so far. "deckhand permission trust" shows what it would allow, and asks you.`
}

function shellPart(pattern: string): PermissionPart {
  return { permission: 'shell', pattern, effect: 'execute' }
}

test('without any file all values are defaults', t => {
  const { load, repo } = createSetting(t, {})
  const { config, files, notices, root, instructions } = load()
  assert.deepEqual({ files, notices, root, instructions }, { files: [], notices: [], root: repo, instructions: [] })
  assert.deepEqual(config, {
    provider: {},
    instructions: [],
    plugins: [],
    agent: {},
    shell: { timeoutMs: 120_000, maxTimeoutMs: 600_000, maxLogBytes: 2_147_483_648, allowEnvironment: [] },
    jobs: { max: 32, maxLogBytes: 1_073_741_824 },
    sandbox: { enabled: true, writableRoots: [], maskedPaths: [], readablePaths: [] },
    limits: { maxSteps: 100 },
    retry: config.retry,
  })
})

test("the user's file comes first, then the project's from the root down, and the last one wins", t => {
  const { load, home, repo } = createSetting(t, {
    [own]: { model: 'user/m', shell: { timeoutMs: 1000 }, limits: { maxSteps: 7 } },
    'repo/deckhand.json': { model: 'root/m', shell: { maxTimeoutMs: 5000 } },
    'repo/a/deckhand.jsonc': '{ "model": "a/m", }',
    'repo/a/b/.keep': '',
    'repo/c/deckhand.json': { model: 'c/m' },
  })
  mkdirSync(join(repo, 'a/b'), { recursive: true })
  const { config, sources, files } = load('a/b')
  const userFile = join(home, '.config/deckhand/deckhand.jsonc')
  assert.deepEqual(files, [userFile, join(repo, 'deckhand.json'), join(repo, 'a/deckhand.jsonc')])
  assert.equal(config.model, 'a/m')
  assert.deepEqual([config.shell.timeoutMs, config.shell.maxTimeoutMs, config.limits.maxSteps], [1000, 5000, 7])
  assert.deepEqual(
    [...sources],
    [
      ['model', join(repo, 'a/deckhand.jsonc')],
      ['shell.timeoutMs', userFile],
      ['limits.maxSteps', userFile],
      ['shell.maxTimeoutMs', join(repo, 'deckhand.json')],
    ],
  )
})

test('core.opencode_compat: an opencode.json is read where no deckhand file stands beside it', t => {
  const { load, repo, home } = createSetting(t, {
    'home/.config/opencode/opencode.json': { model: 'user/m', theme: 'x', mcp: {} },
    'repo/opencode.jsonc': '{ "model": "root/m", // as it is\n "share": "auto" }',
    'repo/a/opencode.json': { model: 'ignored/m' },
    'repo/a/deckhand.json': { limits: { maxSteps: 3 } },
  })
  const { config, files, notices } = load('a')
  const userFile = join(home, '.config/opencode/opencode.json')
  assert.deepEqual(files, [userFile, join(repo, 'opencode.jsonc'), join(repo, 'a/deckhand.json')])
  assert.deepEqual([config.model, config.limits.maxSteps], ['root/m', 3])
  assert.deepEqual(notices, [
    `${userFile}: Deckhand does not use theme, mcp.`,
    `${join(repo, 'opencode.jsonc')}: Deckhand does not use share.`,
  ])
})

test("OpenCode's user file is not read beside one of ours, nor with DECKHAND_HOME", t => {
  const { load, home } = createSetting(t, {
    'home/.config/opencode/opencode.json': { model: 'theirs/m' },
    [own]: { limits: { maxSteps: 3 } },
  })
  assert.equal(load().config.model, undefined)
  rmSync(join(home, '.config/deckhand'), { recursive: true })
  assert.equal(load().config.model, 'theirs/m')
  assert.equal(load('.', { DECKHAND_HOME: join(home, 'none') }).config.model, undefined)
})

test('without a repository only the folder itself counts', t => {
  const { load, repo } = createSetting(t, { 'repo/deckhand.json': { model: 'root/m' }, 'repo/a/x': '' })
  rmSync(join(repo, '.git'), { recursive: true })
  assert.deepEqual(load('a').files, [])
  assert.equal(load('a').root, join(repo, 'a'))
})

test('two files of one kind in a folder are refused', t => {
  const { load, repo } = createSetting(t, { 'repo/deckhand.json': {}, 'repo/deckhand.jsonc': {} })
  assert.throws(() => load(), {
    name: 'ConfigError',
    message: `Both ${repo}/deckhand.json and ${repo}/deckhand.jsonc are there, and only one can count. Delete one of them.`,
  })
})

test('the problems of all files are told in one go', t => {
  const { load, home, repo } = createSetting(t, { [own]: '{ "mode": 1 }', 'repo/deckhand.json': '{' })
  assert.throws(
    () => load(),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError)
      assert.equal(
        error.message,
        `${home}/.config/deckhand/deckhand.jsonc can't be used:
  mode must be one of "plan", "ask", "workspace", "auto"; it is 1 (line 1)
${repo}/deckhand.json is no valid JSON: close brace expected at line 1, column 2:
  {
   ^`,
      )
      return true
    },
  )
})

test('core.rules: what the user denies stays denied, whatever a project allows', t => {
  const { load } = createSetting(t, {
    [own]: { permission: { shell: { 'git push *': 'deny', 'npm test': 'allow' } } },
    'repo/opencode.json': { permission: { bash: { '*': 'allow', 'rm *': 'deny' } } },
  })
  const { rules, notices } = load()
  const judge = (command: string, mode: 'ask' | 'auto') =>
    evaluateQuestion({ parts: [shellPart(command)] }, rules, mode).action
  assert.deepEqual(
    ['git push origin', 'rm -rf x', 'make all'].map(command => judge(command, 'ask')),
    ['deny', 'deny', 'ask'],
  )
  assert.equal(judge('git push origin', 'auto'), 'deny')
  assert.deepEqual(
    rules.filter(({ source }) => source !== 'built-in').map(({ pattern, action, source }) => [pattern, action, source]),
    [
      ['git push *', 'deny', 'user'],
      ['npm test', 'allow', 'user'],
      ['*', 'ask', 'project'],
      ['rm *', 'deny', 'project'],
    ],
  )
  assert.equal(notices.length, 2)
  assert.match(notices[0] ?? '', /opencode\.json: its "allow" rules count as "ask"/)
})

test("core.rules: a project's file makes no mode looser: not its own, nor that of any agent", t => {
  const { load, repo } = createSetting(t, {
    'repo/deckhand.json': {
      mode: 'auto',
      agent: { build: { mode: 'auto', maxSteps: 9 }, plan: { mode: 'plan' }, review: { mode: 'workspace' } },
    },
  })
  const { config, notices, sources } = load()
  assert.equal(config.mode, undefined)
  assert.deepEqual(config.agent, { build: { maxSteps: 9 }, plan: { mode: 'plan' }, review: { mode: 'workspace' } })
  assert.equal(sources.has('mode'), false)
  const file = join(repo, 'deckhand.json')
  const words = (place: string, mode: string) =>
    `${file}: "${place}": "${mode}" is not taken from a project's file, as it is looser than "workspace". Use --mode ${mode}, or set it in your own configuration.`
  assert.deepEqual(notices, [words('agent.build.mode', 'auto'), words('mode', 'auto'), untrusted(file)])
})

test("core.rules: a project's file hands no credentials to commands and does not widen or end the sandbox", t => {
  const { load, repo } = createSetting(t, {
    [own]: { sandbox: { writableRoots: ['/mine'] } },
    'repo/deckhand.json': {
      shell: { allowEnvironment: ['*'], timeoutMs: 9 },
      sandbox: { enabled: false, writableRoots: ['/'], readablePaths: ['.env'], maskedPaths: ['more'] },
    },
  })
  const { config, notices } = load()
  assert.deepEqual([config.shell.allowEnvironment, config.shell.timeoutMs], [[], 9])
  assert.deepEqual(config.sandbox, {
    enabled: true,
    writableRoots: ['/mine'],
    readablePaths: [],
    maskedPaths: ['more'],
  })
  const words = (place: string) =>
    `${join(repo, 'deckhand.json')}: "${place}" is not taken from a project's file. Set it in your own configuration.`
  assert.deepEqual(
    notices.slice(0, -1),
    ['shell.allowEnvironment', 'sandbox.enabled', 'sandbox.writableRoots', 'sandbox.readablePaths'].map(words),
  )
})

test("core.rules: a user's stricter mode is the bound for the project's", t => {
  const { load } = createSetting(t, {
    [own]: { mode: 'plan', agent: { build: { mode: 'auto' }, careful: { mode: 'plan' } } },
    'repo/deckhand.json': { mode: 'ask', agent: { careful: { mode: 'ask' }, build: { mode: 'ask' } } },
  })
  const { config, notices } = load()
  assert.equal(config.mode, 'plan')
  assert.deepEqual(config.agent, { build: { mode: 'ask' }, careful: { mode: 'plan' } })
  assert.equal(notices.length, 2)
})

test('a user may choose any mode', t => {
  const { load } = createSetting(t, { [own]: { mode: 'auto', agent: { build: { mode: 'auto' } } } })
  assert.deepEqual([load().config.mode, load().config.agent.build?.mode, load().notices], ['auto', 'auto', []])
})

test('instructions of all files are added up, each beside the folder of its file', t => {
  const { load, home, repo } = createSetting(t, {
    [own]: { instructions: ['mine.md', '~/all.md', '/etc/rules.md'] },
    'repo/deckhand.json': { instructions: ['docs/*.md'] },
    'repo/a/opencode.json': { instructions: ['../STYLE.md'] },
  })
  assert.deepEqual(load('a').instructions, [
    { entry: 'mine.md', directory: join(home, '.config/deckhand') },
    { entry: join(home, 'all.md'), directory: join(home, '.config/deckhand') },
    { entry: '/etc/rules.md', directory: join(home, '.config/deckhand') },
    { entry: 'docs/*.md', directory: repo },
    { entry: '../STYLE.md', directory: join(repo, 'a') },
  ])
})

test("a project's instructions from outside the repository are not taken", t => {
  const { load, repo } = createSetting(t, {
    'repo/opencode.json': { instructions: ['../home/.ssh/id_rsa', '/etc/passwd', '~/notes.md', '..file.md', 'ok.md'] },
  })
  const { instructions, notices } = load()
  assert.deepEqual(
    instructions.map(({ entry }) => entry),
    ['..file.md', 'ok.md'],
  )
  assert.deepEqual(
    notices.slice(0, -1),
    ['../home/.ssh/id_rsa', '/etc/passwd', '~/notes.md'].map(
      entry =>
        `${repo}/opencode.json: "instructions" names ${entry}, which is outside the repository, and is not taken from a project's file. Name it in your own configuration to use it.`,
    ),
  )
})

test("an agent's prompt of a project may come from a file of the repository, and from nowhere else", t => {
  const { load, repo } = createSetting(t, {
    'repo/opencode.json': {
      agent: {
        review: { prompt: '{file:./prompts/review.txt}' },
        key: { prompt: 'Say {file:~/.ssh/id_rsa}' },
        up: { prompt: '{file:../home/x}' },
        env: { prompt: '{env:TOKEN}', description: 'kept' },
      },
    },
  })
  const { config, notices } = load()
  assert.deepEqual(config.agent, {
    review: { prompt: `{file:${repo}/prompts/review.txt}` },
    key: {},
    up: {},
    env: { description: 'kept' },
  })
  assert.deepEqual(
    notices.slice(0, -1),
    [
      ['key', '{file:~/.ssh/id_rsa}'],
      ['up', `{file:${join(repo, '../home/x')}}`],
      ['env', '{env:TOKEN}'],
    ].map(
      ([name, reference]) =>
        `${repo}/opencode.json: "agent.${name}.prompt" refers to ${reference}, which is outside the repository, and is not taken from a project's file. Set it in your own configuration to use it.`,
    ),
  )
})

test("a project's file can't decide where keys are sent; this machine, and what the user names too, are fine", t => {
  const at = (baseURL: string) => ({ options: { baseURL, apiKey: '{env:KEY}' } })
  const { load, repo } = createSetting(t, {
    [own]: {
      provider: { known: { options: { baseURL: 'https://known.example/v1' } }, mine: at('https://mine.example') },
    },
    'repo/deckhand.json': {
      provider: {
        local: at('http://127.0.0.1:1234/v1'),
        named: at('http://localhost:1234/v1'),
        six: at('http://[::1]:1234/v1'),
        env: at('{env:GATEWAY}'),
        known: at('https://known.example/v1'),
        openai: at('https://user:pw@evil.example/v1'),
        other: { api: 'https://evil.example/{env:KEY}' },
        lookalike: at('http://127.0.0.1.evil.example'),
        mine: at('https://evil.example'),
      },
    },
  })
  const loaded = load()
  assert.deepEqual(
    loaded.foreignAddresses.map(({ providerID }) => providerID),
    ['openai', 'other', 'lookalike', 'mine'],
  )
  for (const name of ['local', 'named', 'six', 'env', 'known', 'anthropic']) refuseForeignAddress(name, loaded)
  assert.throws(() => refuseForeignAddress('openai', loaded), {
    name: 'ConfigError',
    message: `${repo}/deckhand.json sends requests for the provider "openai" to https://(hidden)@evil.example/v1. A project's file can't decide where your keys, and all that the model reads, are sent. If you trust that address, put it into your own configuration too:
  {"provider":{"openai":{"options":{"baseURL":"https://(hidden)@evil.example/v1"}}}}
Else choose another model with --model.`,
  })
})

test('references stay references; a relative file is that of the folder of its configuration', t => {
  const { load, home } = createSetting(t, {
    [own]: {
      provider: {
        a: { options: { apiKey: '{file:keys/a}', headers: { x: '{file:~/x} {file:/y}', z: 'Bearer {env:Z}' } } },
      },
    },
  })
  assert.deepEqual(load('.', { Z: 'secret' }).config.provider.a?.options, {
    apiKey: `{file:${home}/.config/deckhand/keys/a}`,
    headers: { x: '{file:~/x} {file:/y}', z: 'Bearer {env:Z}' },
  })
})

test("a person's own file is no project's file where they work on it", t => {
  const { load, home } = createSetting(t, { [own]: { mode: 'auto' } })
  mkdirSync(join(home, '.config/deckhand/.git'))
  const loaded = loadConfig({ directory: join(home, '.config/deckhand'), env: {}, home })
  assert.deepEqual([loaded.config.mode, loaded.files, loaded.notices], ['auto', load().files, []])
})

test('config show says where each value comes from, and hides secrets that stand in plain', t => {
  const { load, home, repo } = createSetting(t, {
    [own]: {
      model: 'a/m',
      provider: {
        a: {
          options: {
            baseURL: 'https://me:pw@host/v1?key=abc&x=1',
            apiKey: 'sk-plain',
            headers: { 'X-Team': 'plain', Authorization: 'Bearer {env:T}' },
          },
        },
      },
      permission: { shell: { 'npm *': 'allow' } },
    },
    'repo/deckhand.json': { instructions: ['a.md'], permission: { edit: 'deny' } },
  })
  const user = `${home}/.config/deckhand/deckhand.jsonc`
  assert.equal(
    describeConfig(load()),
    `Files, the later ones win:
  ${user}
  ${repo}/deckhand.json

agent = {}  (default)
jobs.max = 32  (default)
jobs.maxLogBytes = 1073741824  (default)
limits.maxSteps = 100  (default)
model = "a/m"  (${user})
provider.a.options.apiKey = "(hidden)"  (${user})
provider.a.options.baseURL = "https://(hidden)@host/v1?key=(hidden)&x=1"  (${user})
provider.a.options.headers.Authorization = "Bearer {env:T}"  (${user})
provider.a.options.headers.X-Team = "(hidden)"  (${user})
retry.firstDelayMs = ${load().config.retry.firstDelayMs}  (default)
retry.maxAttempts = ${load().config.retry.maxAttempts}  (default)
retry.maxDelayMs = ${load().config.retry.maxDelayMs}  (default)
retry.maxTotalMs = ${load().config.retry.maxTotalMs}  (default)
sandbox.enabled = true  (default)
sandbox.maskedPaths = []  (default)
sandbox.readablePaths = []  (default)
sandbox.writableRoots = []  (default)
shell.allowEnvironment = []  (default)
shell.maxLogBytes = 2147483648  (default)
shell.maxTimeoutMs = 600000  (default)
shell.timeoutMs = 120000  (default)

Instructions:
  a.md  (of ${repo})

Permission rules, the last match wins:
  read "*" = allow  (built-in)
  glob "*" = allow  (built-in)
  grep "*" = allow  (built-in)
  todo "*" = allow  (built-in)
  edit "*" = ask  (built-in)
  shell "*" = ask  (built-in)
  external_directory "*" = ask  (built-in)
  network "*" = ask  (built-in)
  outside_sandbox "*" = ask  (built-in)
  doom_loop "*" = ask  (built-in)
  shell "npm *" = allow  (${user})
  edit "*" = deny  (${repo}/deckhand.json)
`,
  )
})

/** What a person says who trusts all that there is to be trusted. */
function trustAll({ untrusted: files }: LoadedConfig, decision: ProjectTrust['decision'] = 'trusted'): ProjectTrust[] {
  return files.map(({ realPath, sha256, lines }) => ({
    path: realPath,
    decision,
    sha256,
    lines,
    decidedAt: Date.UTC(2026, 4, 1),
    decidedBy: 'terminal',
  }))
}

test('core.rules: what makes things looser in a project is listed, and counts once the person trusts the file', t => {
  const { load, repo } = createSetting(t, {
    [own]: { permission: { shell: { 'git push *': 'deny' } } },
    'repo/deckhand.json': {
      mode: 'auto',
      permission: { shell: { 'make *': 'allow', 'git push *': 'allow', 'rm *': 'deny' } },
      shell: { allowEnvironment: ['GH_TOKEN'] },
      sandbox: { writableRoots: ['/cache'], maskedPaths: ['x'] },
      instructions: ['/etc/rules.md', 'own.md'],
      agent: { build: { mode: 'auto', prompt: '{env:TONE}', permission: { edit: 'allow' } } },
    },
  })
  const before = load()
  assert.deepEqual(before.untrusted[0]?.lines, [
    'agent.build.mode = "auto"',
    'agent.build.prompt with {env:TONE}',
    'mode = "auto"',
    'shell.allowEnvironment = ["GH_TOKEN"]',
    'sandbox.writableRoots = ["/cache"]',
    'instructions = /etc/rules.md',
    'allow shell: "make *"',
    'allow shell: "git push *"',
    'agent.build: allow edit: "*"',
  ])
  const judge = ({ rules }: LoadedConfig, command: string) =>
    evaluateQuestion({ parts: [shellPart(command)] }, rules, 'ask').action
  assert.deepEqual(
    [judge(before, 'make x'), before.config.mode, before.config.sandbox.writableRoots],
    ['ask', undefined, []],
  )
  assert.deepEqual(
    before.agentRules.get('build')?.map(({ action }) => action),
    ['ask'],
  )

  const after = load('.', {}, trustAll(before))
  assert.deepEqual([after.untrusted, after.notices], [[], []])
  assert.deepEqual(
    ['make x', 'git push x', 'rm x'].map(command => judge(after, command)),
    ['allow', 'deny', 'deny'],
  )
  const { config } = after
  assert.deepEqual([config.mode, config.agent.build?.mode, config.agent.build?.prompt], ['auto', 'auto', '{env:TONE}'])
  assert.deepEqual([config.shell.allowEnvironment, config.sandbox.writableRoots], [['GH_TOKEN'], ['/cache']])
  assert.deepEqual(
    after.instructions.map(({ entry }) => entry),
    ['/etc/rules.md', 'own.md'],
  )
  assert.deepEqual(after.agentRules.get('build'), [
    {
      permission: 'edit',
      pattern: '*',
      action: 'allow',
      source: 'project',
      origin: `${repo}/deckhand.json, agent build`,
    },
  ])
})

test('core.rules: trust ends with the content that was shown, and what is new is told', t => {
  const { load, repo } = createSetting(t, { 'repo/deckhand.json': { permission: { shell: { 'make *': 'allow' } } } })
  const trust = trustAll(load())
  const file = join(repo, 'deckhand.json')
  const how = '"deckhand permission trust" shows what it would allow, and asks you.'
  writeFileSync(file, '{ "permission": { "shell": { "make *": "allow", "rm *": "allow" } } }')
  const changed = load('.', {}, trust)
  assert.equal(changed.rules.findLast(({ source }) => source === 'project')?.action, 'ask')
  assert.equal(
    changed.notices.at(-1),
    `${file}: it has changed since you trusted it on 2026-05-01; these lines are new: allow shell: "rm *". ${how}`,
  )
  writeFileSync(file, '{ "permission": { "shell": { "make *": "allow" } }, "limits": { "maxSteps": 5 } }')
  assert.equal(
    load('.', {}, trust).notices.at(-1),
    `${file}: it has changed since you trusted it on 2026-05-01, though it allows nothing new. ${how}`,
  )
  const never = trustAll(load(), 'never')
  assert.equal(load('.', {}, never).notices.length, 1)
  assert.equal(load('.', {}, never).rules.at(-1)?.action, 'ask')
})

test('core.rules: a mode that the person has set is the bound also for a project that they trust', t => {
  const { load } = createSetting(t, {
    [own]: { mode: 'ask' },
    'repo/deckhand.json': { mode: 'auto', permission: 'allow' },
  })
  const { config, notices } = load('.', {}, trustAll(load()))
  assert.equal(config.mode, 'ask')
  assert.match(notices[0] ?? '', /"mode": "auto" is not taken from a project's file, as it is looser than "ask"/)
})

test("core.rules: an agent's rules come after all others, the user's before the project's, and the user's deny holds", t => {
  const { load } = createSetting(t, {
    [own]: {
      permission: { shell: { 'make *': 'deny' } },
      agent: {
        build: { permission: { bash: { 'git *': 'allow', 'rm *': 'deny' } } },
        review: { permission: { edit: 'deny' } },
      },
    },
    'repo/deckhand.json': {
      agent: { build: { permission: { bash: { 'rm *': 'allow', 'make *': 'allow', 'ls *': 'allow' } } } },
    },
  })
  const { rules, agentRules } = load('.', {}, trustAll(load()))
  const judge = (name: string, part: PermissionPart) =>
    evaluateQuestion({ parts: [part] }, [...rules, ...(agentRules.get(name) ?? [])], 'ask').action
  assert.deepEqual(
    ['git x', 'rm x', 'make x', 'ls'].map(command => judge('build', shellPart(command))),
    ['allow', 'deny', 'deny', 'allow'],
  )
  const write: PermissionPart = { permission: 'edit', pattern: 'a', effect: 'write' }
  assert.deepEqual(
    ['build', 'review'].map(name => judge(name, write)),
    ['ask', 'deny'],
  )
})

test("an agent's rules are checked as all others are, and the place of what is wrong is told", t => {
  const { load, repo } = createSetting(t, {
    'repo/deckhand.json': '{ "agent": { "build": {\n"permission": { "shel": "ask",\n"edit": { "a": "perhaps" } } } } }',
  })
  assert.throws(() => load(), {
    name: 'ConfigError',
    message: new RegExp(
      `^${repo}/deckhand\\.json can't be used:\n {2}agent\\.build\\.permission\\.shel is no permission\\. .* \\(line 2\\)\n {2}agent\\.build\\.permission\\.edit\\["a"\\] must be .* \\(line 3\\)$`,
    ),
  })
})
