/** Who may go when: those that share go side by side, all others one at a time, in the order in which they came. */
export interface TurnQueue {
  /** Waits for its turn and does the work in it. Rejects with the signal's reason when that aborts the waiting. */
  take<Result>(isShared: boolean, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

interface Waiting {
  readonly isShared: boolean
  go(): void
}

/** Makes a queue. Work that throws gives its turn up like any other. */
export function createTurnQueue(): TurnQueue {
  const waiting: Waiting[] = []
  let running = 0
  let isExclusive = false

  function startNext(): void {
    for (let next = waiting[0]; next; next = waiting[0]) {
      if (isExclusive || (running > 0 && !next.isShared)) return
      waiting.shift()
      running++
      isExclusive = !next.isShared
      next.go()
    }
  }

  async function waitForTurn(isShared: boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const turn = Promise.withResolvers<void>()
    const entry = { isShared, go: turn.resolve }
    const onAbort = () => {
      const at = waiting.indexOf(entry)
      if (at !== -1) waiting.splice(at, 1)
      startNext()
      turn.reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort)
    waiting.push(entry)
    startNext()
    try {
      await turn.promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  return {
    async take(isShared, signal, work) {
      await waitForTurn(isShared, signal)
      try {
        return await work()
      } finally {
        running--
        isExclusive = false
        startNext()
      }
    },
  }
}
