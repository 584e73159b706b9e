import { randomText } from '@deckhand/core'

const wordLength = 6

/**
 * Puts text that somebody else wrote between two lines that say so, for the model:
 *
 *     <output of="npm test" fence="k3f9q2">
 *     …
 *     </output fence="k3f9q2">
 *
 * The word is fresh and random, so the text can't have been written to close the fence; were it in there by chance,
 * another is drawn. The text itself is never changed. `of` is shortened to one line of 120 characters.
 */
export function fenceText(text: string, of: string, createWord: () => string = createFenceWord): string {
  let word = createWord()
  while (text.includes(word)) word = createFenceWord()
  const body = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return `<output of="${describeSource(of)}" fence="${word}">\n${body}</output fence="${word}">`
}

/** A word for one fence: six characters of 0-9a-z. */
function createFenceWord(): string {
  return randomText(wordLength).toLowerCase()
}

// A source that holds quotes, brackets or line breaks must not be able to look like the end of the opening line.
function describeSource(of: string): string {
  const line = of
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('"', "'")
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .trim()
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
