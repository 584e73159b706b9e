import { fstatSync } from 'node:fs'
import { UsageError } from '@deckhand/core'

/** What came on standard input, and what a person should know about it. */
export interface StdinPrompt {
  readonly text: string
  readonly notice?: string
}

const maxBytes = 10_000_000
const firstBytesMs = 250

/**
 * Reads piped input. A terminal is never read, and a closed input gives nothing. With a prompt in the arguments an
 * input that says nothing for a quarter of a second is left alone, and that is told: under CI, cron or another agent
 * it may be a pipe that never ends. Throws UsageError over 10 MB.
 */
export async function readStdinPrompt(stdin: NodeJS.ReadStream, hasPrompt: boolean): Promise<StdinPrompt> {
  if (stdin.isTTY || !isReadable()) return { text: '' }
  const { chunks, isIdle } = await readChunks(stdin, hasPrompt)
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

function readChunks(stdin: NodeJS.ReadStream, hasPrompt: boolean): Promise<{ chunks: Buffer[]; isIdle: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = hasPrompt ? setTimeout(() => settle(true), firstBytesMs) : undefined

    function settle(isIdle: boolean): void {
      clearTimeout(timer)
      stdin.removeAllListeners()
      stdin.pause()
      // An open handle on an idle pipe would keep the process from ending.
      stdin.unref?.()
      resolve({ chunks, isIdle })
    }

    stdin.on('data', (chunk: Buffer) => {
      clearTimeout(timer)
      chunks.push(chunk)
      size += chunk.length
      if (size <= maxBytes) return
      stdin.destroy()
      reject(
        new UsageError(
          `Standard input is over ${maxBytes / 1e6} MB. Save it to a file and name the file in the prompt, or attach it with --file.`,
        ),
      )
    })
    stdin.on('end', () => settle(false))
    stdin.on('error', () => settle(false))
  })
}
