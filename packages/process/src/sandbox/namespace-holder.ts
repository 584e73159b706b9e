// Keeps the namespaces of a sandbox alive between commands, so that a server that one command starts is there for the
// next: a process that does nothing, and that ends with us (its input ends when we die, however that happens).
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, realpathSync } from 'node:fs'
import { SandboxError } from './policy.ts'
import type { SandboxPrograms } from './sandbox-programs.ts'

/** Open descriptors of the namespaces. */
export interface Namespaces {
  readonly user: number
  readonly pid: number
  readonly net: number
  readonly ipc: number
}

export interface NamespaceHolder {
  readonly namespaces: Namespaces
  /** False once it has ended, and all that ran in it with it. */
  isAlive(): boolean
  close(): Promise<void>
}

// Being the first process of its namespace, nothing in there can end it (`kill -9 -1`), and what loses its parent becomes
// its child: bash waits for those too.
const idle = 'echo ready; read -r _'

// All that the idle process needs; through it (`/proc/1/root`) commands must see no more than through their own view.
const view: readonly string[] = [
  ...['--tmpfs', '/'],
  ...['/usr', '/lib', '/lib64', '/bin', '/nix/store'].flatMap(path => ['--ro-bind-try', path, path]),
  ...['--proc', '/proc', '--remount-ro', '/'],
]

/** Starts it. Throws SandboxError with bubblewrap's own words when namespaces can't be made here. */
export async function startNamespaceHolder({ bwrap, bash }: SandboxPrograms): Promise<NamespaceHolder> {
  const args = ['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc']
  const how = [...args, ...view, '--cap-drop', 'ALL', '--die-with-parent', '--as-pid-1', '--info-fd', '3']
  const child = spawn(bwrap, [...how, '--', realpathSync(bash), '--norc', '--noprofile', '-c', idle], {
    cwd: '/',
    env: {},
    // A session of its own, so that what ends us (Ctrl-C) leaves the ending to us.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  const isAlive = () => child.exitCode === null && child.signalCode === null && child.pid !== undefined
  const namespaces = await openNamespaces(child).catch(error => {
    child.kill('SIGKILL')
    throw error
  })
  unref(child)
  return {
    namespaces,
    isAlive,
    async close() {
      for (const descriptor of Object.values(namespaces)) closeSync(descriptor)
      if (!isAlive()) return
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.ref()
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function openNamespaces(child: ChildProcess): Promise<Namespaces> {
  const pid = await readChildPid(child)
  const open = (name: string) => openSync(`/proc/${pid}/ns/${name}`, 'r')
  return { user: open('user'), pid: open('pid'), net: open('net'), ipc: open('ipc') }
}

const startMs = 10_000

// bubblewrap tells the process's pid on descriptor 3; that a word comes says that the process runs.
function readChildPid(child: ChildProcess): Promise<number> {
  const told = { stdout: '', stderr: '', info: '' }
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new SandboxError(`The sandbox could not be set up: ${why}`))
    const look = () => {
      const pid = /"child-pid":\s*(\d+)/.exec(told.info)?.[1]
      if (pid !== undefined && told.stdout !== '') resolve(Number(pid))
    }
    const collect = (stream: unknown, name: keyof typeof told) => {
      ;(stream as NodeJS.ReadableStream).setEncoding('utf8').on('data', text => {
        told[name] += text
        look()
      })
    }
    collect(child.stdout, 'stdout')
    collect(child.stderr, 'stderr')
    collect(child.stdio[3], 'info')
    child.once('error', error => fail(error.message))
    child.once('close', () => fail(told.stderr.trim() || 'bubblewrap ended without a word'))
    setTimeout(() => fail(`bubblewrap did not get ready in ${startMs / 1000} s`), startMs).unref()
    child.stdin?.on('error', () => undefined)
  })
}

function unref(child: ChildProcess): void {
  child.unref()
  for (const stream of child.stdio) {
    if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
}
