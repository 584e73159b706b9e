/** Where the program's own diagnostics go (`--verbose`). Never holds secrets or what users wrote. */
export interface Log {
  debug(message: string, facts?: Record<string, unknown>): void
  warn(message: string, facts?: Record<string, unknown>): void
}

/** Drops everything: the default for library users. */
export const silentLog: Log = { debug() {}, warn() {} }
