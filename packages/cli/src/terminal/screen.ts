export interface ScreenOptions {
  /** The answer. */
  readonly write: (text: string) => void
  /** All else: standard error where only the answer belongs on standard output. */
  readonly writeNote: (text: string) => void
  /** May one line be drawn over and over? Elsewhere no cursor is ever moved. */
  readonly isTerminal: boolean
}

/** Keeps apart what is written to one picture: the flowing answer, whole lines, and a status line that comes and goes. */
export interface Screen {
  /** Whole lines. */
  note(text: string): void
  /** More of the answer. */
  flow(text: string): void
  /** More of the model's thoughts. */
  think(text: string): void
  /** Ends a line that is still open. */
  close(): void
  /** Drawn over the status before; nothing where the picture is no terminal. */
  status(line: string): void
  /** A question stands on the screen: what comes meanwhile waits, so that nobody's typing is torn apart. */
  hold(): void
  release(): void
}

const clearLine = '\r\u001b[K'

/** Makes the screen of one run. */
export function createScreen({ write, writeNote, isTerminal }: ScreenOptions): Screen {
  let open: 'answer' | 'thought' | undefined
  let endsLine = true
  let hasStatus = false
  let held: (() => void)[] | undefined

  function clearStatus(): void {
    if (hasStatus) writeNote(clearLine)
    hasStatus = false
  }

  function closeOpen(): void {
    if (open !== undefined && !endsLine) (open === 'answer' ? write : writeNote)('\n')
    open = undefined
  }

  function begin(kind: 'answer' | 'thought'): void {
    clearStatus()
    if (open === kind) return
    closeOpen()
    writeNote('\n')
    open = kind
  }

  function later(act: () => void): void {
    if (held) held.push(act)
    else act()
  }

  return {
    note: text =>
      later(() => {
        clearStatus()
        closeOpen()
        writeNote(`${text}\n`)
      }),

    flow: text =>
      later(() => {
        if (text === '') return
        begin('answer')
        write(text)
        endsLine = text.endsWith('\n')
      }),

    think: text =>
      later(() => {
        if (text === '') return
        begin('thought')
        writeNote(text)
        endsLine = false
      }),

    close: () => later(closeOpen),

    status(line) {
      if (!isTerminal || held || open !== undefined) return
      writeNote(`${clearLine}${line}`)
      hasStatus = true
    },

    hold() {
      clearStatus()
      held ??= []
    },

    release() {
      const waiting = held ?? []
      held = undefined
      for (const act of waiting) act()
    },
  }
}
