import { type Clock, isAbort } from '@deckhand/core'

export interface ProgressOptions {
  readonly clock: Clock
  /** Sends one notification; `count` grows with each. */
  notify(count: number, message: string): Promise<void>
  onError(error: unknown): void
}

/** Tells a client how a call is doing: the newest word, never more often than ten times a second. */
export interface ProgressSender {
  report(message: string): void
  /** Nothing is sent from here on. */
  end(): void
}

const minGapMs = 100

/** Makes the sender of one call. A client that reads slowly gets fewer notifications, not a queue of them. */
export function createProgressSender({ clock, notify, onError }: ProgressOptions): ProgressSender {
  const ended = new AbortController()
  let waiting: string | undefined
  let isSending = false
  let count = 0

  async function sendAll(): Promise<void> {
    while (waiting !== undefined && !ended.signal.aborted) {
      const message = waiting
      waiting = undefined
      await notify(++count, message)
      await clock.sleep(minGapMs, ended.signal)
    }
  }

  async function send(): Promise<void> {
    if (isSending) return
    isSending = true
    try {
      await sendAll()
    } catch (error) {
      if (!isAbort(error)) onError(error)
    } finally {
      isSending = false
    }
  }

  return {
    report(message) {
      if (ended.signal.aborted) return
      waiting = message
      void send()
    },
    end: () => ended.abort(),
  }
}

const maxCharacters = 200

/** The one line of a tool's report that a client shows: its title, else the last line of the output so far. */
export function describeProgress(progress: {
  readonly title?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}): string {
  const output = progress.metadata?.output
  const line = typeof output === 'string' ? findLastLine(output) : ''
  return (line || progress.title || '').slice(0, maxCharacters)
}

function findLastLine(text: string): string {
  const trimmed = text.slice(-2000).trimEnd()
  return trimmed.slice(Math.max(trimmed.lastIndexOf('\n'), trimmed.lastIndexOf('\r')) + 1)
}
