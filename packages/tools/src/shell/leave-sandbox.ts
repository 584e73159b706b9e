// A command failed since the sandbox kept it from something: a person may let it run again without.
import { PermissionDenied, type ToolContext } from '@deckhand/core'
import { describeRefusals, findRefusals, type SandboxPolicy, type SandboxRefusal } from '@deckhand/process'
import { isInside, type Workspace } from '../workspace/workspace.ts'
import type { AllowedCommand } from './ask-permission.ts'
import { createLeavingParts } from './containment.ts'
import { endOf } from './judge-outcome.ts'
import type { ShellSetup } from './shell-deps.ts'
import type { SandboxStory, ShellOutcome } from './shell-outcome.ts'

/** What is to be done after a run. */
export type Leave =
  /** This run is the result. */
  | { readonly kind: 'stay'; readonly sandbox: SandboxStory | undefined }
  /** It is to be run again, so; `policy` undefined: outside. */
  | { readonly kind: 'again'; readonly policy: SandboxPolicy | undefined; readonly sandbox: SandboxStory }

/** Decides whether a run that failed in the sandbox is to be repeated without; asks where that may help. */
export async function leaveSandbox(
  { outcome }: { readonly outcome: ShellOutcome },
  allowed: AllowedCommand,
  { workspace, containment }: ShellSetup,
  context: ToolContext,
): Promise<Leave> {
  const { policy, workdir } = allowed
  if (!policy || !hasFailed(outcome)) return { kind: 'stay', sandbox: undefined }
  const refusals = findRefusals(endOf(outcome.view), { policy, cwd: workdir.path })
  const masked = findMasked(policy, workspace)
  if (refusals.length === 0 || !containment?.canLeave) {
    const isStory = refusals.length > 0 || masked.length > 0
    return { kind: 'stay', sandbox: isStory ? { refusals, masked } : undefined }
  }
  return askToLeave({ ...allowed, policy, refusals, masked }, context)
}

function hasFailed({ run: { end }, benign }: ShellOutcome): boolean {
  return end.kind === 'exited' && end.code !== 0 && benign === undefined
}

// Programs that miss such a file often say nothing of it.
function findMasked({ maskedPaths }: SandboxPolicy, { roots, resolve }: Workspace): readonly string[] {
  return maskedPaths.filter(path => roots.some(root => isInside(path, root))).map(path => resolve(path).shown)
}

interface RefusedCommand extends AllowedCommand {
  readonly policy: SandboxPolicy
  readonly refusals: readonly SandboxRefusal[]
  readonly masked: readonly string[]
}

// The network alone is opened where nothing else was missed. A no, in whatever form, is no failure of the call: the
// first run has its own result.
async function askToLeave(refused: RefusedCommand, { ask, signal }: ToolContext): Promise<Leave> {
  const { command, workdir, parts, policy, refusals, masked } = refused
  const isNetwork = refusals.every(({ kind }) => kind === 'network')
  const words = describeRefusals(refusals)
  try {
    await ask({
      title: `Run again ${isNetwork ? 'with the network' : 'outside the sandbox'}, as ${words}: ${command}`,
      parts: createLeavingParts(parts, isNetwork ? 'network' : 'outside_sandbox'),
      metadata: { cwd: workdir.path, refused: words },
    })
  } catch (error) {
    if (!(error instanceof PermissionDenied) || signal.aborted) throw error
    const leave = { kind: 'refused', why: describeNo(error, isNetwork) } as const
    return { kind: 'stay', sandbox: { refusals, masked, leave } }
  }
  return isNetwork
    ? {
        kind: 'again',
        policy: { ...policy, network: 'on' },
        sandbox: { refusals, masked: [], leave: { kind: 'network' } },
      }
    : { kind: 'again', policy: undefined, sandbox: { refusals, masked: [], leave: { kind: 'outside' } } }
}

function describeNo({ code, data }: PermissionDenied, isNetwork: boolean): string {
  const key = isNetwork ? 'network' : 'outside_sandbox'
  switch (code) {
    case 'rejected':
      return 'the user was asked and said no'
    case 'rejected-with-words':
      return `the user was asked and said no, because: ${String(data?.words ?? '')}`
    case 'expired':
      return 'nobody answered in time'
    case 'nobody-to-ask':
      return `nobody can be asked here; the user can allow it under "permission" by the key "${key}"`
    default:
      return 'a rule denies it'
  }
}
