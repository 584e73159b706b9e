import type { ToolContext, ToolResult } from '@deckhand/core'
import { analyseCall, askPermission } from './ask-permission.ts'
import type { ShellInput } from './schema.ts'
import type { ShellSetup } from './shell-deps.ts'
import { startJob } from './start-job.ts'

/** Starts a command as a job once it may run. `before` is called when it may, just before it starts. */
export async function runAsJob(
  input: ShellInput,
  setup: ShellSetup,
  context: ToolContext,
  before?: () => Promise<unknown>,
): Promise<ToolResult> {
  const shell = setup.shells.open(input.shell ?? 'main')
  return shell.turns.take(true, context.signal, async () => {
    const allowed = await askPermission(await analyseCall(input, shell, setup), setup, context)
    await before?.()
    return startJob(input, allowed, setup, context)
  })
}
