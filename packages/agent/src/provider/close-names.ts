/** Those of `names` that a person may have meant by `name`: the nearest first, at most three. */
export function findCloseNames(name: string, names: readonly string[]): string[] {
  const wanted = name.toLowerCase()
  const limit = Math.max(2, Math.floor(wanted.length / 3))
  return names
    .map(candidate => ({ candidate, distance: rateDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

function rateDistance(wanted: string, candidate: string): number {
  const shorter = Math.min(wanted.length, candidate.length)
  if (shorter >= 3 && (candidate.includes(wanted) || wanted.includes(candidate))) return 1
  return countEdits(wanted, candidate)
}

// Levenshtein's distance, a row at a time.
function countEdits(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
