const maxAlternatives = 64

/**
 * The texts that a brace list stands for: `{a,b{c,d}}` is a, bc, bd; `{1..3}` is 1, 2, 3. Undefined where it holds
 * quotes or expansions, or stands for more than 64.
 */
export function expandBraces(text: string): readonly string[] | undefined {
  if (/[$`'"\\]/.test(text)) return undefined
  const inner = text.slice(1, -1)
  return expandSequence(inner) ?? expandList(inner)
}

function expandSequence(inner: string): readonly string[] | undefined {
  const match = /^(-?\d{1,15}|[A-Za-z])\.\.(-?\d{1,15}|[A-Za-z])(?:\.\.-?\d{1,15})?$/.exec(inner)
  if (!match) return undefined
  const [, from = '', to = ''] = match
  if (/\d/.test(from)) return expandNumbers(Number(from), Number(to))
  const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)].sort((a, b) => a - b) as [number, number]
  return Array.from({ length: high - low + 1 }, (_, index) => String.fromCharCode(low + index))
}

// Numbers are all alike where it matters: a long row stands for itself by its ends.
function expandNumbers(from: number, to: number): readonly string[] {
  const [low, high] = from < to ? [from, to] : [to, from]
  if (high - low >= maxAlternatives) return [String(from), String(to)]
  return Array.from({ length: high - low + 1 }, (_, index) => String(low + index))
}

function expandList(inner: string): readonly string[] | undefined {
  const items = splitTopLevel(inner)
  const texts: string[] = []
  for (const item of items) {
    const expanded = expandItem(item)
    if (!expanded || texts.length + expanded.length > maxAlternatives) return undefined
    texts.push(...expanded)
  }
  return texts
}

function expandItem(item: string): readonly string[] | undefined {
  const open = item.indexOf('{')
  if (open === -1) return [item]
  const close = findClose(item, open)
  if (close === -1) return undefined
  const middle = expandBraces(item.slice(open, close + 1))
  const rest = expandItem(item.slice(close + 1))
  if (!middle || !rest || middle.length * rest.length > maxAlternatives) return undefined
  return middle.flatMap(text => rest.map(end => item.slice(0, open) + text + end))
}

function splitTopLevel(text: string): readonly string[] {
  const items: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}') depth--
    else if (text[at] === ',' && depth === 0) {
      items.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...items, text.slice(from)]
}

function findClose(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  return -1
}
