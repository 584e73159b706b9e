import { groupDigits } from '@deckhand/core'
/** A size for people and the model: `12 bytes`, `9.8 KB`, `3.4 MB` (1 KB is 1,024 bytes). */
export function describeBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = bytes / 1024
  let unit = 0
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value.toFixed(1)} ${units[unit]}`
}

/** A number with its noun: `1 line`, `5,000 lines`. */
export function describeCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${groupDigits(count)} ${count === 1 ? noun : plural}`
}
