// `deckhand permission test`: by hand, and with many cases, as a program from outside would use it.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createTestFolder, parseLines, runDeckhand } from './deckhand-process.ts'

function prepare(t: TestContext) {
  const folder = createTestFolder()
  t.after(folder.remove)
  const judge = (args: readonly string[], stdin?: string, env: Readonly<Record<string, string>> = {}) =>
    runDeckhand(['permission', 'test', ...args], {
      ...folder.options,
      env: { ...folder.options.env, ...env },
      ...(stdin !== undefined && { stdin }),
    })
  return { folder, judge }
}

test('core.rules: the verdict on a command is told with each part, its reason, what "always" would store, and what it would not get', async t => {
  const { folder, judge } = prepare(t)
  folder.configure({ permission: { shell: { 'git push *': 'deny', 'make *': 'allow' } } })
  const { code, stdout } = await judge(['make all; sudo git push | tee out'], undefined, { GH_TOKEN: 'x' })
  assert.equal(code, 0)
  assert.equal(
    stdout,
    `deny: make all; sudo git push | tee out

  allow  shell: make all       the rule shell: "make *" is allow (${folder.home}/deckhand.jsonc)
  deny   shell: git push       the rule shell: "git push *" is deny (${folder.home}/deckhand.jsonc)
  ask    shell: sudo git push  it runs with the rights of another user
  ask    shell: tee out        no rule allows it
  allow  edit: out             no rule is against it

mode: ask · only reads: no · network: yes
started by others:
  git push  (started by sudo)
"always" would store:
  shell: tee out
not handed to it, as they look like credentials:
  GH_TOKEN
`,
  )
})

test('core.rules: as JSON the verdict has the analysis with words, paths and what can not be known', async t => {
  const { judge } = prepare(t)
  const { stdout } = await judge(['cat $X ../a', '--json', '--mode', 'auto'])
  const { decision, external, analysis, parts } = JSON.parse(stdout)
  assert.equal(decision, 'allow')
  assert.ok(external.some((path: string) => path.endsWith('/a')))
  assert.deepEqual(analysis.commands[0].argv[0], { text: 'cat', known: true })
  assert.equal(analysis.commands[0].argv[1].known, false)
  assert.equal(parts[0].floor.action, 'ask')
})

test('core.rules: many cases are judged a line each, in order; a bad line says so and the rest goes on', async t => {
  const { folder, judge } = prepare(t)
  const rules = folder.write('rules.jsonc', '{ "permission": { "bash": { "*": "allow", "rm *": "deny", }, } } // mine')
  const lines = ['{"id":"a","command":"ls"}', '{"id":"b","command":"rm x"}', '', 'no json', '{"id":"c","command":7}']
  const more = [
    '{"id":"d","command":"make","rules":{"shell":"ask"}}',
    '{"id":"e","shell":"fish","command":"ls"}',
    '{"id":"f","command":"touch made; cat /etc/hosts"}',
    '{"id":"g","command":"ls","rules":{"shel":"ask"}}',
  ]
  const { code, stdout } = await judge(['--jsonl', '--rules', rules], [...lines, ...more].join('\n'))
  assert.equal(code, 1)
  assert.deepEqual(
    parseLines(stdout).map(({ id, decision, error }) => [id, decision ?? String(error).split(/[ :]/)[0]]),
    [
      ['a', 'allow'],
      ['b', 'deny'],
      [undefined, 'Unexpected'],
      ['c', '"command"'],
      ['d', 'ask'],
      ['e', '"fish"'],
      ['f', 'ask'],
      ['g', 'permission.shel'],
    ],
  )
  const outside = parseLines(stdout).find(({ id }) => id === 'f')
  assert.ok(outside?.external.includes('/etc/hosts') && outside.external.includes('/etc'))
  assert.equal(outside?.readOnly, false)
  assert.equal((await judge(['ls made'])).stdout.split('\n')[0], 'allow: ls made')
})

test('core.rules: what is asked for wrongly is told, and ends with 2', async t => {
  const { judge } = prepare(t)
  for (const [args, words] of [
    [[], /Give the command as one argument/],
    [['ls', '--jsonl'], /the commands come from standard input/],
    [['ls', '--shell', 'fish'], /"fish" is no shell that is known here/],
    [['ls', '--mode', 'wild'], /"wild" is no mode\. Use one of plan, ask, workspace, auto\./],
    [['ls', '--rules', 'missing.json'], /The rules could not be read: ENOENT/],
  ] as const) {
    const { code, stderr } = await judge(args)
    assert.equal(code, 2, stderr)
    assert.match(stderr, words)
  }
})

interface CorpusCase {
  readonly id: string
  readonly shell: string
  readonly command: string
  readonly ruleset: string
  readonly accept: readonly string[]
}

test('core.rules: the whole corpus is judged from outside as it is from inside', async t => {
  const { folder, judge } = prepare(t)
  const corpus = join(import.meta.dirname, '../permission-corpus')
  const rulesets = JSON.parse(readFileSync(join(corpus, 'rulesets.json'), 'utf8'))
  const cases: CorpusCase[] = readFileSync(join(corpus, 'cases.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  // The cases name their workspace by its path: what leads out of /work/proj leads out of this folder too.
  const workspace = join(folder.path, 'work/proj')
  mkdirSync(join(workspace, 'src'), { recursive: true })
  symlinkSync('/etc', join(workspace, 'link-etc'))
  symlinkSync('..', join(workspace, 'link-up'))
  const home = join(folder.path, 'home/dev')
  const localise = (command: string) =>
    command.replaceAll('/work/', `${folder.path}/work/`).replaceAll('/home/dev', home)
  const lines = cases.map(({ id, shell, command, ruleset }) =>
    JSON.stringify({ id, shell, command: localise(command), rules: rulesets[ruleset] }),
  )
  const { stdout } = await judge(['--jsonl', '--workspace', workspace, '--home', home], lines.join('\n'))
  const answers = parseLines(stdout)
  assert.equal(answers.length, cases.length)
  const strictness = ['allow', 'ask', 'deny']
  const laxer = cases.filter(({ accept }, index) => {
    const least = Math.min(...accept.map(each => strictness.indexOf(each)))
    return strictness.indexOf(String(answers[index]?.decision)) < least
  })
  assert.deepEqual(
    laxer.map(({ id }) => id),
    [],
  )
})

test('core.rules: PowerShell and cmd are judged in their own ways, and an installed PowerShell is asked too', async t => {
  const { folder, judge } = prepare(t)
  const decisions = async (...args: readonly string[]) => (await judge(args)).stdout.split('\n')[0]
  assert.equal(await decisions('gci | select -First 3', '--shell', 'powershell'), 'allow: gci | select -First 3')
  assert.equal(await decisions('dir /s', '--shell', 'cmd'), 'allow: dir /s')
  const pwsh = folder.write(
    'pwsh',
    '#!/bin/sh\ncat > /dev/null\necho \'{"errors":0,"commands":["gci","Remove-Item"]}\'\n',
  )
  chmodSync(pwsh, 0o755)
  const { stdout } = await judge(['gci', '--shell', 'powershell'], undefined, {
    PATH: `${folder.workspace}:${process.env.PATH}`,
  })
  assert.match(stdout, /^ask: gci\n[\s\S]*finds the command Remove-Item in it, which is not followed here/)
})
