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
import {
  type CommandRunner,
  findRefusals,
  type OutputLimits,
  type SandboxPolicy,
  type SandboxRefusal,
} from '@deckhand/process'
import { isInside, type Workspace } from '../workspace/workspace.ts'
import { type Containment, planContainment } from './containment.ts'
import { describeShellOutcome, describeStartFailure } from './describe-shell-outcome.ts'
import { describeProgress, describeResultFacts, endOf, judgeOutcome } from './judge-outcome.ts'
import { askToLeave } from './leave-sandbox.ts'
import { describeShellTool } from './prompt.ts'
import { normaliseShell, type ShellInput, shellSchema } from './schema.ts'
import type { ShellOutcome } from './shell-outcome.ts'
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
  /** Where commands are run in a sandbox. Without it they may do what we may. */
  readonly containment?: Containment
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
      void deps.containment?.sandbox.prepare()
      const allowed = await askPermission(input, workdir, deps, context)
      return runShell(input, allowed, { ...deps, limits }, context)
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

/** What is known once it may run. */
interface AllowedCommand {
  readonly command: string
  readonly workdir: Workdir
  readonly parts: readonly PermissionPart[]
  /** Undefined: without a sandbox. */
  readonly policy: SandboxPolicy | undefined
}

async function askPermission(
  { command }: ShellInput,
  workdir: Workdir,
  { assess, containment, workspace }: ShellDeps,
  context: ToolContext,
): Promise<AllowedCommand> {
  const assessed = [...(await assess(command, workdir.path)), ...workdir.parts]
  const { parts, policy } = containment
    ? await planContainment(assessed, { ...containment, workspace }, context)
    : { parts: assessed, policy: undefined }
  await context.ask({ title: command, parts, metadata: { cwd: workdir.path } })
  return { command, workdir, parts, policy }
}

type Setup = Omit<ShellDeps, 'limits'> & { readonly limits: ShellLimits }

/** Runs it; and again outside the sandbox, where that kept it from something and a person lets it out. */
async function runShell(
  input: ShellInput,
  allowed: AllowedCommand,
  setup: Setup,
  context: ToolContext,
): Promise<ToolResult> {
  const first = await runOnce(input, allowed, setup, context)
  const refusals = findCallRefusals(first, allowed)
  const masked = findMasked(first, allowed, setup.workspace)
  if (!allowed.policy || refusals.length === 0 || !setup.containment?.canLeave)
    return describe(input, {
      ...first,
      ...((refusals.length > 0 || masked.length > 0) && { sandbox: { refusals, masked } }),
    })
  const { command, workdir, parts, policy } = allowed
  const leave = await askToLeave({ command, cwd: workdir.path, parts, policy, refusals }, context)
  if (!leave.may) return describe(input, { ...first, sandbox: { refusals, masked, leave: leave.story } })
  const second = await runOnce(input, { ...allowed, policy: leave.policy }, setup, context)
  return describe(input, { ...second, sandbox: { refusals, masked: [], leave: { kind: leave.kind } } })
}

function describe({ command, description }: ShellInput, outcome: ShellOutcome): ToolResult {
  return {
    title: command,
    output: describeShellOutcome(outcome),
    metadata: describeResultFacts(outcome, description),
  }
}

function hasFailed({ run: { end }, benign }: ShellOutcome): boolean {
  return end.kind === 'exited' && end.code !== 0 && benign === undefined
}

function findCallRefusals(outcome: ShellOutcome, { policy, workdir }: AllowedCommand): readonly SandboxRefusal[] {
  return policy && hasFailed(outcome) ? findRefusals(endOf(outcome.view), { policy, cwd: workdir.path }) : []
}

// Programs that miss such a file often say nothing of it.
function findMasked(
  outcome: ShellOutcome,
  { policy }: AllowedCommand,
  { roots, resolve }: Workspace,
): readonly string[] {
  if (!policy || !hasFailed(outcome)) return []
  return policy.maskedPaths.filter(path => roots.some(root => isInside(path, root))).map(path => resolve(path).shown)
}

async function runOnce(
  { command, timeoutMs: wishedMs, description }: ShellInput,
  { workdir, policy }: AllowedCommand,
  { runner, environment, withheld = [], logDirectory, shell = 'bash', limits, containment }: Setup,
  { signal, report }: ToolContext,
): Promise<ShellOutcome> {
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
    ...(containment && policy && { sandbox: { sandbox: containment.sandbox, policy } }),
    onOutput: snapshot => report({ title: command, metadata: describeProgress(snapshot, description) }),
  })
  if (run.end.kind === 'failed-to-start') throw new ToolFailure('io', describeStartFailure(run.end), { ...run.end })
  return judgeOutcome({ command, run, workdir, wishedMs, timeoutMs, limits, logPath, withheld })
}
