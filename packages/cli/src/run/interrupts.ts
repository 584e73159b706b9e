/** The ways in which a run is told from outside to end. */
export interface Interrupts {
  /** Aborts at the first Ctrl-C, SIGTERM or hang-up, and when nobody reads our output any more. */
  readonly signal: AbortSignal
  /** As if Ctrl-C had been pressed: for questions that read the keyboard themselves. */
  interrupt(): void
  /** Stops listening. */
  stop(): void
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Listens. The first signal ends the turn in good order; the second calls `onSecond`, which must end the process at
 * once.
 */
export function listenForInterrupts(stdout: NodeJS.WriteStream, onSecond: () => void): Interrupts {
  const controller = new AbortController()
  const interrupt = () => {
    if (controller.signal.aborted) onSecond()
    else controller.abort(new DOMException('The run was interrupted.', 'AbortError'))
  }
  const onClosed = () => {
    if (!controller.signal.aborted)
      controller.abort(new DOMException('Nobody reads the output any more.', 'AbortError'))
  }
  for (const name of signals) process.on(name, interrupt)
  stdout.on('close', onClosed)
  return {
    signal: controller.signal,
    interrupt,
    stop() {
      for (const name of signals) process.off(name, interrupt)
      stdout.off('close', onClosed)
    },
  }
}
