import { distance } from 'fastest-levenshtein'

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
  return distance(wanted, candidate)
}
