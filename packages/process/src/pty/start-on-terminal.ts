import { constants as fileFlags, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { markEnvironment } from '../command/call-marker.ts'
import { describeStartFailure, type Exit, type StartFailure, type StartOptions } from '../command/command-call.ts'
import type { RunResources } from '../command/run-resources.ts'
import { createOutputLog, maxChunkBytes } from '../output/output-log.ts'
import type { KeeperPlan } from '../supervisor/log-keeper.ts'
import type { StartedJob } from '../supervisor/started-job.ts'
import { readStartTicks } from '../table/process-table.ts'

export interface TerminalPlan extends KeeperPlan {
  readonly start: StartOptions
  readonly token: string
  readonly columns: number
  readonly rows: number
}

type Pty = typeof import('@lydell/node-pty')

// Optional: there is no build of it for each system (musl).
async function loadPty(): Promise<Pty | undefined> {
  try {
    return await import('@lydell/node-pty')
  } catch {
    return undefined
  }
}

/**
 * Starts a job on a terminal of its own. The terminal is ours: when we die the job gets SIGHUP. A job that can't be
 * started is told, not thrown.
 */
export async function startOnTerminal(
  { start, token, columns, rows, logPath, maxBytes }: TerminalPlan,
  { watch }: RunResources,
): Promise<StartedJob | StartFailure> {
  const pty = await loadPty()
  if (!pty) return { kind: 'failed-to-start', code: 'ENOTSUP', message: 'there are no terminals on this system' }
  const { createTerminalScreen } = await import('./terminal-screen.ts')
  try {
    const { argv, cwd, environment, hasStarted } = await describeStart(start)
    const [program, ...args] = argv
    const env = { ...markEnvironment(environment, token), TERM: 'xterm-256color', PWD: start.cwd }
    const child = pty.spawn(program, args, { name: env.TERM, cols: columns, rows, cwd, env, encoding: null })
    watch()
    const log = createOutputLog(logPath)
    const screen = createTerminalScreen({ columns, rows, onAnswer: text => child.write(text) })
    let size = { columns, rows }
    let bytes = 0
    let lastAt = 0
    // Typed as text; with encoding null they are bytes.
    child.onData(data => {
      const chunk = Buffer.from(data)
      screen.write(chunk)
      lastAt = performance.now()
      for (let at = 0; at < chunk.length && bytes < maxBytes; at += maxChunkBytes) {
        const part = chunk.subarray(at, Math.min(at + maxChunkBytes, at + maxBytes - bytes))
        bytes += part.length
        const behind = log.write(part)
        if (behind) {
          child.pause()
          void behind.then(() => child.resume())
        }
      }
    })
    const ended = Promise.withResolvers<Exit>()
    child.onExit(({ exitCode, signal }) => ended.resolve(describeExit(exitCode, signal)))
    let isOpen = true
    const exit = ended.promise.then(async how => {
      isOpen = false
      while (performance.now() - lastAt < settleMs) await sleep(settleMs)
      return how
    })
    return {
      pid: child.pid,
      startTicks: readStartTicks(child.pid),
      exit,
      logEnded: exit.then(() => log.close()).then(() => undefined),
      ...(hasStarted && { hasStarted }),
      input: {
        async write(data, signal) {
          signal.throwIfAborted()
          if (!isOpen) return { taken: 0, isClosed: true }
          child.write(Buffer.from(data).toString())
          return { taken: data.length, isClosed: false }
        },
        // At the start of a line, a terminal takes this for the end of the input.
        end: () => isOpen && child.write('\x04'),
      },
      terminal: {
        get columns() {
          return size.columns
        },
        get rows() {
          return size.rows
        },
        resize(newColumns, newRows) {
          size = { columns: newColumns, rows: newRows }
          screen.resize(newColumns, newRows)
          if (isOpen) child.resize(newColumns, newRows)
        },
        readScreen: screen.read,
      },
    }
  } catch (error) {
    return describeStartFailure(error, start.cwd)
  }
}

// What is printed last may come after the exit.
const settleMs = 20

function describeExit(exitCode: number, signal: number | undefined): Exit {
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0]
  return name === undefined ? { kind: 'exited', code: exitCode } : { kind: 'killed', signal: name as NodeJS.Signals }
}

interface TerminalStart {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  hasStarted?(): boolean
}

/**
 * A terminal's child can be handed no descriptors, of which a sandbox needs some: a shell opens them from ours by their
 * names, and becomes the command.
 */
async function describeStart({ argv, cwd, environment, sandbox }: StartOptions): Promise<TerminalStart> {
  const start = await sandbox?.sandbox.enter(argv, cwd, sandbox.policy)
  if (!start) return { argv, cwd, environment }
  const opened = start.descriptors.map((descriptor, index) => {
    return `${index + 3}${isForWriting(descriptor) ? '>>' : '<'}/proc/${process.pid}/fd/${descriptor}`
  })
  return {
    argv: ['sh', '-c', `exec "$@" ${opened.join(' ')}`, 'sh', ...start.argv],
    cwd: start.cwd,
    environment: { ...environment, ...start.environment },
    hasStarted: start.hasStarted,
  }
}

function isForWriting(descriptor: number): boolean {
  const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1]
  return (Number.parseInt(flags ?? '0', 8) & (fileFlags.O_WRONLY | fileFlags.O_RDWR)) !== 0
}
