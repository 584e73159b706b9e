import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { OutputChannel } from '../channel/output-channel.ts'
import type { OutputLimits, OutputSnapshot } from '../output/output-recorder.ts'
import type { Sandbox, SandboxPolicy } from '../sandbox/policy.ts'
import { readStartTicks } from '../table/process-table.ts'
import { markEnvironment } from './call-marker.ts'
import { type CallIdentity, describeLeftover, findCallProcesses } from './call-processes.ts'
import type { CommandEnd, StopSummary } from './command-outcome.ts'
import { stopProcesses } from './stop-processes.ts'

export interface CommandOptions {
  /** The program and its arguments; of a shell command: `bash`, …, `-c`, the command. */
  readonly argv: readonly [string, ...string[]]
  /** Absolute path. */
  readonly cwd: string
  /** The whole environment; see `createChildEnvironment`. */
  readonly environment: Readonly<Record<string, string>>
  /** Windows: the arguments are handed over as they are, without quoting. */
  readonly isVerbatim?: boolean
  readonly timeoutMs: number
  /**
   * Asked when the time is over: may the command go on, to be taken over by who called? Only asked where it can, which
   * takes a `logPath` and a channel that can be handed over.
   */
  mayGoOn?(): boolean
  /** What is left running is ended. Default: it goes on. */
  readonly endsLeftovers?: boolean
  /** Runs it in there. Without it, it may do what we may do. */
  readonly sandbox?: { readonly sandbox: Sandbox; readonly policy: SandboxPolicy }
  /** Ends the command; its reason is kept in the outcome. */
  readonly signal?: AbortSignal
  /** Where the whole output goes once it outgrows memory; must not exist yet. Without it the middle is lost. */
  readonly logPath?: string
  readonly limits?: Partial<OutputLimits>
  /** Between SIGTERM and SIGKILL. Default 2,000. */
  readonly graceMs?: number
  /** The output so far, at most ten times a second. Must not throw. */
  onOutput?(snapshot: OutputSnapshot): void
}

export const defaultGraceMs = 2000

/** What is needed to start it. */
export type StartOptions = Pick<CommandOptions, 'argv' | 'cwd' | 'environment' | 'sandbox' | 'isVerbatim'>

export type Exit = Extract<CommandEnd, { kind: 'exited' | 'killed' }>
export type StartFailure = Extract<CommandEnd, { kind: 'failed-to-start' }>

/** A command that was started. */
export interface StartedCall {
  readonly identity: CallIdentity
  readonly child: ChildProcess
  readonly exit: Promise<Exit>
  hasExited(): boolean
  /** In a sandbox: to be asked once, after the end; see `SandboxedStart`. */
  hasStarted?(): boolean
}

/**
 * Starts a command as the head of a session and process group of its own, with nothing on its stdin but
 * for a descriptor that is given, and no terminal.
 * A command that can't be started is told, not thrown.
 */
export async function startCall(
  { argv, cwd, environment, sandbox, isVerbatim = false }: StartOptions,
  { stdio, stdin }: Pick<OutputChannel, 'stdio'> & { readonly stdin?: number | undefined },
  token: string,
): Promise<StartedCall | StartFailure> {
  const startedAtMs = performance.now()
  try {
    const start = await sandbox?.sandbox.enter(argv, cwd, sandbox.policy)
    const [program, ...args] = start?.argv ?? argv
    const child = spawn(program, args, {
      cwd: start?.cwd ?? cwd,
      env: { ...markEnvironment(environment, token), ...start?.environment, PWD: cwd },
      stdio: [stdin ?? 'ignore', ...stdio, ...(start?.descriptors ?? [])],
      detached: true,
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
    })
    if (child.pid === undefined) {
      start?.hasStarted()
      return describeStartFailure(await nextError(child), cwd)
    }
    const identity = { shellPid: child.pid, startTicks: readStartTicks(child.pid), startedAtMs, token }
    return { identity, child, ...followExit(child), ...(start && { hasStarted: start.hasStarted }) }
  } catch (error) {
    return describeStartFailure(error, cwd)
  }
}

/** How the waiting for a command ended; where it goes on, it is still to be handed over. */
export type WaitedEnd =
  | Exclude<CommandEnd, { kind: 'goes-on' }>
  | { readonly kind: 'goes-on'; readonly timeoutMs: number }

/**
 * Waits for what comes first: the shell's exit, the timeout, the signal, a flood of output. But for the exit, the whole
 * tree is then ended, unless it may go on after the timeout. One of them wins, and that is what is told.
 */
export async function waitForEnd(call: StartedCall, options: CommandOptions, flood: Promise<void>): Promise<WaitedEnd> {
  const cause = await waitForCause(call, options, flood)
  if (cause.kind === 'exited' || cause.kind === 'killed') return cause
  // The exit may have happened before, and its event stand in the queue behind ours.
  await nextTurn()
  if (call.hasExited()) return call.exit
  if (cause.kind === 'timed-out' && options.mayGoOn?.()) return { ...cause, kind: 'goes-on' }
  return { ...cause, stop: await stopCall(call, options.graceMs ?? defaultGraceMs) }
}

type StopCause =
  | { readonly kind: 'timed-out'; readonly timeoutMs: number }
  | { readonly kind: 'cancelled'; readonly reason: unknown }
  | { readonly kind: 'capped'; readonly maxBytes: number }

const longestTimerMs = 2 ** 31 - 1

async function waitForCause(
  { exit }: StartedCall,
  { timeoutMs, signal, limits }: CommandOptions,
  flood: Promise<void>,
): Promise<Exit | StopCause> {
  const stopped = Promise.withResolvers<StopCause>()
  // Node's timers run on the monotonic clock: a step of the wall clock does not move them.
  const timer = setTimeout(() => stopped.resolve({ kind: 'timed-out', timeoutMs }), Math.min(timeoutMs, longestTimerMs))
  const onAbort = () => stopped.resolve({ kind: 'cancelled', reason: signal?.reason })
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  flood.then(() => stopped.resolve({ kind: 'capped', maxBytes: limits?.maxBytes ?? 0 }))
  try {
    return await Promise.race([exit, stopped.promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

const reapMs = 100

async function stopCall({ identity, exit }: StartedCall, graceMs: number): Promise<StopSummary> {
  const find = () => findCallProcesses(identity)
  const { signals, survivors } = await stopProcesses({ find, groupId: identity.shellPid, graceMs })
  await Promise.race([exit, sleep(reapMs)])
  return { signals, survivors: survivors.map(describeLeftover) }
}

function followExit(child: ChildProcess): Pick<StartedCall, 'exit' | 'hasExited'> {
  let hasExited = false
  const exit = new Promise<Exit>(resolve => {
    child.on('exit', (code, signal) => {
      hasExited = true
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal })
    })
  })
  return { exit, hasExited: () => hasExited }
}

function nextError(child: ChildProcess): Promise<unknown> {
  return new Promise(resolve => child.once('error', resolve))
}

// The system says ENOENT for a missing folder and for a missing program alike.
export function describeStartFailure(error: unknown, cwd: string): StartFailure {
  const { code = 'UNKNOWN', message } = error as NodeJS.ErrnoException
  const failure = { kind: 'failed-to-start', code, message } as const
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return failure
  return { ...failure, missing: existsSync(cwd) && code === 'ENOENT' ? 'program' : 'folder' }
}
