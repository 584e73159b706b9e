import type { CliContext } from '../cli-context.ts'

const lookEveryMs = 200

/**
 * Ends the program when its work is done, whatever a plugin has left running (a timer, a connection): that would keep
 * it alive for ever. What was written goes out first.
 */
export function endDespitePlugins({ stdout, stderr }: CliContext): void {
  const timer = setInterval(() => {
    if (stdout.writableLength === 0 && stderr.writableLength === 0) process.exit()
  }, lookEveryMs)
  timer.unref()
}
