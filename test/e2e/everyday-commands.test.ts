// A new user's session of thirty everyday commands: how often they are asked, in the modes workspace and ask.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type PermissionMode, type PermissionQuestion, ToolFailure } from '@deckhand/core'
import { createEverydaySession } from './everyday-session.ts'

const commands: readonly string[] = [
  'git status',
  'ls -la',
  'cat package.json',
  'grep -rn "TODO" src',
  'find . -name "*.js" -not -path "./node_modules/*"',
  'sed -n 1,20p src/app.js',
  'wc -l src/*.js',
  'head -5 README.md; tail -3 README.md',
  'node --version && npm --version',
  'npm test 2>&1 | tail -20',
  'npm run build',
  'git diff --stat',
  'mkdir -p src/lib && touch src/lib/util.js',
  "cat > src/lib/util.js <<'END'\nexport const twice = n => n * 2\nEND",
  'echo "// end" >> src/app.js',
  'python3 scripts/count.py src/app.js',
  'python3 -c "print(1 + 1)"',
  'make',
  'make test > /dev/null 2>&1; echo $?',
  'sed -i "s/one/two/" src/app.js',
  'git add -A',
  'git commit -m "Use `twice` in app: it\'s shorter"',
  'git log --oneline -5',
  'git checkout -b feature && git branch',
  'docker ps',
  'cp src/app.js src/app.bak && rm src/app.bak',
  'ps aux | head -3',
  'npm test > out.log 2>&1 || tail -5 out.log',
  'for f in src/*.js; do echo "$f"; done',
  'which node && date && pwd',
]

function prepare(t: TestContext): string {
  // Not in /tmp, which is another one in the sandbox.
  const place = process.getuid?.() === 0 ? '/var/lib' : homedir()
  const root = realpathSync(mkdtempSync(join(place, 'deckhand-everyday-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const files = {
    'package.json': JSON.stringify({
      name: 'app',
      type: 'module',
      scripts: { test: 'node --test', build: 'node scripts/build.js' },
    }),
    'README.md': '# App\n\nOne.\n\nTwo.\n',
    'src/app.js': '// TODO one\nexport const one = 1\n',
    'src/app.test.js': "import { test } from 'node:test'\nimport './app.js'\ntest('it loads', () => {})\n",
    'scripts/build.js': "import { writeFileSync } from 'node:fs'\nwriteFileSync('built.txt', 'built')\n",
    'scripts/count.py': 'import sys\nprint(len(open(sys.argv[1]).read()))\n',
    Makefile: 'all:\n\t@echo made > made.txt\ntest:\n\t@true\n',
    '.gitignore': 'out.log\n',
  }
  const workspace = join(root, 'app')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true })
    writeFileSync(join(workspace, name), content)
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, stdio: 'ignore' })
  git('init', '-q')
  git('config', 'user.name', 'Ann')
  git('config', 'user.email', 'ann@host.example')
  git('add', '-A')
  git('commit', '-qm', 'Begin')
  return root
}

interface Asked {
  readonly command: string
  readonly question: PermissionQuestion
}

async function runAll(
  t: TestContext,
  mode: PermissionMode,
): Promise<{ asked: Asked[]; failed: string[]; skip?: string }> {
  const root = prepare(t)
  const asked: Asked[] = []
  const failed: string[] = []
  let command = ''
  const session = await createEverydaySession(root, mode, question => {
    asked.push({ command, question })
    return { reply: 'always', by: 'Ann', scope: 'session' }
  })
  if (typeof session === 'string') return { asked, failed, skip: session }
  t.after(session.close)
  for (command of commands) {
    try {
      const { metadata, output } = await session.call(command)
      const isThere =
        !/^(docker|make|python3)\b/.test(command) || spawnSync('which', [command.split(' ')[0] ?? '']).status === 0
      if (metadata.exit !== 0 && isThere && !command.startsWith('docker')) failed.push(`${command}: ${output}`)
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error
      failed.push(`${command}: ${error.message}`)
    }
  }
  return { asked, failed }
}

const list = (asked: readonly Asked[]) =>
  asked.map(({ command, question }) => `${command}\n  ${question.title}`).join('\n')

test('core.rules: thirty everyday commands in mode workspace are asked for twice at most, and all of them work', async t => {
  const { asked, failed, skip } = await runAll(t, 'workspace')
  if (skip !== undefined) return t.skip(skip)
  t.diagnostic(`asked ${asked.length} times`)
  assert.deepEqual(failed, [])
  assert.ok(asked.length <= 2, list(asked))
})

test('core.always: in mode ask, with "always" each time, at most fifteen questions come, and none of them again', async t => {
  const { asked, failed } = await runAll(t, 'ask')
  t.diagnostic(`asked ${asked.length} times:\n${list(asked)}`)
  assert.deepEqual(failed, [])
  assert.ok(asked.length <= 15, list(asked))
  const patterns = asked.map(({ question }) =>
    question.parts.map(({ permission, pattern }) => `${permission} ${pattern}`).join('; '),
  )
  assert.equal(new Set(patterns).size, patterns.length, list(asked))
})

test('core.always: the same session once more, in mode ask, asks only for what can not be approved for good', async t => {
  const root = prepare(t)
  const asked: string[] = []
  const session = await createEverydaySession(root, 'ask', question => {
    asked.push(question.title)
    return { reply: 'always', by: 'Ann', scope: 'session' }
  })
  if (typeof session === 'string') return t.skip(session)
  t.after(session.close)
  for (const command of commands) await session.call(command).catch(() => undefined)
  const before = asked.length
  const repeated: string[] = []
  for (const command of commands) {
    const count = asked.length
    await session.call(command).catch(() => undefined)
    if (asked.length > count) repeated.push(command)
  }
  t.diagnostic(`${before} questions, then ${repeated.length}`)
  assert.deepEqual(repeated, [])
})
