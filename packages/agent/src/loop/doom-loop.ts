/** Finds a model that makes the same call over and over, and gets the same answer each time. */
export interface DoomLoopWatch {
  /** Counts a call; true when it is the `limit`-th same one in a row (and at each further multiple of it). */
  isLoop(tool: string, input: unknown): boolean
  /** Tells what the call brought. Another answer than before is news, and the count starts anew: that is polling. */
  recordAnswer(tool: string, input: unknown, answer: string): void
}

export const doomLoopLimit = 3

/** Makes a watch for one turn. Any different call in between starts the count anew. */
export function createDoomLoopWatch(limit: number = doomLoopLimit): DoomLoopWatch {
  let last = ''
  let count = 0
  let lastAnswer: string | undefined
  return {
    isLoop(tool, input) {
      const call = identifyCall(tool, input)
      if (call !== last) lastAnswer = undefined
      count = call === last ? count + 1 : 1
      last = call
      return count % limit === 0
    },
    recordAnswer(tool, input, answer) {
      if (identifyCall(tool, input) !== last) return
      const comparable = withoutChance(answer)
      if (lastAnswer !== undefined && lastAnswer !== comparable) count = 1
      lastAnswer = comparable
    },
  }
}

// The same arguments in another order are the same call.
function identifyCall(tool: string, input: unknown): string {
  return `${tool} ${JSON.stringify(input, (_, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )}`
}

/** What differs between two runs of one command though nothing has changed: our fence's word, and how long it took. */
function withoutChance(answer: string): string {
  return answer.replace(/ fence="[0-9a-z]+"/g, '').replace(/\b\d+(\.\d+)? (ms|s|min)\b/g, '')
}
