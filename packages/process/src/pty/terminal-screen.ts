import xterm from '@xterm/headless'

/** A terminal's screen, as the programs on it believe it to be. */
export interface TerminalScreen {
  /** Takes what a program printed. */
  write(bytes: Uint8Array): void
  resize(columns: number, rows: number): void
  /** What is to be seen, line by line; blank ends of lines and empty lines at the end are left out. */
  read(): Promise<string>
  close(): void
}

export interface ScreenOptions {
  readonly columns: number
  readonly rows: number
  /** What the terminal itself answers to programs that ask it (where is the cursor, what are you). */
  onAnswer(text: string): void
}

/** Makes an empty screen. */
export function createTerminalScreen({ columns, rows, onAnswer }: ScreenOptions): TerminalScreen {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true })
  terminal.onData(onAnswer)
  return {
    write: bytes => terminal.write(bytes),
    resize: (newColumns, newRows) => terminal.resize(newColumns, newRows),
    async read() {
      // Writing is put off; the callback comes after all before it.
      await new Promise<void>(resolve => terminal.write('', resolve))
      const { active } = terminal.buffer
      const lines = Array.from({ length: terminal.rows }, (_, row) => {
        return active.getLine(active.viewportY + row)?.translateToString(true) ?? ''
      })
      return lines.join('\n').trimEnd()
    },
    close: () => terminal.dispose(),
  }
}
