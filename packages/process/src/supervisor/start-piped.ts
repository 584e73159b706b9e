import { closeSync, constants, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FreeFifo, openReadEnd, openWriteEnd } from '../channel/free-fifo.ts'
import { type StartFailure, type StartOptions, startCall } from '../command/command-call.ts'
import type { RunResources } from '../command/run-resources.ts'
import { type KeeperPlan, startLogKeeper } from './log-keeper.ts'
import type { JobInput, StartedJob } from './started-job.ts'

export interface PipedPlan extends KeeperPlan {
  readonly start: StartOptions
  readonly token: string
  /** Is its input open? Else it is at its end from the start. */
  readonly hasStdin: boolean
}

/** Starts a job without a terminal: its output goes through a FIFO to a process that writes the log. */
export async function startPiped(
  { start, token, hasStdin, ...keeperPlan }: PipedPlan,
  { pool, watch }: RunResources,
): Promise<StartedJob | StartFailure> {
  if (!pool) return { kind: 'failed-to-start', code: 'ENOTSUP', message: 'jobs are not there yet on Windows' }
  const output = await pool.take()
  const input = hasStdin ? await pool.take() : undefined
  const writer = openWriteEnd(output.path)
  const stdin = input && openReadEnd(input.path)
  const toInput = input && openInput(input)
  try {
    const keeper = startLogKeeper(openReadEnd(output.path), keeperPlan)
    void keeper.ended.then(output.release)
    const started = await startCall(start, { stdio: [writer, writer], stdin }, token)
    if ('kind' in started) {
      toInput?.end()
      return started
    }
    watch()
    const { identity, child, exit, hasStarted } = started
    // It does not keep us from ending.
    child.unref()
    void exit.then(() => toInput?.end())
    return {
      pid: identity.shellPid,
      startTicks: identity.startTicks,
      exit,
      logEnded: keeper.ended,
      ...(toInput && { input: toInput }),
      ...(hasStarted && { hasStarted }),
    }
  } finally {
    closeSync(writer)
    if (stdin !== undefined) closeSync(stdin)
  }
}

const retryMs = 20
const chunkBytes = 4096

// A write of at most what POSIX calls PIPE_BUF is taken whole or not at all.
function openInput({ path, release }: FreeFifo): JobInput {
  const writer = openWriteEnd(path, constants.O_NONBLOCK)
  let isOpen = true
  return {
    async write(bytes, signal) {
      for (let at = 0; at < bytes.length; ) {
        signal.throwIfAborted()
        if (!isOpen) return { taken: at, isClosed: true }
        const taken = writeNow(writer, bytes.subarray(at, at + chunkBytes))
        if (taken === 'closed') return { taken: at, isClosed: true }
        if (taken === 'full') {
          if (await isAbortedWithin(retryMs, signal)) return { taken: at, isClosed: false }
        } else at += taken
      }
      return { taken: bytes.length, isClosed: false }
    },
    end() {
      if (!isOpen) return
      isOpen = false
      closeSync(writer)
      release()
    },
  }
}

function writeNow(writer: number, bytes: Uint8Array): number | 'full' | 'closed' {
  try {
    return writeSync(writer, bytes)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') return 'full'
    if (code === 'EPIPE') return 'closed'
    throw error
  }
}

async function isAbortedWithin(ms: number, signal: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
  return signal.aborted
}
