/** One promise about speed: a figure against its limit. */
export interface BenchResult {
  readonly name: string
  /** What was measured, for people. */
  readonly figures: string
  /** A ratio, or a figure in `unit`. */
  readonly value: number
  readonly limit: number
  readonly unit: 'x' | 'ms' | 'MiB' | 'kB'
}

/** A script of this folder: measures and says what it found. */
export type Bench = () => Promise<readonly BenchResult[]>

/** One line for a result. */
export function describeResult({ name, figures, value, limit, unit }: BenchResult): string {
  const isOver = value > limit
  return `${isOver ? 'OVER' : 'ok  '} ${name.padEnd(42)} ${value.toFixed(2)} ${unit} (limit ${limit} ${unit})  ${figures}`
}

export function isOver({ value, limit }: BenchResult): boolean {
  return value > limit
}
