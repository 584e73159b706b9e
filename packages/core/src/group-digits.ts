/** A count for people and the model, with commas: `1,234,567`. `toLocaleString` gives the same, and takes 8 ms at first. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
