/** Finds a model that makes the same call with the same arguments over and over. */
export interface DoomLoopWatch {
  /** Counts a call; true when it is the `limit`-th same one in a row (and at each further multiple of it). */
  isLoop(tool: string, input: unknown): boolean
}

export const doomLoopLimit = 3

/** Makes a watch for one turn. Any different call in between starts the count anew. */
export function createDoomLoopWatch(limit: number = doomLoopLimit): DoomLoopWatch {
  let last = ''
  let count = 0
  return {
    isLoop(tool, input) {
      const call = `${tool} ${canonicalJson(input)}`
      count = call === last ? count + 1 : 1
      last = call
      return count % limit === 0
    },
  }
}

// The same arguments in another order are the same call.
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
