import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isPidTaken } from '../table/process-table.ts'

const abandonedAfterMs = 3_600_000

/**
 * Removes the folders `<prefix><pid>-…` of processes that are gone: one that was killed before it had a watch beside it
 * could not clean up, so a later one does. The hour is for a process of another container that shares the folder: it
 * lives, and looks dead from here.
 */
export async function removeAbandonedFolders(directory: string, prefix: string): Promise<void> {
  const names = (await readdir(directory)).filter(name => name.startsWith(prefix))
  for (const name of names) {
    const pid = Number(name.slice(prefix.length).split('-')[0])
    const path = join(directory, name)
    try {
      const isOld = Date.now() - (await stat(path)).mtimeMs > abandonedAfterMs
      if (isOld && !isPidTaken(pid)) await rm(path, { recursive: true, force: true })
    } catch {
      // Gone meanwhile, or another user's.
    }
  }
}
