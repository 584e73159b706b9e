/** Variables from entries such as `NAME=value`, without those whose names `own` matches. What is no such entry is left out. */
export function parseEnvironment(entries: readonly string[], own: RegExp): Readonly<Record<string, string>> {
  return Object.fromEntries(
    entries.flatMap(entry => {
      // Windows has variables whose names begin with an equals sign.
      const at = entry.indexOf('=', 1)
      const name = entry.slice(0, at)
      return at <= 0 || own.test(name) ? [] : [[name, entry.slice(at + 1)] as const]
    }),
  )
}
