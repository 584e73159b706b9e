/**
 * Does the pattern match the whole text? `*` is any text (also across slashes and line ends), `?` is one character,
 * everything else stands for itself. A pattern that ends in ` *` also matches without what follows: `git status *`
 * matches `git status`. Its time is bounded by the product of both lengths, whatever the pattern.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  if (pattern === '*' || pattern === text) return true
  if (matchesWhole(pattern, text)) return true
  return pattern.endsWith(' *') && matchesWhole(pattern.slice(0, -2), text)
}

function matchesWhole(pattern: string, text: string): boolean {
  // A rule's fixed start rules out most texts at once.
  if (pattern !== '' && pattern[0] !== '*' && pattern[0] !== '?' && pattern[0] !== text[0]) return false
  return pattern.includes('?') && hasSurrogates(text)
    ? matchesUnits([...pattern], [...text])
    : matchesUnits(pattern, text)
}

function hasSurrogates(text: string): boolean {
  return /[\ud800-\udfff]/.test(text)
}

// Only the last star is ever tried again: an earlier one has already taken the least that it can.
function matchesUnits(pattern: ArrayLike<string>, text: ArrayLike<string>): boolean {
  let at = 0
  let inText = 0
  let star = -1
  let starText = 0
  while (inText < text.length) {
    if (pattern[at] === '*') {
      star = at++
      starText = inText
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[inText])) {
      at++
      inText++
    } else if (star !== -1) {
      at = star + 1
      inText = ++starText
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
