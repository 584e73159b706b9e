import { ToolFailure } from '@deckhand/core'

const named: Readonly<Record<string, string>> = {
  enter: '\r',
  return: '\r',
  tab: '\t',
  space: ' ',
  escape: '\x1b',
  esc: '\x1b',
  backspace: '\x7f',
  delete: '\x1b[3~',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  'page-up': '\x1b[5~',
  'page-down': '\x1b[6~',
  'shift-tab': '\x1b[Z',
}

/** What a terminal sends for a key: a name, `ctrl-c`, `alt-x`, or a character. Throws ToolFailure for another word. */
export function encodeKey(key: string): string {
  const name = key
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^(control|c)-/, 'ctrl-')
    .replace(/^\^(.)$/, 'ctrl-$1')
  if (Object.hasOwn(named, name)) return named[name] ?? ''
  const control = /^ctrl[-+]([a-z[\\\]^_@])$/.exec(name)?.[1]
  if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f)
  const alt = /^alt[-+](.)$/u.exec(key)?.[1]
  if (alt !== undefined) return `\x1b${alt}`
  if ([...key].length === 1) return key
  throw new ToolFailure(
    'invalid-input',
    `There is no key ${key}; nothing was written. Keys are ${Object.keys(named).join(', ')}, ctrl-c, alt-x and single characters; what is to be typed goes into text.`,
  )
}
