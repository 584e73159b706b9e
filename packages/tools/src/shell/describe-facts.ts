import { constants } from 'node:os'
import type { Leftover } from '@deckhand/process'

/** The code by which shells tell that a command died by the signal. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

/** A process in words: its command, its pid, the ports that it listens on. */
export function describeProcess({ pid, command, listeningPorts }: Leftover): string {
  const ports = listeningPorts.length === 0 ? '' : `, listening on ${listeningPorts.join(', ')}`
  return `${command} (pid ${pid})${ports}`
}

/** `8 ms`, `3.2 s`, `120 s`, `12 min 5 s`. */
export function describeDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(1, Math.round(ms))} ms`
  const seconds = ms / 1000
  if (seconds <= 600) return `${seconds < 100 ? Number(seconds.toFixed(1)) : Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  return `${minutes} min ${Math.round(seconds - minutes * 60)} s`
}
