// Before anything runs: what the command would do, in the state that its shell is in, and whether it may.
import type { PermissionPart, ToolContext } from '@deckhand/core'
import type { NamedShell, SandboxPolicy, ShellState } from '@deckhand/process'
import { planContainment } from './containment.ts'
import type { ShellInput } from './schema.ts'
import type { ShellSetup } from './shell-deps.ts'
import { mayChangeShell } from './state-words.ts'
import { findWorkdir, type Workdir } from './workdir.ts'

/** What a command would do, as of a state of its shell. */
export interface AnalysedCall {
  readonly command: string
  readonly shell: NamedShell
  /** The state for which this holds. */
  readonly state: ShellState
  readonly workdir: Workdir
  readonly parts: readonly PermissionPart[]
  /** Whether its words could change the shell's state. Such calls take turns, in their order; others run side by side. */
  readonly mayChangeState: boolean
}

/** What is known once it may run. */
export interface AllowedCommand extends AnalysedCall {
  /** Undefined: without a sandbox. */
  readonly policy: SandboxPolicy | undefined
  /** Variables for this call alone; undefined removes one. Never told to the model. */
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** Analyses a call. Throws ToolFailure when there is no such workdir. */
export async function analyseCall(
  { command, workdir: wish }: ShellInput,
  shell: NamedShell,
  { workspace, assess }: ShellSetup,
): Promise<AnalysedCall> {
  const { state } = shell
  const workdir = findWorkdir(workspace, wish, state.cwd)
  const assessed = await assess(command, workdir.path, state)
  const mayChangeState = mayChangeShell(command, shell.kind, state)
  return { command, shell, state, workdir, parts: [...assessed, ...workdir.parts], mayChangeState }
}

/**
 * Returns once it may run, with the variables that plugins have for it. Throws PermissionDenied where it may not,
 * ToolFailure where a plugin fails.
 */
export async function askPermission(
  call: AnalysedCall,
  { containment, workspace, hooks }: ShellSetup,
  context: ToolContext,
): Promise<AllowedCommand> {
  const { command, workdir, state } = call
  const { parts, policy } = containment
    ? await planContainment(call.parts, { ...containment, workspace }, context)
    : { parts: call.parts, policy: undefined }
  await context.ask({ title: command, parts, metadata: { cwd: workdir.path } })
  const { sessionID, callID, signal } = context
  const hooked = { sessionID, callID, signal, command, cwd: workdir.path, env: state.environment }
  return { ...call, parts, policy, variables: (await hooks?.shellEnv(hooked)) ?? {} }
}
