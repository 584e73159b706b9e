import { existsSync } from 'node:fs'
import type { Sandbox } from '@deckhand/process'

/**
 * Where a path below /tmp leads for commands in the sandbox, so that the other tools find what commands made there.
 * Undefined for other paths, and for what is in the machine's /tmp alone: that is a place outside, and asked for.
 */
export function findPrivatePath(absolute: string, sandbox: Pick<Sandbox, 'outsidePath'>): string | undefined {
  const path = sandbox.outsidePath(absolute)
  return path !== undefined && (existsSync(path) || !existsSync(absolute)) ? path : undefined
}
