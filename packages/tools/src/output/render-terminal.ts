/**
 * The text as a terminal would show it in the end: carriage returns and backspaces overwrite, lines that are erased or
 * redrawn stand there in their last form only, colours, titles and other escape sequences are gone. Nothing is lost to
 * a cleared screen, and there is no right margin. A NUL, which a terminal hides, is shown as ␀.
 */
export function renderTerminal(text: string): string {
  if (!special.test(text)) return text
  const screen = createScreen()
  for (const [token, parameters = '', command] of text.matchAll(tokens)) {
    if (command !== undefined) moveOrErase(screen, command, parameters)
    else if (token.length === 1 && /[\0\n\v\f\r\b]/.test(token)) control(screen, token)
    else if (!special.test(token)) screen.write(token)
  }
  return screen.text()
}

// All control characters but tab and line feed.
const special = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/

const tokens = new RegExp(
  [
    // CSI: moves, erases, colours.
    /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])/,
    // OSC: titles, links. Ends with BEL or ST; one without an end is dropped up to the end of its line.
    /(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?/,
    // DCS, SOS, PM, APC with their bodies.
    /(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*(?:\x1b\\|\x9c)/,
    // Other escapes: character sets, keypad modes.
    /\x1b[ -/]*[0-~]?/,
    /[\x00-\x08\x0a-\x1f\x7f-\x9f]/,
    /[^\x00-\x08\x0a-\x1f\x7f-\x9f]+/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

interface Screen {
  write(text: string): void
  newLine(): void
  /** The cursor, relative. Stays between the first and the last line, as on a screen. */
  move(rows: number, columns: number): void
  toColumn(column: number): void
  /** Starts a new line below all that is there. */
  toEnd(): void
  eraseLine(part: number): void
  eraseBelow(): void
  text(): string
}

const nul = '\u2400'

function control(screen: Screen, character: string): void {
  if (character === '\0') screen.write(nul)
  else if (character === '\r') screen.toColumn(0)
  else if (character === '\b') screen.move(0, -1)
  else screen.newLine()
}

// More columns than a screen has: what goes farther is not meant for one.
const farthest = 400

function moveOrErase(screen: Screen, command: string, parameters: string): void {
  const number = Math.min(Number.parseInt(parameters, 10) || 0, farthest)
  csiActions[command]?.(screen, number, number || 1)
}

/** By final character. `number` is 0 and `count` is 1 where none is given; what is not here changes no text. */
const csiActions: Readonly<Record<string, (screen: Screen, number: number, count: number) => void>> = {
  A: (screen, _, count) => screen.move(-count, 0),
  B: (screen, _, count) => screen.move(count, 0),
  C: (screen, _, count) => screen.move(0, count),
  D: (screen, _, count) => screen.move(0, -count),
  E: (screen, _, count) => {
    screen.move(count, 0)
    screen.toColumn(0)
  },
  F: (screen, _, count) => {
    screen.move(-count, 0)
    screen.toColumn(0)
  },
  G: (screen, _, count) => screen.toColumn(count - 1),
  H: screen => screen.toEnd(),
  f: screen => screen.toEnd(),
  J: (screen, number) => (number === 0 ? screen.eraseBelow() : screen.toEnd()),
  K: (screen, number) => screen.eraseLine(number),
}

/** A line is a text as long as it only grows; written over, it becomes cells, one for each code point. */
interface Line {
  text: string
  cells: string[] | undefined
}

function createScreen(): Screen {
  const lines: Line[] = [{ text: '', cells: undefined }]
  let row = 0
  let column = 0
  // Counted lazily: only needed once something is written over.
  let isAtEnd = true

  function current(): Line {
    while (lines.length <= row) lines.push({ text: '', cells: undefined })
    return lines[row] ?? { text: '', cells: undefined }
  }

  function toCells(line: Line): string[] {
    line.cells ??= Array.from(line.text)
    return line.cells
  }

  // From here on the column is known.
  function leaveEnd(): void {
    if (isAtEnd) column = toCells(current()).length
    isAtEnd = false
  }

  function overwrite(text: string): void {
    const cells = toCells(current())
    while (cells.length < column) cells.push(' ')
    for (const character of text) cells[column++] = character
  }

  return {
    write(text) {
      const line = current()
      if (isAtEnd && !line.cells) line.text += text
      else {
        leaveEnd()
        overwrite(text)
      }
    },
    newLine() {
      row++
      column = 0
      const line = current()
      isAtEnd = line.text === '' && !line.cells
    },
    move(rows, columns) {
      leaveEnd()
      row = Math.min(Math.max(0, row + rows), lines.length - 1)
      column = Math.max(0, columns > 0 ? Math.max(column, Math.min(column + columns, farthest)) : column + columns)
    },
    toColumn(to) {
      if (isAtEnd && to === 0 && current().text === '') return
      isAtEnd = false
      column = to
    },
    toEnd() {
      const last = lines.at(-1)
      const isEmpty = last === undefined || (last.text === '' && !last.cells?.length)
      row = lines.length - (isEmpty ? 1 : 0)
      column = 0
      isAtEnd = true
    },
    eraseLine(part) {
      if (part === 0 && isAtEnd) return
      leaveEnd()
      const cells = toCells(current())
      if (part === 0) cells.length = Math.min(cells.length, column)
      else if (part === 2) cells.length = 0
      else cells.fill(' ', 0, column + 1)
    },
    eraseBelow() {
      this.eraseLine(0)
      current()
      lines.length = row + 1
    },
    text: () => lines.map(showLine).join('\n'),
  }
}

// Blanks at the end of a line that was written over are what a longer text before left behind.
function showLine({ text, cells }: Line): string {
  if (!cells) return text
  const last = cells.findLastIndex(cell => cell !== ' ')
  return cells.slice(0, last + 1).join('')
}
