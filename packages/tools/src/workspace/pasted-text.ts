// Two classic slips of models: copying numbered lines of a read back into the file, and leaving out "the rest".

/** Why this content can't be meant as it is, and what to send instead; undefined where nothing is wrong. */
export function findPastedText(content: string, before: string): string | undefined {
  if (isNumbered(content) && !isNumbered(before)) {
    return 'its lines begin with the line numbers ("12| ") that read shows, which are not part of the file. Send the text without them'
  }
  const placeholder = findPlaceholder(content, before)
  if (placeholder === undefined) return undefined
  return `it stands for text that was left out (${JSON.stringify(placeholder)}), and would replace real lines by that. Send every line in full, or change only a part with edit`
}

/** Do most lines begin with `N| `, counting up? */
function isNumbered(text: string): boolean {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  let numbered = 0
  let last: number | undefined
  for (const line of lines) {
    const number = /^\s*(-?\d+)\| ?/.exec(line)?.[1]
    if (number === undefined) continue
    if (last === undefined || Number(number) > last) numbered++
    last = Number(number)
  }
  return numbered > 0 && numbered * 2 > lines.length
}

const leftOut =
  /^\s*(\/\/|#|\/\*|<!--|--|;|%|\{\/\*|\*)?\s*[[(]?\s*(\.{3}|…).*\b(rest of|remaining|existing|unchanged|previous|other|same|omitted|more)\b.*\b(code|file|content|contents|function|functions|method|methods|implementation|lines|imports|class|logic|unchanged|here|omitted|as before|same)\b/i
const leftOutAfter =
  /^\s*(\/\/|#|\/\*|<!--|--|;|%|\{\/\*)\s*[[(]?\s*((the )?rest of|remaining|existing|unchanged|previous|keep)\b.*\b(code|file|content|contents|function|functions|method|methods|implementation|lines|imports|class|logic)\b.*(\.{3}|…|unchanged|same|as before|omitted|here)/i

function findPlaceholder(content: string, before: string): string | undefined {
  const known = new Set(before.split('\n').map(line => line.trim()))
  return content
    .split('\n')
    .map(line => line.trim())
    .find(line => line.length < 200 && (leftOut.test(line) || leftOutAfter.test(line)) && !known.has(line))
}
