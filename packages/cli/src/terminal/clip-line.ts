/** A line as wide as the screen at most: what is over is cut, and `…` says so. Tabs count as two columns. */
export function clipLine(line: string, columns: number): string {
  const text = line.replaceAll('\t', '  ')
  if (text.length <= columns && /^[\x20-\x7e]*$/.test(text)) return text
  let width = 0
  let keptLength = 0
  let length = 0
  for (const { segment } of splitCharacters(text)) {
    width += widthOf(segment)
    length += segment.length
    if (width > columns) return `${text.slice(0, keptLength)}…`
    if (width <= columns - 1) keptLength = length
  }
  return text
}

let segmenter: Intl.Segmenter | undefined

// A picture may be several characters that are drawn as one, and must not be cut inside. The segmenter takes 7 ms to
// make, which most runs can do without.
function splitCharacters(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

const wide =
  /^[\p{Emoji_Presentation}\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]|\ufe0f/u

function widthOf(segment: string): number {
  if (/^[\p{Mn}\p{Me}\p{Cf}]+$/u.test(segment)) return 0
  return wide.test(segment) ? 2 : 1
}
