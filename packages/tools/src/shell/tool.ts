// One command per call, in a shell that goes on where the last call ended. What runs it lives in @deckhand/process, what
// its output looks like in output/.
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '@deckhand/core'
import { type AllowedCommand, analyseCall, askPermission } from './ask-permission.ts'
import { describeShellOutcome } from './describe-shell-outcome.ts'
import { describeResultFacts } from './judge-outcome.ts'
import { leaveSandbox } from './leave-sandbox.ts'
import { describeShellTool } from './prompt.ts'
import { runCommand } from './run-command.ts'
import { normaliseShell, type ShellInput, shellSchema } from './schema.ts'
import { fillLimits, type ShellDeps, type ShellSetup } from './shell-deps.ts'
import type { ShellOutcome } from './shell-outcome.ts'
import { startJob } from './start-job.ts'

/** The tool `shell`. */
export function createShellTool(deps: ShellDeps): Tool<typeof shellSchema> {
  const setup = fillLimits(deps)
  const { limits } = setup
  return {
    name: 'shell',
    description: describeShellTool({ ...limits, shownBytes: limits.shownHeadBytes + limits.shownTailBytes }),
    schema: shellSchema,
    annotations: {
      title: 'Run a command',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    normalise: normaliseShell,
    async execute(input, context) {
      refuseWhatIsNotThere(input)
      // Meanwhile: what a first command needs takes as long to make as the question does.
      void deps.runner.prepare()
      void deps.containment?.sandbox.prepare()
      const shell = deps.shells.open(input.shell ?? 'main')
      const analysed = await analyseCall(input, shell, setup)
      // A job leaves its shell's state as it is.
      const isShared = (input.background || !analysed.mayChangeState) && !input.reset
      return shell.turns.take(isShared, context.signal, async () => {
        if (input.reset) shell.reset()
        // Another call may have changed what the words mean while this one waited.
        const fresh = analysed.state === shell.state ? analysed : await analyseCall(input, shell, setup)
        const allowed = await askPermission(fresh, setup, context)
        if (input.background) return startJob(input, allowed, setup, context)
        return describe(input, await runAllowed(input, allowed, setup, context))
      })
    },
  }
}

function refuseWhatIsNotThere({ command, background, ready, tty, stdin }: ShellInput): void {
  if (command.includes('\0'))
    throw new ToolFailure('invalid-input', 'The command holds a NUL character, which no shell takes; nothing was run.')
  if (!background && (ready || tty || stdin))
    throw new ToolFailure(
      'invalid-input',
      'ready, tty and stdin are for jobs: set background true too, and go on with the job tool. Nothing was run.',
    )
}

/** Runs it; and again outside the sandbox, where that kept it from something and a person lets it out. */
async function runAllowed(
  input: ShellInput,
  allowed: AllowedCommand,
  setup: ShellSetup,
  context: ToolContext,
): Promise<ShellOutcome> {
  const first = await runCommand(input, allowed, setup, context)
  const leave = await leaveSandbox(first, allowed, setup, context)
  if (leave.kind === 'stay') return first.finish(leave.sandbox)
  first.discard()
  const second = await runCommand(input, { ...allowed, policy: leave.policy }, setup, context)
  return second.finish(leave.sandbox)
}

function describe({ command, description }: ShellInput, outcome: ShellOutcome): ToolResult {
  return {
    title: command,
    output: describeShellOutcome(outcome),
    metadata: describeResultFacts(outcome, description),
  }
}
