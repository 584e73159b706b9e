import { type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Can we get to the path without root's power over other users' files? In a sandbox root has none: what lies behind a
 * folder that is closed to it needs not be hidden there, and can't be. True for anyone but root, who has no such power.
 * `memory` keeps the answers for folders while many paths are looked at.
 */
export function isReachable(path: string, memory: Map<string, boolean>): boolean {
  const user = process.getuid?.()
  if (user !== 0) return true
  const folder = dirname(path)
  if (folder === path) return true
  const known = memory.get(folder)
  if (known !== undefined) return known
  const answer = isReachable(folder, memory) && mayEnter(folder)
  memory.set(folder, answer)
  return answer
}

function mayEnter(folder: string): boolean {
  const found: Stats | undefined = statSync(folder, { throwIfNoEntry: false })
  if (!found) return false
  const bit = found.uid === 0 ? 0o100 : found.gid === 0 ? 0o010 : 0o001
  return (found.mode & bit) !== 0
}
