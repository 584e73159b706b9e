import { Console } from 'node:console'
import type { CliContext } from '../cli-context.ts'

/** What libraries and plugins print with `console` goes to standard error: standard output is read by programs. */
export function sendConsoleToStderr({ stderr }: CliContext): void {
  globalThis.console = new Console({ stdout: stderr, stderr })
}
