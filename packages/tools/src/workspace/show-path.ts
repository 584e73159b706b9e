/** A path or file name on one line: control characters and line breaks are shown as escapes, in quotes. */
export function showPath(path: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(path) ? JSON.stringify(path) : path
}
