/** One place where two JSON values differ. */
export interface Difference {
  /** `messages[2].content`; empty for the whole. */
  readonly path: string
  readonly recorded: unknown
  readonly now: unknown
}

/** The first places where two JSON values differ, in the order of the recorded one; at most `limit`. */
export function findDifferences(recorded: unknown, now: unknown, limit: number): Difference[] {
  const found: Difference[] = []
  compare(recorded, now, '', found, limit)
  return found
}

/** In words, a block per difference; long texts are shown around the place where they part. */
export function describeDifferences(differences: readonly Difference[]): string {
  return differences
    .map(({ path, recorded, now }) => {
      const [before, after] = showPair(recorded, now)
      return `  ${path || 'the body'}\n    recorded: ${before}\n    now:      ${after}`
    })
    .join('\n')
}

function compare(recorded: unknown, now: unknown, path: string, found: Difference[], limit: number): void {
  if (found.length >= limit || recorded === now) return
  if (Array.isArray(recorded) && Array.isArray(now)) {
    for (let index = 0; index < Math.max(recorded.length, now.length); index++) {
      compare(recorded[index], now[index], `${path}[${index}]`, found, limit)
    }
    return
  }
  if (isBag(recorded) && isBag(now)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(now)])) {
      compare(recorded[key], now[key], path === '' ? key : `${path}.${key}`, found, limit)
    }
    return
  }
  found.push({ path, recorded, now })
}

const maxShown = 200
const shownBefore = 60

function showPair(recorded: unknown, now: unknown): [string, string] {
  if (typeof recorded !== 'string' || typeof now !== 'string') return [show(recorded), show(now)]
  let same = 0
  while (same < recorded.length && recorded[same] === now[same]) same++
  const start = Math.max(0, same - shownBefore)
  const cut = (text: string) => `${start > 0 ? '…' : ''}${show(text.slice(start))}`
  return [cut(recorded), cut(now)]
}

function show(value: unknown): string {
  if (value === undefined) return '(not there)'
  const json = JSON.stringify(value)
  return json.length > maxShown ? `${json.slice(0, maxShown)}…` : json
}

function isBag(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
