import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtinRules, evaluateQuestion, parseRules } from '@deckhand/core'
import { assessCommand } from '../assess-command.ts'
import { createTestWorld } from '../test-world.ts'

const rules = parseRules(
  {
    shell: {
      '*': 'ask',
      ...Object.fromEntries('dir type echo cd findstr git copy'.split(' ').map(name => [`${name} *`, 'allow'])),
      'del *': 'deny',
      'rd *': 'deny',
      'git push *': 'deny',
    },
    external_directory: 'ask',
  },
  { source: 'user' },
)

async function decide(command: string): Promise<string> {
  const parts = await assessCommand(command, { ...createTestWorld(), cwd: '/work/proj', shell: 'cmd' })
  return evaluateQuestion({ parts }, [...builtinRules, ...rules], 'ask').action
}

const cases: Readonly<Record<string, readonly string[]>> = {
  allow: [
    'dir',
    'DIR /s /b src',
    'dir/s',
    'type README.md',
    'type src\\app.ts',
    'echo hello > out.txt',
    'echo a ^& del b',
    'echo "a & del b"',
    'type a.txt 2>nul',
    'type a.txt > NUL 2>&1',
    'cd src && dir',
    'findstr /s TODO *.ts',
    'git status',
    'git.exe log -3',
    'copy a.txt b.txt',
    '@echo off & dir',
    '(dir & type a.txt)',
  ],
  ask: [
    'make',
    'del2 x',
    '%COMSPEC% /k',
    'type %FILE%',
    'type !FILE!',
    'type "%FILE%"',
    'type C:\\x.txt',
    'type \\\\server\\share\\x',
    'type ..\\x.txt',
    'echo x > ..\\x',
    'echo x > %F%',
    'copy a.txt ..\\b.txt',
    'set PATH=.',
    'set /p x=',
    'for %i in (*) do echo %i',
    'if exist a dir',
    'call build.bat',
    'build.cmd',
    'start notepad',
    'cmd',
    'cmd /c make',
    'cmd /c "dir & make"',
    'powershell -c dir',
    'mklink /d l c',
    'assoc .txt=x',
    'dir & make',
    'dir | make',
    'dir || make',
    'dir\nmake',
    'echo "unfinished',
    'dir ^',
    'dir )',
    '(dir',
    '',
    'dir > ',
  ],
  deny: [
    'del x',
    'DEL /q x',
    'del/q x',
    'rd /s /q build',
    'dir & del x',
    'dir && del x',
    'dir | del x',
    '(del x)',
    'dir\r\ndel x',
    'd^el x',
    '"del" x',
    'cmd /c del x',
    'cmd /c "dir & del x"',
    'cmd.exe /s /c "rd build"',
    'call del x',
    'start /b del x',
    'git push',
    'git.exe push',
    'C:\\Git\\git.exe push',
    'for %i in (*) do del %i',
    'if exist a del a',
    'del "unfinished',
  ],
}

for (const [decision, commands] of Object.entries(cases)) {
  for (const command of commands) {
    test(`shell.safe_classification: cmd, ${decision}: ${JSON.stringify(command)}`, async () => {
      assert.equal(await decide(command), decision)
    })
  }
}

test('shell.safe_classification: hostile lines for cmd are answered soon', async () => {
  for (const text of [
    '('.repeat(30_000),
    'cmd /c '.repeat(4000),
    'dir&'.repeat(8000),
    '^'.repeat(30_001),
    '%'.repeat(30_000),
  ]) {
    const startedAt = performance.now()
    assert.notEqual(await decide(`${text}make`), 'allow')
    assert.ok(performance.now() - startedAt < 2000, text.slice(0, 10))
  }
})
