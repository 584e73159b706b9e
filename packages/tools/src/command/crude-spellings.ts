const maxSpellings = 20_000
const maxWords = 6

/**
 * What might be commands in a text that can't be judged, for deny rules alone: the words after each separator, and
 * after each of the first few words, as wrappers put others before them. Finds too much rather than too little.
 */
export function crudeSpellings(text: string): readonly string[] {
  const spellings = new Set<string>()
  for (const segment of text.split(/[;|&\n\r(){}`"'\0<>]+/)) {
    const words = segment.replaceAll('\\', '').trim().split(/\s+/, 64)
    for (let at = 0; at < Math.min(words.length, maxWords); at++) {
      const [name = '', ...rest] = words.slice(at)
      if (name === '' || /^[-$]/.test(name)) continue
      spellings.add([name.slice(name.lastIndexOf('/') + 1), ...rest].join(' '))
    }
    if (spellings.size > maxSpellings) break
  }
  return [...spellings]
}
