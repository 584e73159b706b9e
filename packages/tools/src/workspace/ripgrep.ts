// Running ripgrep, which both glob and grep stand on.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { ToolFailure } from '@deckhand/core'
import { errorCode } from './io-failure.ts'

/** One run. `--` and the path are part of `args`: without a path ripgrep would search its input. */
export interface RipgrepRun {
  readonly rgPath: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** What ends a record of its output: a newline or NUL. */
  readonly separator: '\n' | '\0'
  /** Called for each record, with at most `maxRecordBytes` of it. */
  onRecord(record: Buffer): void
}

export interface RipgrepEnd {
  /** 0: found; 1: nothing found; 2: an error, perhaps beside what was found. Null when it was ended. */
  readonly exitCode: number | null
  readonly timedOut: boolean
  /** The start of what it complained about. */
  readonly errorText: string
}

/** Longer records are cut, so that no line is ever held whole. */
const maxRecordBytes = 64 * 1024
const maxErrorChars = 8192

/** Where the program is: what was given, else the one that came with us from npm. Throws ToolFailure with the fix. */
export async function findRipgrep(rgPath?: string): Promise<string> {
  if (rgPath !== undefined) return rgPath
  try {
    const { rgPath: found } = await import('@vscode/ripgrep')
    return found
  } catch {
    throw createNoRipgrep(`no ripgrep for ${process.platform}-${process.arch} came with the installation`)
  }
}

function createNoRipgrep(found: string): ToolFailure {
  return new ToolFailure(
    'unsupported',
    `glob and grep need ripgrep, but ${found}. Install again with optional dependencies (npm install --include=optional), or use find and grep in the shell.`,
  )
}

/** Runs it to its end, its time limit or the signal, whose reason it rejects with. Leaves no process behind. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  run.signal.throwIfAborted()
  const child = spawn(run.rgPath, run.args, { cwd: run.cwd, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    child.kill('SIGKILL')
  }, run.timeoutMs)
  const onAbort = () => child.kill('SIGKILL')
  run.signal.addEventListener('abort', onAbort, { once: true })
  try {
    const end = await followChild(child, run)
    run.signal.throwIfAborted()
    return { ...end, timedOut }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw createNoRipgrep(`${run.rgPath} could not be started`)
    throw error
  } finally {
    clearTimeout(timer)
    run.signal.removeEventListener('abort', onAbort)
  }
}

async function followChild(child: ChildProcess, run: RipgrepRun): Promise<Omit<RipgrepEnd, 'timedOut'>> {
  const splitter = createRecordSplitter(run.separator, run.onRecord)
  let errorText = ''
  child.stdout?.on('data', splitter.add)
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(0, maxErrorChars)
  })
  const [exitCode] = (await once(child, 'close')) as [number | null]
  splitter.end()
  return { exitCode, errorText }
}

function createRecordSplitter(
  separator: '\n' | '\0',
  onRecord: (record: Buffer) => void,
): { add: (chunk: Buffer) => void; end: () => void } {
  const byte = separator.charCodeAt(0)
  let held: Buffer[] = []
  let heldBytes = 0
  const hold = (piece: Buffer) => {
    const kept = piece.subarray(0, maxRecordBytes - heldBytes)
    if (kept.length > 0) held.push(kept)
    heldBytes += kept.length
  }
  const flush = () => {
    const [only = Buffer.alloc(0)] = held
    onRecord(held.length > 1 ? Buffer.concat(held) : only)
    held = []
    heldBytes = 0
  }
  return {
    add(chunk) {
      let from = 0
      for (let at = chunk.indexOf(byte); at >= 0; at = chunk.indexOf(byte, from)) {
        hold(chunk.subarray(from, at))
        flush()
        from = at + 1
      }
      hold(chunk.subarray(from))
    },
    end() {
      if (heldBytes > 0) flush()
    },
  }
}

/** Arguments of every run: our own rules only, hidden files too, `.gitignore` also outside a repository, never `.git`. */
export const commonRipgrepArgs: readonly string[] = [
  '--no-config',
  '--color=never',
  '--hidden',
  '--no-require-git',
  '--glob=!.git',
]
