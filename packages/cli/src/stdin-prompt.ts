import { fstatSync } from 'node:fs'
import { messageOf, UsageError } from '@deckhand/core'

/** What came on standard input, and what a person should know about it. */
export interface StdinPrompt {
  readonly text: string
  readonly notice?: string
}

export interface StdinPromptOptions {
  readonly stdin: NodeJS.ReadStream
  /** Is there something to do without it: a prompt in the arguments, a file? */
  readonly hasPrompt: boolean
  /** Ends the reading; rejects with its reason. */
  readonly signal: AbortSignal
}

const maxBytes = 10_000_000
const firstBytesMs = 250

/**
 * Reads piped input. A terminal is never read, and a closed input gives nothing. With a prompt in the arguments an
 * input that says nothing for a quarter of a second is left alone, and that is told: under CI, cron or another agent
 * it may be a pipe that never ends. Throws UsageError over 10 MB, and where reading fails.
 */
export async function readStdinPrompt(options: StdinPromptOptions): Promise<StdinPrompt> {
  options.signal.throwIfAborted()
  if (options.stdin.isTTY || !isReadable()) return { text: '' }
  const { chunks, isIdle } = await readChunks(options)
  const text = Buffer.concat(chunks).toString('utf8')
  if (!isIdle) return { text }
  return {
    text,
    notice: `Standard input is open, but nothing came from it within ${firstBytesMs} ms; the run goes on without it.`,
  }
}

// A closed descriptor 0 is reused by the next file that is opened; only what can hold input is read.
function isReadable(): boolean {
  try {
    const stat = fstatSync(0)
    return stat.isFIFO() || stat.isFile() || stat.isSocket()
  } catch {
    return false
  }
}

interface Chunks {
  readonly chunks: readonly Buffer[]
  readonly isIdle: boolean
}

function readChunks({ stdin, hasPrompt, signal }: StdinPromptOptions): Promise<Chunks> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = hasPrompt ? setTimeout(() => leave(true), firstBytesMs) : undefined

    function letGo(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      stdin.off('data', onData).off('end', onEnd).off('error', onError)
      stdin.on('error', () => {
        // It is not read any more, so nothing is lost with it.
      })
    }

    function leave(isIdle: boolean): void {
      letGo()
      stdin.pause()
      // An open handle on an idle pipe would keep the process from ending.
      stdin.unref?.()
      resolve({ chunks, isIdle })
    }

    function fail(error: unknown): void {
      letGo()
      stdin.destroy()
      reject(error)
    }

    function onData(chunk: Buffer): void {
      clearTimeout(timer)
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) fail(tooLong())
    }

    const onEnd = () => leave(false)
    const onAbort = () => fail(signal.reason)
    const onError = (error: Error) =>
      fail(new UsageError(`Standard input can't be read: ${messageOf(error)}. To go on without it, add </dev/null.`))

    signal.addEventListener('abort', onAbort, { once: true })
    stdin.on('data', onData).on('end', onEnd).on('error', onError)
  })
}

function tooLong(): UsageError {
  return new UsageError(
    `Standard input is over ${maxBytes / 1e6} MB. Save it to a file and name the file in the prompt, or attach it with --file.`,
  )
}
