import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The built program. */
export const program = join(import.meta.dirname, '../../packages/cli/bin/deckhand.js')

/** A line of `run --format json`, as a test looks at it. */
export interface Line {
  readonly type: string
  readonly timestamp: number
  readonly sessionID: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into lines of every kind; the schema checks their shape.
  readonly [key: string]: any
}

export interface Result {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  readonly elapsedMs: number
}

export interface StartOptions {
  readonly cwd?: string
  /** Added to a bare environment: PATH, LANG and what `home` gives. */
  readonly env?: Readonly<Record<string, string>>
  /** Written to standard input, which then ends. Default: `/dev/null`. */
  readonly stdin?: string
  /** In place of `stdin`: what Node's spawn takes, such as a descriptor. */
  readonly stdinAs?: 'pipe' | number
}

export interface DeckhandProcess {
  readonly child: ChildProcess
  readonly exited: Promise<Result>
  stdout(): string
  stderr(): string
  /** The whole lines on stdout so far; throws where one is not JSON. */
  lines(): Line[]
  /** Waits until stdout, as a text, holds something. Fails after 20 s, or when the program has ended without it. */
  until(wanted: RegExp): Promise<void>
}

/** Whatever happens, a program of a test is ended after this long; its test then fails on the signal. */
const killAfterMs = 30_000

/** Starts the built program. It can't outlive a test by much: it is killed after 30 s. */
export function startDeckhand(args: readonly string[], options: StartOptions = {}): DeckhandProcess {
  return startProgram(process.execPath, [program, ...args], options)
}

/** Starts any program in the same way: a shell that pipes the program somewhere. */
export function startProgram(command: string, args: readonly string[], options: StartOptions = {}): DeckhandProcess {
  const { cwd, env, stdin, stdinAs } = options
  const input = stdinAs ?? (stdin === undefined ? 'ignore' : 'pipe')
  const spawned: SpawnOptions = { cwd, env: { ...bareEnvironment(), ...env }, stdio: [input, 'pipe', 'pipe'] }
  const startedAt = performance.now()
  const child = spawn(command, args, spawned)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', chunk => {
      output[name] += chunk
    })
  }
  if (stdin !== undefined) {
    // The program may end before it has read all of it.
    child.stdin?.on('error', () => {}).end(stdin)
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  const exited = once(child, 'close').then(([code, signal]): Result => {
    clearTimeout(timer)
    return { code, signal, ...output, elapsedMs: performance.now() - startedAt }
  })
  return {
    child,
    exited,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    lines: () => parseLines(output.stdout),
    until: wanted =>
      waitFor(
        () => wanted.test(output.stdout),
        child,
        () => JSON.stringify(output),
      ),
  }
}

/** Runs the program to its end. */
export function runDeckhand(args: readonly string[], options: StartOptions = {}): Promise<Result> {
  return startDeckhand(args, options).exited
}

/** The lines of a JSON stream; an error when anything in it is not a line of JSON. */
export function parseLines(stdout: string): Line[] {
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1)
  return whole
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

/** Waits for a fact, at most 20 s. */
export async function waitFor(
  isTrue: () => boolean,
  child?: ChildProcess,
  describe: () => string = () => '',
): Promise<void> {
  for (const end = performance.now() + 20_000; !isTrue(); ) {
    if (performance.now() > end || (child && hasEnded(child))) {
      // What it wrote last may still be on its way to us.
      await sleep(100)
      if (isTrue()) return
      throw new Error(`It did not come true. ${describe()}`)
    }
    await sleep(10)
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Does a process with this id run? One that has ended and waits to be collected by its parent does not. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z')
}

/** A temporary folder with a home for Deckhand and a workspace. Removed by `remove`. */
export interface TestFolder {
  readonly path: string
  readonly home: string
  readonly workspace: string
  /** For `StartOptions`: works in the workspace, with this home. */
  readonly options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> }
  /** Writes a file; relative paths are in the workspace. Gives its path. */
  write(path: string, content: string): string
  /** Writes the user's configuration. */
  configure(config: unknown): void
  /** Writes a script of a model's steps, and gives its `--model`. */
  script(steps: readonly unknown[]): string
  remove(): void
}

export function createTestFolder(): TestFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-e2e-')))
  const home = join(path, 'home')
  const workspace = join(path, 'workspace')
  let scripts = 0
  const write = (file: string, content: string) => {
    const target = join(workspace, file)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
    return target
  }
  mkdirSync(home)
  mkdirSync(workspace)
  return {
    path,
    home,
    workspace,
    options: { cwd: workspace, env: { DECKHAND_HOME: home, HOME: path } },
    write,
    configure: config => writeFileSync(join(home, 'deckhand.jsonc'), JSON.stringify(config)),
    script(steps) {
      const file = join(path, `script-${++scripts}.json`)
      writeFileSync(file, JSON.stringify(steps))
      return `script/${file}`
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

// No key, proxy or setting of the machine that tests may change what the program does.
function bareEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TERM: 'xterm' }
}
