/** A size of an output, to three digits, so that a count in words is true to a percent: `312 bytes`, `2.86 MB`, `12.3 MB`. */
export function describeSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  const power = bytes < 1000 * 1024 ? 1 : bytes < 1000 * 1024 ** 2 ? 2 : 3
  const value = bytes / 1024 ** power
  const digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
  return `${value.toFixed(digits)} ${['KB', 'MB', 'GB'][power - 1]}`
}
