// The smaller commands as a person uses them: help, completion, doctor, models, permission. The built program.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openSqliteStore } from '@deckhand/store'
import { startModelServer } from '../model-server/model-server.ts'
import { createTestFolder, program, runDeckhand, startProgram } from './deckhand-process.ts'

function prepare(t: TestContext) {
  const folder = createTestFolder()
  t.after(folder.remove)
  const deckhand = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runDeckhand(args, { ...folder.options, env: { ...folder.options.env, ...env } })
  return { folder, deckhand }
}

const commands = [
  ['run'],
  ['demo'],
  ['mcp'],
  ['session', 'list'],
  ['session', 'show'],
  ['session', 'export'],
  ['session', 'import'],
  ['session', 'delete'],
  ['models'],
  ['config', 'show'],
  ['config', 'check'],
  ['config', 'schema'],
  ['permission', 'list'],
  ['permission', 'allow'],
  ['permission', 'deny'],
  ['permission', 'revoke'],
  ['permission', 'trust'],
  ['permission', 'untrust'],
  ['permission', 'log'],
  ['doctor'],
  ['completion'],
]

test('each command has its help, which fits into 80 columns and names the command', async t => {
  const { deckhand } = prepare(t)
  for (const command of [[], ...commands]) {
    const { code, stdout, stderr } = await deckhand([...command, '--help'])
    assert.deepEqual([code, stderr], [0, ''], command.join(' '))
    assert.ok(stdout.startsWith(['Usage: deckhand', ...command].join(' ')), stdout)
    for (const line of stdout.split('\n')) assert.ok(line.length <= 80, `${command.join(' ')}: ${line}`)
  }
})

test('the top help lists every command, and run tells its exit codes', async t => {
  const { deckhand } = prepare(t)
  const { stdout } = await deckhand(['--help'])
  for (const [name] of commands) assert.match(stdout, new RegExp(`^ {2}${name} .*\\w`, 'm'))
  assert.match(
    (await deckhand(['run', '--help'])).stdout,
    /Exit codes: 0 done; 1 failed; 2 wrong usage or configuration; 3 a question could\nnot be answered; 4 time or step limit; 130 interrupted\./,
  )
})

test('a wrong command line is told in a line, with a close name where there is one, and ends with 2', async t => {
  const { deckhand } = prepare(t)
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['sesion', 'list'], /^deckhand: unknown command 'sesion'\n\(Did you mean session\?\)\n$/],
    [['session', 'lst'], /^deckhand: unknown command 'lst'\n\(Did you mean list\?\)\n$/],
    [['models', '--jsn'], /^deckhand: unknown option '--jsn'\n\(Did you mean --json\?\)\n$/],
    [['session', 'show'], /^deckhand: missing required argument 'id'\n$/],
    [['session', 'list', '--limit', '0'], /It must be a whole number above 0\.\n$/],
    [
      ['session', 'list', '-C', 'none'],
      /^deckhand: There is no folder \S+\/none\. Make it first, or name another with --dir\.\n$/,
    ],
    [['completion', 'tcsh'], /Allowed choices are bash, zsh, fish\.\n$/],
    [['permission', 'revoke'], /^deckhand: missing required argument 'id'\n$/],
  ]
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await deckhand(args)
    assert.deepEqual([code, stdout], [2, ''], args.join(' '))
    assert.match(stderr, message)
  }
})

/** What bash offers when Tab is pressed after these words; the last one is the one being typed. */
function completeInBash(script: string, words: readonly string[]): readonly string[] {
  const driver = `${script}
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_deckhand
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { status, stdout, stderr } = spawnSync('bash', ['-c', driver, 'bash', ...words], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout.split('\n').filter(word => word !== '')
}

test('bash completes commands and options from the script', async t => {
  const { deckhand } = prepare(t)
  const { code, stdout: script } = await deckhand(['completion', 'bash'])
  assert.equal(code, 0)
  assert.match(script, /^complete -o default -F _deckhand deckhand$/m)
  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [['deckhand', 'se'], ['session']],
    [
      ['deckhand', 'session', ''],
      ['list', 'show', 'export', 'import', 'delete', '--help'],
    ],
    [
      ['deckhand', 'session', 'list', '--'],
      ['--json', '--dir', '--limit', '--help'],
    ],
    [['deckhand', 'session', 'list', '--json', '--d'], ['--dir']],
    [
      ['deckhand', 'run', '--mo'],
      ['--mode', '--model'],
    ],
    [
      ['deckhand', 'run', 'session', '--fo'],
      ['--format', '--fork'],
    ],
    // Nothing of ours fits: bash falls back to files.
    [['deckhand', 'session', 'import', 'my-sess'], []],
  ]
  for (const [words, expected] of cases) assert.deepEqual(completeInBash(script, words), expected, words.join(' '))
  const top = completeInBash(script, ['deckhand', ''])
  for (const [name = ''] of commands) assert.ok(top.includes(name), name)
})

test('zsh gets the same through its bash completion, and fish a line per word', async t => {
  const { deckhand } = prepare(t)
  const bash = (await deckhand(['completion', 'bash'])).stdout
  const zsh = (await deckhand(['completion', 'zsh'])).stdout
  assert.equal(zsh, `#compdef deckhand\nautoload -U +X bashcompinit && bashcompinit\n${bash}`)
  const fish = (await deckhand(['completion', 'fish'])).stdout
  for (const line of [
    "complete -c deckhand -n '__fish_use_subcommand' -a doctor -d 'check Node, shell, ripgrep, git, sandbox, model and data folder'",
    "complete -c deckhand -n '__fish_seen_subcommand_from session; and not __fish_seen_subcommand_from list show export import delete' -a list -d 'all sessions, the last changed first'",
    "complete -c deckhand -n '__fish_seen_subcommand_from session; and __fish_seen_subcommand_from list' -l json -d 'as JSON'",
    "complete -c deckhand -n '__fish_seen_subcommand_from run' -l verbose -d 'print the model\\'s thoughts too'",
  ]) {
    assert.ok(fish.split('\n').includes(line), `${line}\nis not in\n${fish}`)
  }
})

interface Check {
  readonly name: string
  readonly status: string
  readonly found: string
  readonly fix?: string
}

async function diagnose(t: TestContext, env: Readonly<Record<string, string>> = {}, setUp?: (home: string) => void) {
  const { folder, deckhand } = prepare(t)
  setUp?.(folder.home)
  const { code, stdout, stderr } = await deckhand(['doctor', '--json'], env)
  assert.equal(stderr, '')
  const checks: readonly Check[] = JSON.parse(stdout)
  const find = (name: string) => checks.find(check => check.name === name)
  return { folder, code, checks, find }
}

test('doctor says what is there, a line each; what is only missing is no failure', async t => {
  const { folder, deckhand } = prepare(t)
  folder.configure({ model: 'work/coder', provider: { work: localProvider('http://127.0.0.1:9/v1') } })
  const { code, stdout } = await deckhand(['doctor'])
  assert.equal(code, 0, stdout)
  const lines = stdout.split('\n')
  assert.deepEqual(
    lines.filter(line => /^\S/.test(line)).map(line => line.replace(/^. /, '').split(' ')[0]),
    ['node', 'shell', 'ripgrep', 'git', 'sandbox', 'config', 'secrets', 'model', 'data'],
  )
  assert.match(stdout, /^✓ node {5}v\d+\.\d+\.\d+ \(deckhand \S+, \S+\)$/m)
  assert.match(stdout, /^✓ shell {4}GNU bash, /m)
  assert.match(stdout, /^(✓ sandbox {2}bubblewrap \(|– sandbox {2}none: )/m)
  assert.match(stdout, /^✓ ripgrep {2}ripgrep \d/m)
  assert.match(stdout, new RegExp(`^✓ config {3}${folder.home}/deckhand\\.jsonc$`, 'm'))
  assert.match(stdout, /^✓ model {4}work\/coder \(.+\)$/m)
  assert.match(stdout, new RegExp(`^✓ data {5}${folder.home}/data \\(0 sessions\\)$`, 'm'))
})

test('core.shell_env: doctor tells which credentials are kept from commands, and a command does not get them', async t => {
  const { folder, deckhand } = prepare(t)
  const env = { GH_TOKEN: 'kept', DB_URL: 'postgres://app:hunter2@db.example/app', NPM_TOKEN: 'wanted', EDITOR: 'vi' }
  folder.configure({ shell: { allowEnvironment: ['NPM_*'] } })
  const doctor = await deckhand(['doctor'], env)
  assert.match(
    doctor.stdout,
    /^✓ secrets {2}kept from commands, as they look like credentials: DB_URL, GH_TOKEN\n {11}To hand one to commands, name it in "shell\.allowEnvironment"\.$/m,
  )
  const call = { shell: { command: 'echo "<$GH_TOKEN> <$DB_URL> <$NPM_TOKEN>"' } }
  const model = folder.script([{ call }, { say: 'done' }])
  const { stdout } = await deckhand(['run', '--auto', '--format', 'json', '--model', model, 'go'], env)
  assert.match(stdout, /<> <> <wanted>/)
  assert.doesNotMatch(stdout, /hunter2/)
})

const localProvider = (baseURL: string) => ({
  npm: '@ai-sdk/openai-compatible',
  options: { baseURL },
  models: { coder: { limit: { context: 32_000, output: 4_000 } } },
})

test('core.sandbox: doctor tells whether there is a sandbox, why not, and what takes its place', async t => {
  const { folder, deckhand } = prepare(t)
  folder.configure({ sandbox: { enabled: false } })
  const { code, stdout } = await deckhand(['doctor'])
  assert.equal(code, 0)
  assert.match(
    stdout,
    /^– sandbox {2}none: it is turned off by "sandbox\.enabled"\n {11}Commands run as you would run them, and mode "ask" takes the place of "workspace"\. Set "sandbox\.enabled" to true\.$/m,
  )
})

test('doctor tells a missing shell as broken, and missing git as missing, each with a fix', async t => {
  const { code, find } = await diagnose(t, { PATH: '/nowhere' })
  assert.equal(code, 1)
  assert.deepEqual(find('shell'), {
    name: 'shell',
    status: 'broken',
    found: 'bash is not on PATH',
    fix: 'Install bash: commands run in it.',
  })
  assert.deepEqual(find('git'), {
    name: 'git',
    status: 'missing',
    found: 'git is not on PATH',
    fix: 'Install git, unless you work without it.',
  })
})

test('doctor tells a shell that is there and does not run', async t => {
  const { folder, deckhand } = prepare(t)
  const bash = folder.write('bin/bash', '#!/bin/sh\necho cannot >&2\nexit 3\n')
  chmodSync(bash, 0o755)
  const { code, stdout } = await deckhand(['doctor'], { PATH: `${dirname(bash)}:${process.env.PATH}` })
  assert.equal(code, 1)
  assert.match(
    stdout,
    /^✗ shell {4}bash does not run: [\s\S]*?cannot[\s\S]*?\n {11}Install bash: commands run in it\.$/m,
  )
})

test('doctor tells a missing ripgrep', async t => {
  const { folder } = prepare(t)
  const copy = join(folder.path, 'copy')
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(dirname(program), '..', name), join(copy, name), { recursive: true })
  }
  const args = [join(copy, 'bin/deckhand.js'), 'doctor', '--json']
  const { code, stdout } = await startProgram(process.execPath, args, folder.options).exited
  assert.equal(code, 1)
  const ripgrep = (JSON.parse(stdout) as Check[]).find(({ name }) => name === 'ripgrep')
  assert.equal(ripgrep?.status, 'broken')
  assert.match(ripgrep?.found ?? '', /Cannot find module '@vscode\/ripgrep'/)
  assert.equal(
    ripgrep?.fix,
    'Install Deckhand again, with optional dependencies: glob and grep need the ripgrep that comes with it.',
  )
})

test('doctor tells a broken configuration with its line, and a model that is not there', async t => {
  const broken = await diagnose(t, {}, home => writeFileSync(join(home, 'deckhand.jsonc'), '{\n  "shel": {}\n}'))
  assert.equal(broken.code, 1)
  assert.equal(broken.find('config')?.status, 'broken')
  assert.match(broken.find('config')?.found ?? '', /shel is no option; did you mean shell\? \(line 2\)/)
  assert.equal(broken.find('config')?.fix, 'Mend the file; "deckhand config schema" tells what may stand in it.')

  const wrong = await diagnose(t, {}, home =>
    writeFileSync(join(home, 'deckhand.jsonc'), JSON.stringify({ model: 'antropic/claude' })),
  )
  assert.equal(wrong.code, 0)
  assert.equal(wrong.find('model')?.status, 'missing')
  assert.match(wrong.find('model')?.found ?? '', /^There is no provider "antropic"\. Close names: anthropic\./)
})

test('doctor tells a data folder that others can read, one that is a file, and a damaged database', async t => {
  const open = await diagnose(t, {}, home => {
    mkdirSync(join(home, 'data'))
    chmodSync(join(home, 'data'), 0o755)
  })
  assert.equal(open.code, 1)
  const data = join(open.folder.home, 'data')
  assert.deepEqual(open.find('data'), {
    name: 'data',
    status: 'broken',
    found: `${data} (0 sessions): others can read it`,
    fix: `chmod 700 ${data}`,
  })

  const file = await diagnose(t, {}, home => writeFileSync(join(home, 'data'), ''))
  assert.equal(file.code, 1)
  assert.equal(file.find('data')?.status, 'broken')
  assert.equal(
    file.find('data')?.fix,
    'Make the folder yours and writable, or choose another place with DECKHAND_HOME.',
  )

  const damaged = await diagnose(t, {}, home => {
    mkdirSync(join(home, 'data'), { mode: 0o700 })
    writeFileSync(join(home, 'data/deckhand.db'), 'this is no database, and long enough to be read as one. '.repeat(40))
  })
  assert.equal(damaged.code, 1)
  assert.match(damaged.find('data')?.found ?? '', /deckhand\.db/)
})

test('core.providers: models lists what is configured, found by a key and served on this machine, and marks what is taken', async t => {
  const { folder, deckhand } = prepare(t)
  const server = await startModelServer({ models: ['tiny:1b', 'evil\u001b[2K\nname', 'nomic-embed-text'] })
  t.after(server.close)
  folder.configure({
    provider: {
      work: localProvider('http://127.0.0.1:9/v1'),
      away: {
        ...localProvider('http://127.0.0.1:9/v1'),
        options: { baseURL: 'http://x/v1', apiKey: '{env:AWAY_KEY}' },
      },
    },
  })
  const env = { OLLAMA_HOST: server.url, ANTHROPIC_API_KEY: 'sk-secret' }
  const { code, stdout } = await deckhand(['models'], env)
  assert.equal(code, 0)
  assert.match(stdout, /^\* work\/coder +provider\.work in the configuration; 32,000 tokens$/m)
  assert.match(
    stdout,
    /^ {2}away\/coder +provider\.away in the configuration; 32,000 tokens; not usable: AWAY_KEY is not set$/m,
  )
  assert.match(stdout, /^ {2}anthropic\/\S+ +ANTHROPIC_API_KEY$/m)
  assert.match(stdout, new RegExp(`^ {2}ollama/tiny:1b +Ollama on ${server.url}/v1$`, 'm'))
  assert.match(stdout, /^ {2}ollama\/evil ⏎ name +Ollama on/m)
  assert.doesNotMatch(stdout, /embed|sk-secret/)

  const listed: readonly { model: string; isDefault: boolean }[] = JSON.parse(
    (await deckhand(['models', '--json'], env)).stdout,
  )
  assert.deepEqual(
    listed.filter(({ isDefault }) => isDefault).map(({ model }) => model),
    ['work/coder'],
  )
})

async function approve(home: string, directory: string, pattern: string): Promise<string> {
  const store = await openSqliteStore({ file: join(home, 'data/deckhand.db') })
  try {
    const { id } = await store.addApproval({
      permission: 'shell',
      pattern,
      action: 'allow',
      scope: 'project',
      subject: directory,
      createdAt: Date.UTC(2026, 4, 1, 12, 30),
      createdBy: 'terminal',
    })
    return id
  } finally {
    await store.close()
  }
}

test('core.always: what was approved is listed with scope, time and who, holds in this folder, and is revoked', async t => {
  const { folder, deckhand } = prepare(t)
  const { home, workspace } = folder
  const none = await deckhand(['permission', 'list'])
  assert.equal(none.code, 0)
  assert.match(
    none.stdout,
    /\n\nNothing has been stored for this folder by "always" or "deckhand permission allow"\.\n$/,
  )

  const id = await approve(home, workspace, 'touch *')
  const listed = await deckhand(['permission', 'list'])
  assert.ok(
    listed.stdout.endsWith(
      `\nStored, and after all rules:\n  ${id}  allow shell: touch *  (project ${workspace}; terminal, 2026-05-01 12:30)\n`,
    ),
    listed.stdout,
  )
  const list = async () => JSON.parse((await deckhand(['permission', 'list', '--json'])).stdout)
  assert.equal((await list()).approvals[0].pattern, 'touch *')

  const run = () =>
    deckhand([
      'run',
      '--mode',
      'ask',
      '--model',
      folder.script([{ call: { shell: { command: 'touch made' } } }, { say: 'ok' }]),
      'go',
    ])
  assert.equal((await run()).code, 0)
  const revoked = await deckhand(['permission', 'revoke', id, 'none'])
  assert.deepEqual(
    [revoked.code, revoked.stdout, revoked.stderr],
    [
      2,
      `Revoked ${id}\n`,
      'deckhand: There is no approval none. "deckhand permission list" shows those that there are.\n',
    ],
  )
  assert.equal((await run()).code, 3)
  assert.deepEqual((await list()).approvals, [])
})

test('core.always: a pattern of foreign text is listed on one line, without control characters', async t => {
  const { folder, deckhand } = prepare(t)
  const id = await approve(folder.home, folder.workspace, 'echo \u001b[2K\nforged  allow shell: rm *')
  const { stdout } = await deckhand(['permission', 'list'])
  assert.deepEqual(
    stdout.split('\n').filter(line => line.includes('rm *')),
    [
      `  ${id}  allow shell: echo ⏎ forged  allow shell: rm *  (project ${folder.workspace}; terminal, 2026-05-01 12:30)`,
    ],
  )
})

const hasTerminal = spawnSync('script', ['--version']).status === 0

test('core.always: "always" at a terminal holds from then on in the project', {
  skip: hasTerminal ? false : 'there is no program "script" here, which makes a terminal',
}, async t => {
  const { folder, deckhand } = prepare(t)
  const model = folder.script([
    { call: { shell: { command: 'touch one.txt' } } },
    { call: { shell: { command: 'touch two.txt' } } },
    { say: 'Both made.' },
  ])
  const command = `'${process.execPath}' '${program}' run --mode ask --model '${model}' go`
  const terminal = startProgram('script', ['-qec', command, '/dev/null'], { ...folder.options, stdinAs: 'pipe' })
  await terminal.until(/\[p\] project/)
  terminal.child.stdin?.write('p\r')
  const { code, stdout } = await terminal.exited
  assert.equal(code, 0, stdout)
  assert.match(stdout, /\? touch one\.txt: allowed always \(project\)/)
  assert.equal(stdout.split('[y] once').length - 1, 1, stdout)
  const { approvals } = JSON.parse((await deckhand(['permission', 'list', '--json'])).stdout)
  assert.deepEqual(
    approvals.map(({ pattern, scope, subject, createdBy }: Record<string, string>) => [
      pattern,
      scope,
      subject,
      createdBy,
    ]),
    [['touch *', 'project', folder.workspace, 'terminal']],
  )
})
