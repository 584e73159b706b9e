import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createNamedShells, type NamedShell } from './named-shell.ts'
import type { ShellEnd } from './shell-end.ts'
import type { Shell } from './shell-kind.ts'

function createTestShells(shell: Shell) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-shells-')))
  const workspace = join(folder, 'ws')
  mkdirSync(join(workspace, 'sub dir'), { recursive: true })
  const shells = createNamedShells({
    shell,
    temporaryDirectory: folder,
    cwd: workspace,
    environment: () => ({ PATH: process.env.PATH ?? '', HOME: folder, GIVEN: 'from outside' }),
    isRisky: name => name === 'PATH',
  })
  return {
    folder,
    workspace,
    shells,
    /** Runs a command in its turn, and gives what it printed, its code and what it left. */
    call(
      command: string,
      {
        shell: named = shells.open('main'),
        isContained = false,
        environment,
        keepsFolder = true,
        isKilled = false,
      }: CallOptions = {},
    ): { printed: string; code: number | null; end: ShellEnd | undefined } {
      const prepared = named.prepare(command, { isContained, environment })
      const { argv, environment: env } = prepared.start
      const [program, ...args] = argv
      const run = spawnSync(program, args, { cwd: named.state.cwd, env, encoding: 'utf8' })
      const end = prepared.readEnd()
      prepared.finish({ adopt: run.signal === null && !isKilled, keepsFolder })
      return { printed: run.stdout + run.stderr, code: run.status, end }
    },
    [Symbol.dispose]() {
      shells.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface CallOptions {
  readonly shell?: NamedShell
  readonly isContained?: boolean
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly keepsFolder?: boolean
  readonly isKilled?: boolean
}

function findShell(name: string): string | false {
  const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
  return found.status === 0 && found.stdout.trim()
}

for (const kind of ['bash', 'zsh'] as const) {
  const program = findShell(kind)
  const skip = program ? false : `${kind} is not installed`
  const withShell = (title: string, run: (test: ReturnType<typeof createTestShells>) => void) =>
    test(`shell.persistent: ${kind}: ${title}`, { skip }, () => {
      using shells = createTestShells({ kind, program: program || kind })
      run(shells)
    })

  withShell(
    'folder, variables, arrays, functions, aliases, options and umask of a call are there in the next',
    ({ call, workspace }) => {
      call(
        [
          `cd 'sub dir'; export EXPORTED=$'one\\ntwo "three" $four \\\\'; plain="it's"; unset GIVEN`,
          `list=(a 'b c' $'d\\ne'); typeset -A map; map[key]='v w'; typeset -i number=5`,
          `greet() { echo "hello $1"; }`,
          `alias shout='echo ALIAS'`,
          `umask 027; set -o pipefail`,
        ].join('\n'),
      )
      const { printed } = call(
        [
          `pwd; echo "[$EXPORTED] [$plain] [\${GIVEN-unset}]"`,
          `printf "<%s>" "\${list[@]}"; echo; echo "\${map[key]} $((number + 1))"; number=2+3; echo $number`,
          'greet you; shout now; umask; false | true; echo "pipefail $?"; env | grep -c "^EXPORTED="',
        ].join('\n'),
      )
      assert.equal(
        printed,
        [
          join(workspace, 'sub dir'),
          `[one\ntwo "three" $four \\] [it's] [unset]`,
          '<a><b c><d\ne>',
          'v w 6',
          '5',
          'hello you',
          'ALIAS now',
          kind === 'zsh' ? '027' : '0027',
          'pipefail 1',
          '1',
          '',
        ].join('\n'),
      )
    },
  )

  for (const [title, command, code] of [
    ['exit 3', 'kept=yes; cd "sub dir"; exit 3', 3],
    ['set -e and a command that fails', 'set -e; kept=yes; cd "sub dir"; false; echo not reached', 1],
    ['a last command that fails', 'kept=yes; cd "sub dir"; /bin/false', 1],
    ['a last command that is a program', 'kept=yes; cd "sub dir"; /bin/true', 0],
    ['a trap on EXIT of its own', 'trap "echo bye" EXIT; kept=yes; cd "sub dir"; exit 4', 4],
    ['exec of another program', 'kept=yes; cd "sub dir"; exec /bin/true', 0],
    ['exec of a redirection', 'exec 3>&1; kept=yes; cd "sub dir"; echo x >&3', 0],
  ] as const) {
    withShell(`the state stays after ${title}`, ({ call, workspace }) => {
      const first = call(command)
      assert.equal(first.code, code)
      if (command.includes('bye')) assert.equal(first.printed, 'bye\n')
      assert.equal(call('set +e; echo "$kept $PWD"').printed, `yes ${join(workspace, 'sub dir')}\n`)
    })
  }

  withShell(
    'a call that was killed, or that ends the shell by a signal, leaves the last good state',
    ({ call, workspace }) => {
      call('cd "sub dir"; value=good')
      call('cd /; value=bad; kill -9 $$')
      call('cd /; value=bad; kill -TERM $$; sleep 5')
      call('cd /; value=bad', { isKilled: true })
      assert.equal(call('echo "$value $PWD"').printed, `good ${join(workspace, 'sub dir')}\n`)
    },
  )

  withShell('a subshell changes nothing, and what cannot be parsed neither', ({ call, workspace }) => {
    call('value=good')
    assert.equal(call('(value=bad; cd /; trap "echo sub" EXIT)').printed, 'sub\n')
    assert.notEqual(call('value=bad; echo $(( 1 + ').code, 0)
    assert.match(call('echo "$value $PWD"').printed, new RegExp(`^(good|bad) ${workspace}\n$`))
  })

  withShell('the codes of a pipeline are known', ({ call }) => {
    assert.deepEqual(call('sh -c "exit 3" | true').end?.pipe, [3, 0])
    assert.deepEqual(call('true').end?.pipe, [0])
  })
}

const bash = { kind: 'bash', program: 'bash' } as const

test('shell.persistent: a trap is seen and set as if it were the only one', () => {
  using shells = createTestShells(bash)
  const { call } = shells
  assert.equal(
    call('trap "echo a" EXIT; trap -p EXIT; trap').printed,
    `trap -- 'echo a' EXIT\ntrap -- 'echo a' EXIT\na\n`,
  )
  assert.equal(call('trap -p EXIT; trap; echo none').printed, 'none\n')
  assert.equal(call('trap "echo a" 0; s=$(trap -p EXIT); trap - EXIT; eval "$s"; exit 2').printed, 'a\n')
  assert.equal(call('trap "echo code \\$?" EXIT; exit 7').printed, 'code 7\n')
  assert.equal(call('trap "exit 9" EXIT; exit 7').code, 9)
  assert.equal(call('trap "echo first" EXIT; trap - EXIT; echo end').printed, 'end\n')
  assert.match(call('trap "echo a" NOSUCH; echo $?').printed, /NOSUCH: invalid signal specification\n/)
  assert.equal(call('set -x; trap "echo a" EXIT; true').printed.replace(/^\+.*\n/gm, ''), 'a\n')
  assert.doesNotMatch(call('set -x; true').printed, /deckhand/)
})

test('shell.persistent: options that end a shell early do not end the next before it has begun', () => {
  using shells = createTestShells(bash)
  shells.call('set -eu; set -o noglob')
  assert.deepEqual(shells.shells.open('main').state.setOptions, ['errexit', 'noglob', 'nounset'])
  assert.equal(shells.call('echo begun *; false; echo not reached').printed, 'begun *\n')
  assert.equal(shells.call('set +eu +f; false; echo reached').printed, 'reached\n')
  shells.call('set -n')
  assert.equal(shells.call('echo still here').printed, 'still here\n')
})

test('shell.persistent: two shells have a state each, and one can be reset', () => {
  using shells = createTestShells(bash)
  const db = shells.shells.open('db')
  shells.call('value=main')
  shells.call('value=db; cd /', { shell: db })
  assert.equal(shells.call('echo $value').printed, 'main\n')
  assert.equal(shells.call('echo $value; pwd', { shell: db }).printed, 'db\n/\n')
  db.reset()
  assert.equal(shells.call('echo "[$value]"; pwd', { shell: db }).printed, `[]\n${shells.workspace}\n`)
})

test('core.shell_env: variables for one call are gone in the next, unless the command gave them another value', () => {
  using shells = createTestShells(bash)
  const environment = { HOOKED: 'once', GIVEN: undefined, OTHER: 'x' }
  assert.equal(shells.call('echo "$HOOKED [$GIVEN]"; export OTHER=mine', { environment }).printed, 'once []\n')
  assert.equal(shells.call('echo "[$HOOKED] [$GIVEN] [$OTHER]"').printed, '[] [from outside] [mine]\n')
})

for (const kind of ['bash', 'zsh'] as const) {
  const program = findShell(kind)
  const skip = program ? false : `${kind} is not installed`
  test(`core.shell_env: ${kind}: a variable for one call comes before one of the shell, which is there again in the next`, {
    skip,
  }, () => {
    using shells = createTestShells({ kind, program: program || kind })
    shells.call(`plain="it's mine"; list=(a 'b c'); gone=1; typeset -i number=5; export SHARED=shared`)
    const environment = { plain: 'once', list: 'flat', gone: undefined, number: 'six', SHARED: 'once' }
    const seen = shells.call('printenv plain; echo "$list [$gone] $number $SHARED"; other=set', { environment })
    assert.equal(seen.printed, 'once\nflat [] six once\n')
    const after = shells.call(`echo "$plain \${list[@]} $gone $number $SHARED $other"; printenv plain`)
    assert.equal(after.printed, "it's mine a b c 1 5 shared set\n")
    shells.call('plain=changed; gone=2', { environment })
    assert.equal(shells.call(`echo "$plain $gone \${list[@]}"`).printed, 'changed 2 a b c\n')
  })
}

test('core.sandbox: what a command in the sandbox has set up does not lead one outside', () => {
  using shells = createTestShells(bash)
  shells.call('trusted() { echo trusted; }')
  shells.call('PATH=/evil:$PATH; ls() { echo evil; }; alias pwd="echo evil"; export DATA=1; plain=2; cd "sub dir"', {
    isContained: true,
  })
  assert.equal(shells.call('type -t ls', { isContained: true }).printed, 'function\n')
  const prepared = shells.shells.open('main').prepare('true', { isContained: false })
  assert.deepEqual(prepared.leftOut, ['ls', 'pwd', 'PATH'])
  prepared.finish({ adopt: false, keepsFolder: true })
  const { printed } = shells.call(
    `type -t ls; type -t pwd; trusted; echo "$DATA $plain \${PATH%%:*}"; echo "\${PWD##*/}"`,
  )
  assert.match(printed, /^file\nbuiltin\ntrusted\n1 2 \/(?!evil).*\nsub dir\n$/)
})

test('shell.persistent: what the shell reads and writes is private, and gone after the call', () => {
  using shells = createTestShells(bash)
  const prepared = shells.shells.open('main').prepare('true', { isContained: false })
  assert.equal(statSync(prepared.folder).mode & 0o777, 0o700)
  for (const name of readdirSync(prepared.folder)) {
    assert.equal(statSync(join(prepared.folder, name)).mode & 0o777, 0o600)
  }
  prepared.finish({ adopt: false, keepsFolder: true })
  assert.equal(existsSync(prepared.folder), false)
})

test('core.sandbox: a link in place of what the shell wrote is not followed', () => {
  using shells = createTestShells(bash)
  const prepared = shells.shells.open('main').prepare('true', { isContained: true })
  execFileSync('ln', ['-s', '/etc/passwd', join(prepared.folder, 'end')])
  assert.equal(prepared.readEnd(), undefined)
  assert.equal(prepared.finish({ adopt: true, keepsFolder: true }).isAdopted, false)
})

for (const name of ['dash', 'fish'] as const) {
  const program = findShell(name)
  test(`shell.persistent: ${name}: folder and environment of a call are there in the next`, {
    skip: program ? false : `${name} is not installed`,
  }, () => {
    const kind = name === 'dash' ? 'sh' : 'fish'
    using shells = createTestShells({ kind, program: program || name })
    const set =
      kind === 'sh'
        ? `export VALUE="it's \\"two\\" \\$x"; unset GIVEN`
        : `set -gx VALUE 'it\\'s "two" $x'; set -e GIVEN`
    assert.equal(shells.call(`cd 'sub dir'; ${set}; exit 3`).code, 3)
    const { printed } = shells.call('pwd; echo "$VALUE"; env | grep -c GIVEN')
    assert.equal(printed, `${join(shells.workspace, 'sub dir')}\nit's "two" $x\n0\n`)
  })
}
