// Runs commands so that a call ends with its shell: started in a process group of its own, its output through a FIFO,
// bounded in time and in bytes; what it leaves behind is known, and ended at the end of the run.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FifoPool } from '../channel/fifo-pool.ts'
import { type ChannelState, type OutputChannel, quietMs } from '../channel/output-channel.ts'
import { openPipeChannel } from '../channel/pipe-channel.ts'
import { createOutputRecorder, defaultOutputLimits, type OutputFacts } from '../output/output-recorder.ts'
import {
  hasProcessTable,
  isAlive,
  isGroupAlive,
  joinWords,
  type ProcessFacts,
  readCommandLine,
} from '../table/process-table.ts'
import { describeLeftover, findCallProcesses, findLeftovers, type Leftover } from './call-processes.ts'
import { type CommandOptions, defaultGraceMs, type StartedCall, startCall, waitForEnd } from './command-call.ts'
import type { CommandEnd, CommandOutcome, Leftovers, RunningCall } from './command-outcome.ts'
import { createLeftoverLedger, type EndedLeftovers } from './leftover-ledger.ts'
import type { RunResources } from './run-resources.ts'
import { stopProcesses } from './stop-processes.ts'

export interface CommandRunner {
  /** Makes ready what the first command needs. May be left out; never throws. */
  prepare(): Promise<void>
  /**
   * Runs a command to its end, whatever that is: a command that fails, hangs, floods or can't start is an outcome.
   * Throws the signal's reason when it was aborted before anything started; any other error is a bug.
   */
  run(options: CommandOptions): Promise<CommandOutcome>
  /** What earlier commands left running and still runs. */
  listLeftovers(): readonly Leftover[]
  /** Ends it (SIGTERM, grace, SIGKILL) and tells what became of it. */
  endLeftovers(graceMs?: number): Promise<EndedLeftovers>
  /** Ends what was left running, and closes the resources. Jobs are to be ended before. Twice is fine. */
  close(): Promise<void>
}

/** Makes a runner: one per run of the program, as it remembers what its commands left behind. */
export function createCommandRunner(resources: RunResources): CommandRunner {
  const { pool } = resources
  const ledger = createLeftoverLedger(resources)

  return {
    async prepare() {
      await pool?.prepare().catch(() => undefined)
    },
    async run(options) {
      options.signal?.throwIfAborted()
      for (let attempt = 1; ; attempt++) {
        const channel = await openChannel(pool)
        const setup = { channel, token: resources.createToken(), onStarted: resources.watch, remember: ledger.add }
        const outcome = await runCommand(options, setup)
        if (attempt === maxAttempts || !isWithoutSandbox(outcome)) return outcome
      }
    },
    listLeftovers: ledger.list,
    endLeftovers: (graceMs = defaultGraceMs) => ledger.end(graceMs),
    async close() {
      await ledger.end(defaultGraceMs)
      ledger.close()
      await resources.close()
    },
  }
}

/** What is to be hidden may go while it is being hidden; nothing was run then. */
const maxAttempts = 3

function isWithoutSandbox({ end }: CommandOutcome): boolean {
  return end.kind === 'failed-to-start' && end.code === noSandboxCode
}

const noSandboxCode = 'SANDBOX'

/** What the runner lends to one call. */
interface CallSetup {
  readonly channel: OutputChannel
  readonly token: string
  onStarted(): void
  remember(call: StartedCall, processes: readonly ProcessFacts[], channel: OutputChannel): void
}

async function runCommand(options: CommandOptions, setup: CallSetup): Promise<CommandOutcome> {
  const { channel, token, onStarted, remember } = setup
  const startedAtMs = performance.now()
  const flood = Promise.withResolvers<void>()
  const limits = { ...defaultOutputLimits, ...options.limits }
  const recorder = createOutputRecorder({ ...options, limits, onFlood: flood.resolve, onProgress: options.onOutput })
  const started = await startCall(options, channel, token)
  const facts = async () => ({
    durationMs: performance.now() - startedAtMs,
    output: await recorder.finish(),
    isOneStream: channel.path !== undefined,
  })
  if ('kind' in started) {
    channel.close()
    return { end: started, ...(await facts()), leftovers: none }
  }
  channel.attach(started.child, recorder.take)
  onStarted()
  const mayGoOn = () => canGoOn(channel, options) && (options.mayGoOn?.() ?? false)
  const waited = await waitForEnd(started, { ...options, limits, mayGoOn }, flood.promise)
  if (waited.kind === 'goes-on') {
    const call = await handOver(started, channel, token)
    const output = await recorder.finishInLog()
    return { end: { ...waited, call }, ...(await facts()), output, leftovers: none }
  }
  const isBusy = () => findLeftovers(started.identity).some(({ state }) => state === 'R' || state === 'D')
  const state = await channel.drain(isBusy)
  channel.drop()
  const hasStarted = started.hasStarted?.() !== false
  const found = await lookForLeftovers(started, options, state, channel.path)
  const leftovers = options.endsLeftovers
    ? await endLeftovers(started, found, options)
    : describeLeftovers(started, found)
  if (state === 'held' || found.length > 0 || !hasProcessTable) remember(started, found, channel)
  const { output, ...rest } = await facts()
  const end = hasStarted || waited.kind !== 'exited' ? waited : describeNoSandbox(output)
  return { end, output, ...rest, leftovers }
}

const none: Leftovers = { known: true, processes: [] }

function canGoOn({ handOver }: OutputChannel, { logPath }: CommandOptions): boolean {
  return handOver !== undefined && logPath !== undefined
}

async function handOver(
  { identity, child, exit, hasStarted }: StartedCall,
  channel: OutputChannel,
  token: string,
): Promise<RunningCall> {
  // It does not keep us from ending.
  child.unref()
  const { shellPid, startTicks } = identity
  const output = await channel.handOver?.()
  return { pid: shellPid, startTicks, exit, ...(hasStarted && { hasStarted }), token, output }
}

function describeNoSandbox({ head }: OutputFacts): CommandEnd {
  // What is outside may not be there inside.
  if (/^bwrap: Can't chdir to .*: No such file/.test(head.toString()))
    return { kind: 'failed-to-start', code: 'ENOENT', message: head.toString().trim(), missing: 'folder' }
  const message = `the sandbox could not be set up (${head.toString().trim()}); nothing was run`
  return { kind: 'failed-to-start', code: noSandboxCode, message }
}

// Where FIFOs can't be made, pipes serve: the order of stdout and stderr is then less sure, and told so.
async function openChannel(pool: FifoPool | undefined): Promise<OutputChannel> {
  return (await pool?.open().catch(() => undefined)) ?? openPipeChannel()
}

// The longest wait for a child that still looks like the shell: it may have been forked, and not become what it is to be
// (exec) yet. A subshell that runs on looks the same.
const becomeMs = 250

// What only just started may also be about to end: look twice before telling.
async function lookForLeftovers(
  { identity }: StartedCall,
  { argv }: CommandOptions,
  state: ChannelState,
  path: string | undefined,
): Promise<readonly ProcessFacts[]> {
  const look = () => findLeftovers(identity, state === 'held' ? path : undefined)
  const shellLine = joinWords(argv)
  const looksLikeShell = (found: ProcessFacts) => readCommandLine(found) === shellLine
  const deadline = performance.now() + becomeMs
  let found = look()
  if (found.length > 0 && state === 'ended') found = await sleep(quietMs).then(look)
  while (found.some(looksLikeShell) && performance.now() < deadline) found = await sleep(quietMs).then(look)
  return found
}

async function endLeftovers(
  { identity }: StartedCall,
  found: readonly ProcessFacts[],
  { graceMs = defaultGraceMs }: CommandOptions,
): Promise<Leftovers> {
  const before = found.map(describeLeftover)
  const find = () => [
    ...new Map([...found.filter(isAlive), ...findCallProcesses(identity)].map(member => [member.pid, member])).values(),
  ]
  const { survivors } = await stopProcesses({ find, groupId: identity.shellPid, graceMs })
  const alive = new Set(survivors.map(({ pid }) => pid))
  const ended = before.filter((_, index) => !alive.has(found[index]?.pid ?? 0))
  return { known: true, processes: survivors.map(describeLeftover), ended }
}

function describeLeftovers({ identity }: StartedCall, found: readonly ProcessFacts[]): Leftovers {
  return hasProcessTable
    ? { known: true, processes: found.map(describeLeftover) }
    : { known: false, isGroupAlive: isGroupAlive(identity.shellPid) }
}
