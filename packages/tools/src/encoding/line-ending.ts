/** How the lines of a text end. */
export interface LineEndings {
  readonly crlf: number
  readonly lf: number
}

/** Counts them. */
export function countLineEndings(text: string): LineEndings {
  const all = text.split('\n').length - 1
  const crlf = text.split('\r\n').length - 1
  return { crlf, lf: all - crlf }
}

/** Words for a header; undefined for plain LF, which goes without saying. */
export function describeLineEndings({ crlf, lf }: LineEndings): string | undefined {
  if (crlf === 0) return undefined
  if (lf === 0) return 'CRLF line endings'
  return `mixed line endings (${crlf} CRLF, ${lf} LF)`
}
