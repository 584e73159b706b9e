export interface WatchLimits {
  /** From the request to the first byte of the answer's body. */
  readonly firstByteTimeoutMs: number
  /** Between two bytes of it. */
  readonly idleTimeoutMs: number
}

/** What became of a request that did not keep a limit. */
export type Silence = { readonly phase: 'first-byte' | 'idle'; readonly limitMs: number }

export interface WatchHooks {
  /** The reason to give when the server says nothing for too long. */
  createError(silence: Silence): Error
  /** The body of the answer to the request with this signal broke, or fell silent. It ends as if it were whole. */
  onBroken(signal: AbortSignal | null | undefined, error: unknown): void
}

/**
 * A fetch that ends by itself: when the server says nothing for too long, and when its last event has come, though the
 * connection stays open. Any byte counts as a sign of life, so a server that sends comments while a model thinks is
 * waited for. The clock stands still while nobody reads.
 *
 * A body that breaks is closed cleanly and `onBroken` is told: an error in a stream would throw away what had come
 * before it and was not read yet, the last words before a cut.
 */
export function createWatchedFetch(base: typeof fetch, limits: WatchLimits, hooks: WatchHooks): typeof fetch {
  return async (input, init) => {
    const silent = new AbortController()
    const signals = init?.signal ? [init.signal, silent.signal] : [silent.signal]
    const watch = createTimer(silence => silent.abort(hooks.createError(silence)))
    watch.start('first-byte', limits.firstByteTimeoutMs)
    try {
      const response = await base(input, { ...init, signal: AbortSignal.any(signals) })
      if (!response.body) {
        watch.stop()
        return response
      }
      const body = watchBody(response.body, limits.idleTimeoutMs, watch, silent.signal, (error, controller) => {
        if (init?.signal?.aborted) return controller.error(error)
        hooks.onBroken(init?.signal, error)
        controller.close()
      })
      return new Response(body, {
        status: response.status,
        statusText: response.statusText,
        headers: response.headers,
      })
    } catch (error) {
      watch.stop()
      throw error
    }
  }
}

interface Timer {
  start(phase: Silence['phase'], limitMs: number): void
  stop(): void
}

function createTimer(onSilence: (silence: Silence) => void): Timer {
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  return {
    start(phase, limitMs) {
      stop()
      // A timer can't be longer than 24.8 days: more than that means "no limit".
      if (limitMs < 2 ** 31) timer = setTimeout(() => onSilence({ phase, limitMs }), limitMs)
    },
    stop,
  }
}

function watchBody(
  body: ReadableStream<Uint8Array>,
  idleTimeoutMs: number,
  timer: Timer,
  silent: AbortSignal,
  onBroken: (error: unknown, controller: ReadableStreamDefaultController<unknown>) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  const isLast = createEndDetector()
  let began = false
  // Ends a read that waits, also where the body does not hear the signal of its request.
  silent.addEventListener('abort', () => void reader.cancel(silent.reason).catch(() => undefined), { once: true })
  return new ReadableStream(
    {
      async pull(controller) {
        if (began) timer.start('idle', idleTimeoutMs)
        try {
          const { done, value } = await reader.read()
          began = true
          timer.stop()
          silent.throwIfAborted()
          if (done) return controller.close()
          controller.enqueue(value as Uint8Array<ArrayBuffer>)
          if (!isLast(value)) return
          await leaveSoon(reader)
          controller.close()
        } catch (error) {
          timer.stop()
          onBroken(error, controller)
        }
      },
      async cancel(reason) {
        timer.stop()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

const endGraceMs = 200

// The connection can be used again only if it is read to its end, which mostly comes with the last event.
async function leaveSoon(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const cancel = () => void reader.cancel().catch(() => undefined)
  const timer = setTimeout(cancel, endGraceMs)
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer was whole; how its connection ended is of no matter.
  } finally {
    clearTimeout(timer)
  }
}

const lastEvents = /\n(?:data: ?\[DONE\]|event: ?(?:response\.(?:completed|incomplete|failed)|message_stop)\r?\n)/

/**
 * Tells whether a stream of server-sent events has ended, by its own words: some proxies keep the connection open
 * after the last event, and waiting for its end would waste a finished answer.
 */
function createEndDetector(): (chunk: Uint8Array) => boolean {
  const decoder = new TextDecoder()
  // As if after a line's end, since the first line may be the last event.
  let tail = '\n'
  let ending = false
  return chunk => {
    tail += decoder.decode(chunk, { stream: true })
    if (!ending) {
      const match = lastEvents.exec(tail)
      // Kept: as much as may be the beginning of a last event.
      tail = match ? tail.slice(match.index + 1) : tail.slice(-64)
      ending = match !== null
    }
    const ended = ending && /\r?\n\r?\n/.test(tail)
    // The last event of Responses holds the whole answer again; only its end matters.
    if (ending && !ended) tail = tail.slice(-4)
    return ended
  }
}
