// A command failed since the sandbox kept it from something: a person may let it run again without.
import { PermissionDenied, type PermissionPart, type ToolContext } from '@deckhand/core'
import { describeRefusals, type SandboxPolicy, type SandboxRefusal } from '@deckhand/process'
import { createLeavingParts } from './containment.ts'
import type { SandboxStory } from './shell-outcome.ts'

export interface RefusedCommand {
  readonly command: string
  readonly cwd: string
  readonly parts: readonly PermissionPart[]
  readonly policy: SandboxPolicy
  readonly refusals: readonly SandboxRefusal[]
}

/** How it may be run again; `policy` undefined: outside. */
export type Leave =
  | { readonly may: true; readonly kind: 'outside' | 'network'; readonly policy: SandboxPolicy | undefined }
  | { readonly may: false; readonly story: NonNullable<SandboxStory['leave']> }

/**
 * Asks, with what was refused. The network alone is opened where nothing else was missed. A no, in whatever form, is
 * no failure of the call: the first run has its own result.
 */
export async function askToLeave(refused: RefusedCommand, { ask, signal }: ToolContext): Promise<Leave> {
  const { command, cwd, parts, policy, refusals } = refused
  const isNetwork = refusals.every(({ kind }) => kind === 'network')
  const words = describeRefusals(refusals)
  try {
    await ask({
      title: `Run again ${isNetwork ? 'with the network' : 'outside the sandbox'}, as ${words}: ${command}`,
      parts: createLeavingParts(parts, isNetwork ? 'network' : 'outside_sandbox'),
      metadata: { cwd, refused: words },
    })
  } catch (error) {
    if (!(error instanceof PermissionDenied) || signal.aborted) throw error
    return { may: false, story: { kind: 'refused', why: describeNo(error, isNetwork) } }
  }
  return isNetwork
    ? { may: true, kind: 'network', policy: { ...policy, network: 'on' } }
    : { may: true, kind: 'outside', policy: undefined }
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
