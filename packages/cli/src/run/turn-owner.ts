import { hostname } from 'node:os'
import type { TurnOwner } from '@deckhand/core'
import { isProcessAlive, readStartTicks } from '@deckhand/process'

/** This process, as the holder of a turn. */
export function createTurnOwner(now: number): TurnOwner {
  return { pid: process.pid, processStart: String(readStartTicks(process.pid)), host: hostname(), since: now }
}

/**
 * Does the holder still live? Of another machine that can't be known, so it counts as alive: two turns of one session
 * at once are worse than a message that says who holds it.
 */
export function isOwnerAlive({ pid, processStart, host }: TurnOwner): boolean {
  return host !== hostname() || isProcessAlive(pid, Number(processStart))
}
