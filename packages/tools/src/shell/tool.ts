// One command per call. What runs it lives in @deckhand/process, what its output looks like in output/.
import { join } from 'node:path'
import {
  type PermissionPart,
  randomText,
  type Tool,
  type ToolContext,
  ToolFailure,
  type ToolResult,
} from '@deckhand/core'
import type { CommandRunner, OutputLimits } from '@deckhand/process'
import type { Workspace } from '../workspace/workspace.ts'
import { describeShellOutcome, describeStartFailure } from './describe-shell-outcome.ts'
import { describeProgress, describeResultFacts, judgeOutcome } from './judge-outcome.ts'
import { describeShellTool } from './prompt.ts'
import { normaliseShell, type ShellInput, shellSchema } from './schema.ts'
import { findWorkdir, type Workdir } from './workdir.ts'

export interface ShellLimits {
  readonly defaultTimeoutMs: number
  readonly maxTimeoutMs: number
  /** What is shown of an output: of its start, and of its end, where errors usually are. */
  readonly shownHeadBytes: number
  readonly shownTailBytes: number
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs: number
  readonly output?: Partial<OutputLimits>
}

const defaultShellLimits: ShellLimits = {
  defaultTimeoutMs: 120_000,
  maxTimeoutMs: 600_000,
  shownHeadBytes: 12 * 1024,
  shownTailBytes: 18 * 1024,
  graceMs: 2000,
}

export interface ShellDeps {
  readonly workspace: Workspace
  readonly runner: CommandRunner
  /** What a command would do, for the permission question; at least one part. */
  assess(command: string, cwd: string): Promise<readonly PermissionPart[]>
  /** The environment of commands; see `createChildEnvironment`. */
  readonly environment: Readonly<Record<string, string>>
  /** Names of variables that were kept from commands; told where a command speaks of one. */
  readonly withheld?: readonly string[]
  /** Where whole outputs are kept that are too long to be shown. */
  readonly logDirectory: string
  /** Default: `bash`, as found on PATH. */
  readonly shell?: string
  readonly limits?: Partial<ShellLimits>
}

/** The tool `shell`. */
export function createShellTool(deps: ShellDeps): Tool<typeof shellSchema> {
  const limits = { ...defaultShellLimits, ...deps.limits }
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
      const workdir = findWorkdir(deps.workspace, input.workdir)
      // Meanwhile: what a first command needs takes as long to make as the question does.
      void deps.runner.prepare()
      await askPermission(input, workdir, deps, context)
      return runShell(input, workdir, { ...deps, limits }, context)
    },
  }
}

function refuseWhatIsNotThere({ command, background }: ShellInput): void {
  if (command.includes('\0'))
    throw new ToolFailure('invalid-input', 'The command holds a NUL character, which no shell takes; nothing was run.')
  if (background)
    throw new ToolFailure(
      'unsupported',
      'Background jobs are not there yet, so nothing was run. Start it in the command itself, `cmd > log 2>&1 &`: the call returns at once, it runs on until Deckhand ends, and the log can be read at any time.',
    )
}

async function askPermission(
  { command }: ShellInput,
  workdir: Workdir,
  { assess }: ShellDeps,
  { ask }: ToolContext,
): Promise<void> {
  const parts = await assess(command, workdir.path)
  await ask({ title: command, parts: [...parts, ...workdir.parts], metadata: { cwd: workdir.path } })
}

type Setup = Omit<ShellDeps, 'limits'> & { readonly limits: ShellLimits }

async function runShell(
  { command, timeoutMs: wishedMs, description }: ShellInput,
  workdir: Workdir,
  { runner, environment, withheld = [], logDirectory, shell = 'bash', limits }: Setup,
  { signal, report }: ToolContext,
): Promise<ToolResult> {
  const timeoutMs = Math.min(wishedMs ?? limits.defaultTimeoutMs, limits.maxTimeoutMs)
  const logPath = join(logDirectory, `shell-${randomText(16)}.log`)
  const run = await runner.run({
    // --norc: a bash that takes itself for started by ssh would read ~/.bashrc even with -c.
    argv: [shell, '--noprofile', '--norc', '-c', command],
    cwd: workdir.path,
    environment,
    timeoutMs,
    signal,
    logPath,
    limits: limits.output,
    graceMs: limits.graceMs,
    onOutput: snapshot => report({ title: command, metadata: describeProgress(snapshot, description) }),
  })
  if (run.end.kind === 'failed-to-start') throw new ToolFailure('io', describeStartFailure(run.end), { ...run.end })
  const outcome = await judgeOutcome({ command, run, workdir, wishedMs, timeoutMs, limits, logPath, withheld })
  return {
    title: command,
    output: describeShellOutcome(outcome),
    metadata: describeResultFacts(outcome, description),
  }
}
