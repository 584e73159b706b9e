import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { builtinRules, evaluateQuestion, offerAlways, type PermissionPart, parseRules } from '@deckhand/core'
import fc from 'fast-check'
import { createWorkspace } from '../workspace/workspace.ts'
import { assessCommand } from './assess-command.ts'
import { createTestWorld } from './test-world.ts'

const world = createTestWorld()

function assess(command: string): Promise<readonly PermissionPart[]> {
  return assessCommand(command, { ...world, cwd: '/work/proj', shell: 'bash' })
}

function decide(parts: readonly PermissionPart[], section: unknown = {}, mode: 'ask' | 'auto' | 'plan' = 'ask') {
  return evaluateQuestion({ parts }, [...builtinRules, ...parseRules(section, { source: 'user' })], mode)
}

function shellPatterns(parts: readonly PermissionPart[]): readonly string[] {
  return parts.filter(part => part.permission === 'shell').map(part => part.pattern)
}

test('core.preflight: each simple command of a compound one is a part, with its words after quote removal', async () => {
  const parts = await assess('cd src && r""m -rf \'a b\' | tee log; (git  push) & X=1 timeout 5 make all > out')
  assert.deepEqual(shellPatterns(parts), [
    'cd src',
    'rm -rf a b',
    'tee log',
    'git push',
    'make all',
    'timeout 5 make all',
  ])
})

test('shell.safe_classification: B068: with no rules at all, a mix is asked for what it removes', async () => {
  const verdict = decide(await assess('rm -rf ./a && ls | head -1; echo done'))
  assert.equal(verdict.action, 'ask')
  assert.deepEqual(
    verdict.parts.filter(part => part.action === 'ask').map(part => part.part.pattern),
    ['rm -rf ./a'],
  )
})

test('shell.safe_classification: B067: the second command is judged whatever stands between', async () => {
  for (const between of ['; ', ' && ', '\n', ' |& ', ' & ']) {
    const parts = await assess(`git log -1${between}touch /tmp/pwned`)
    assert.equal(decide(parts, { shell: { 'git log *': 'allow' } }).action, 'ask', between)
  }
})

test('shell.safe_classification: B096: backticks in double quotes are asked by the name of what would run', async () => {
  const verdict = decide(await assess('git commit -m "vendor `--target-dir` for docs"'), {
    shell: { 'git commit *': 'allow' },
  })
  assert.deepEqual(
    verdict.parts.filter(part => part.action === 'ask').map(part => part.part.pattern),
    ['--target-dir'],
  )
})

test('shell.safe_classification: B108: a substitution is judged by its inner command, and runs in mode auto', async () => {
  const parts = await assess('make $(git merge-base main HEAD)')
  assert.deepEqual(shellPatterns(parts), ['git merge-base main HEAD', 'make $(git merge-base main HEAD)'])
  assert.equal(decide(parts).action, 'ask')
  assert.equal(decide(parts, {}, 'auto').action, 'allow')
})

test('shell.safe_classification: B086: an allow does not cancel a deny, and jq does not print the environment unasked', async () => {
  const section = { shell: { 'jq *': 'allow', 'rm *': 'deny' } }
  assert.equal(decide(await assess('jq -n env; rm -rf x'), section).action, 'deny')
  assert.equal(decide(await assess("jq -n '$ENV'"), section).action, 'ask')
  assert.equal(decide(await assess("jq '.env | {env: .a}' x.json"), section).action, 'allow')
})

test('shell.safe_classification: B094: rules about reading and editing hold for the shell too, and secrets are asked', async () => {
  const deny = { read: { '.env': 'deny', '*/.env': 'deny' }, edit: { 'src/*': 'deny' }, shell: 'allow' }
  for (const command of ['cat .env', 'grep . .env', 'cat .e""nv', 'head -5 < .env', 'sort src/../.env']) {
    assert.equal(decide(await assess(command), deny).action, 'deny', command)
    assert.equal(decide(await assess(command), { shell: 'allow' }).action, 'ask', command)
  }
  for (const command of ['echo x > src/a.ts', 'sed -i s/a/b/ src/a.ts', 'cp a src/a.ts', 'git show | tee src/a.ts']) {
    assert.equal(decide(await assess(command), deny).action, 'deny', command)
  }
})

test('shell.workspace_boundary: B073: a rule that allows the program does not allow the folder outside', async () => {
  for (const command of ['ls ~', 'cat /etc/hosts']) {
    const parts = await assess(command)
    assert.equal(decide(parts, { shell: { 'ls*': 'allow', 'cat *': 'allow' } }).action, 'ask', command)
    assert.equal(decide(parts, { shell: 'allow', external_directory: 'allow' }).action, 'allow', command)
  }
})

test('shell.workspace_boundary: paths are judged by where they really lead, on a real disk', async t => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-assess-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [project, other] = [join(root, 'proj'), join(root, 'other')]
  for (const folder of [project, other, join(project, 'src')]) mkdirSync(folder)
  writeFileSync(join(other, 'secret'), 'x')
  symlinkSync(other, join(project, 'link'))
  symlinkSync('src', join(project, 'inner'))
  const workspace = createWorkspace({ directory: project, home: join(root, 'home') })
  const externals = async (command: string) => {
    const parts = await assessCommand(command, { cwd: project, workspace, home: join(root, 'home'), shell: 'bash' })
    return parts.filter(part => part.permission === 'external_directory').map(part => part.pattern)
  }
  assert.deepEqual(await externals('cat link/secret'), [`${other}/*`])
  assert.deepEqual(await externals('cat l*/secret'), [`${other}/*`])
  assert.deepEqual(await externals('cat link/../proj/src/a'), [])
  assert.deepEqual(await externals('cat link/../elsewhere'), [`${root}/*`])
  assert.deepEqual(await externals('cd link && ls'), [`${other}/*`])
  assert.deepEqual(await externals('cat inner/../src/a src/* inner/*'), [])
  assert.deepEqual(await externals(`echo x > ${other}/new`), [`${other}/*`])
})

test('shell.safe_classification: B094: a pattern that names a secret, or a denied file, is judged by the files that it names', async () => {
  const files = createTestWorld({ files: ['/work/proj/.env', '/work/proj/src/a.ts', '/work/proj/src/b.ts'] })
  const judge = async (command: string, section: unknown) =>
    decide(await assessCommand(command, { ...files, cwd: '/work/proj', shell: 'bash' }), section).action
  assert.equal(await judge('cat .e*', { shell: 'allow' }), 'ask')
  assert.equal(await judge('cat src/*', { shell: 'allow', read: { 'src/b.ts': 'deny' } }), 'deny')
  assert.equal(await judge('cat src/a*', { shell: 'allow', read: { 'src/b.ts': 'deny' } }), 'allow')
})

test('core.rules: a function that may not be there does not hide the program of its name', async () => {
  for (const command of [
    'if false; then rm() { :; }; fi; rm -rf x',
    'rm() { :; }; unset -f rm; rm -rf x',
    '(rm() { :; }); rm -rf x',
  ]) {
    assert.equal(
      decide(await assess(command), { shell: { '*': 'allow', 'rm *': 'deny' } }, 'auto').action,
      'deny',
      command,
    )
  }
})

test('shell.workspace_boundary: an external folder is offered for good, but not one that holds the workspace or the home folder', async () => {
  const always = async (command: string) =>
    (await assess(command)).filter(part => part.permission === 'external_directory').map(part => part.always)
  assert.deepEqual(await always('cat /etc/hosts'), [['/etc/*']])
  assert.deepEqual(await always('cat ../x'), [undefined])
  assert.deepEqual(await always('cat ~/x'), [undefined])
  assert.deepEqual(await always('ls /'), [undefined])
})

test('core.always: the narrowest useful pattern is offered; what destroys, or is not known, only as it stands', async () => {
  const offered: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['git checkout main', ['git checkout *']],
    ['npm run build -- --watch', ['npm run build *']],
    ['npm test', ['npm test *']],
    ['docker compose up -d', ['docker compose up *']],
    ['python3 -m pytest -q', ['python3 -m pytest *']],
    ['python3 script.py --x', ['python3 script.py *']],
    ['cargo test --lib', ['cargo test *']],
    ['gh pr view 12', ['gh pr view *']],
    ['./run.sh a', ['./run.sh a']],
    ['rm -rf ./tmp', ['rm -rf ./tmp']],
    ['rm *.tmp', undefined],
    ['chmod 600 x', ['chmod 600 x']],
    ['git push --force origin main', ['git push --force origin main']],
    ['git reset --hard', ['git reset --hard']],
    ['git -C src checkout main', ['git -C src checkout main']],
    ['docker run --rm alpine true', ['docker run --rm alpine true']],
    ['frobnicate --all', ['frobnicate --all']],
    ['make "$x"', undefined],
    ['bash -c "$x"', undefined],
  ]
  for (const [command, always] of offered) {
    const part = (await assess(command)).filter(each => each.permission === 'shell').at(-1)
    assert.deepEqual(part?.always, always, command)
  }
})

test('core.always: B090: approving a line for good approves nothing that was not shown', async () => {
  const verdict = decide(await assess('git fetch && rm -rf ./tmp'))
  const rules = offerAlways(verdict).map(rule => ({ ...rule, action: 'allow' as const, source: 'session' as const }))
  assert.deepEqual(
    rules.map(rule => rule.pattern),
    ['git fetch *', 'rm -rf ./tmp'],
  )
  const after = async (command: string) =>
    evaluateQuestion({ parts: await assess(command) }, [...builtinRules, ...rules], 'ask').action
  assert.equal(await after('git fetch && rm -rf ./tmp'), 'allow')
  assert.equal(await after('rm -rf ./other'), 'ask')
})

const everyday = fc.constantFrom(
  ...[
    'git checkout main',
    'npm run build',
    'make all',
    'cat /etc/hosts',
    'cp a b',
    'ls | tee x',
    'node a.js',
    'rm -rf x',
    'go test ./...',
    'cd /tmp && ls',
    'curl https://h/x',
    'docker ps',
    'echo x > y',
    'tar czf a.tgz src',
    './x.sh',
    'timeout 5 npm test',
    'find . -exec touch {} +',
    'mkdir a',
    'X=1 make',
    'git add -A',
  ],
)

test('core.always: a stored rule always answers the question that made it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(everyday, { minLength: 1, maxLength: 4 }), async commands => {
      const parts = await assess(commands.join('; '))
      const verdict = decide(parts)
      const rules = offerAlways(verdict).map(rule => ({
        ...rule,
        action: 'allow' as const,
        source: 'session' as const,
      }))
      const again = evaluateQuestion({ parts }, [...builtinRules, ...rules], 'ask')
      const left = again.parts.filter(part => part.action !== 'allow' && !part.part.floor && part.part.always)
      assert.deepEqual(left, [])
    }),
    { numRuns: 200 },
  )
})

test('shell.safe_classification: what can not be parsed, is too long, too deep or empty is asked, and never offered for good', async () => {
  const texts = [
    'echo "x',
    'ls ;; ls',
    'ls )',
    'echo hi\0',
    '',
    '  \n',
    '# only a comment',
    `echo ${'a'.repeat(140_000)}`,
    '('.repeat(200),
    'cat <<EOF\nx',
  ]
  for (const text of texts) {
    const verdict = decide(await assess(text), { '*': 'allow' })
    assert.equal(verdict.action, 'ask', JSON.stringify(text.slice(0, 40)))
    assert.deepEqual(offerAlways(verdict), [])
  }
})

test('core.rules: what is denied is denied in a text that can not be parsed, in mode auto too', async () => {
  for (const text of [
    'rm -rf x\necho "unfinished',
    'sudo rm x; echo (',
    `rm x; ${'true;'.repeat(30_000)}`,
    `${'ls f;'.repeat(9000)} /bin/rm x`,
  ]) {
    assert.equal(decide(await assess(text), { shell: { 'rm *': 'deny' } }, 'auto').action, 'deny', text.slice(0, 30))
  }
})

test('core.rules: plan mode runs what only reads, and nothing else', async () => {
  assert.equal(decide(await assess('git log -3 | head; ls src && wc -l < a'), {}, 'plan').action, 'allow')
  for (const command of ['npm test', 'ls > out', 'ls; touch x', 'cat "$x"', '{ ls; } > out', 'git branch x']) {
    assert.equal(decide(await assess(command), { shell: 'allow' }, 'plan').action, 'deny', command)
  }
})

test('shell.safe_classification: hostile input is answered soon, and never laxer than ask', async () => {
  const texts = [
    `${'('.repeat(20_000)}ls${')'.repeat(20_000)}`,
    `echo ${'a'.repeat(1 << 20)}`,
    Array.from({ length: 10_000 }, (_, index) => `cat ../f${index}`).join(';'),
    Array.from({ length: 10_000 }, (_, index) => `make t${index}`).join(';'),
    `echo ${'$('.repeat(5000)}ls${')'.repeat(5000)}`,
    `echo ${'`'.repeat(9999)}`,
    `echo $((${'1+'.repeat(20_000)}x))`,
    Array.from({ length: 30 }, (_, index) => `f${index}() { f${index - 1}; f${index - 1}; cd ..; }`).join('\n'),
    `${'for a in 1 2; do '.repeat(30)}cd ..; ${'done; '.repeat(30)}`,
    `ls ${Array.from({ length: 15_000 }, (_, index) => `../f${index}`).join(' ')}`,
    Array.from({ length: 3000 }, (_, index) => `x${index}=$x${index - 1}; echo $((x${index}))`).join('\n'),
  ]
  for (const text of texts) {
    const started = performance.now()
    const verdict = decide(await assess(text))
    assert.notEqual(verdict.action, 'allow', text.slice(0, 40))
    // Far above what it takes (bench/ measures that), as the machine may be busy.
    assert.ok(performance.now() - started < 5000, text.slice(0, 40))
  }
})

test('shell.safe_classification: mutated commands are answered with at least one part, and never throw', async () => {
  const pieces = fc.constantFrom(
    ...[
      'ls',
      'rm x',
      '$(',
      ')',
      '`',
      '"',
      "'",
      '{',
      '}',
      '|',
      '&&',
      ';',
      '\n',
      '<<E\n',
      '\nE\n',
      '$x',
      '${',
      '[[',
      ']]',
      '((',
      '))',
      'if',
      'then',
      'fi',
      'for f in',
      'do',
      'done',
      'case a in',
      'esac',
      '> f',
      '<(',
      'f()',
      '*',
      '~',
      '\\',
      '#',
      '=',
      'sed s/a/b/',
      'git -c',
      'xargs',
      'find . -exec',
      'eval',
      '{a,b}',
      '$((',
      'awk',
      '-c',
    ],
  )
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 14 }), fc.constantFrom('', ' '), async (list, glue) => {
      const parts = await assess(list.join(glue))
      assert.ok(parts.length > 0)
    }),
    { numRuns: 1500 },
  )
})

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Ways to put a command into another one. The simple ones need a simple command. */
const simpleWays: readonly ((command: string) => string)[] = [
  c => `env A=1 ${c}`,
  c => `timeout -k 1 5 ${c}`,
  c => `nice -n 5 ${c}`,
  c => `nohup ${c}`,
  c => `command -p ${c}`,
  c => `find . -name x -exec ${c} {} +`,
  c => `echo a | xargs -n1 ${c}`,
  c => `${c} > out`,
  c => `time ${c}`,
  c => `coproc ${c}`,
]
const ways: readonly ((command: string) => string)[] = [
  c => `( ${c} )`,
  c => `{ ${c}\n}`,
  c => `true && ${c}`,
  c => `ls | { ${c}\n}`,
  c => `if true; then ${c}\nfi`,
  c => `while ${c}\ndo break; done`,
  c => `for i in 1; do ${c}\ndone`,
  c => `case a in *) ${c}\n;; esac`,
  c => `echo "$(${c}\n)"`,
  c => `x=$(${c}\n)`,
  c => `diff <(${c}\n) y`,
  c => `f() { ${c}\n}; f`,
  c => `sh -c ${quote(c)}`,
  c => `eval ${quote(c)}`,
  c => `trap ${quote(c)} EXIT`,
  c => `bash <<< ${quote(c)}`,
  c => `bash -s <<'E_${c.length}'\n${c}\nE_${c.length}`,
  c => `cat <<F_${c.length}\n$(${c}\n)\nF_${c.length}`,
  c => `ls &\n${c} &`,
  c => `! ${c}`,
]

test('core.rules: a denied command is denied however it is wrapped', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...simpleWays), { maxLength: 2 }),
      fc.array(fc.constantFrom(...ways), { maxLength: 4 }),
      fc.constantFrom('', 'B=2 ', '> out ', '! '),
      async (inner, outer, start) => {
        const simple = start + inner.reduce((text, way) => way(text), 'rm -rf build')
        const command = outer.reduce((text, way) => way(text), simple)
        const verdict = decide(await assess(command), { shell: { '*': 'allow', 'rm *': 'deny' } }, 'auto')
        assert.equal(verdict.action, 'deny', command)
      },
    ),
    { numRuns: 600 },
  )
})
