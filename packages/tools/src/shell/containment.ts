// A command and the sandbox: what is asked before it runs, what it may then do, and how it may get out.
import type { PermissionPart, ToolContext } from '@deckhand/core'
import type { Sandbox, SandboxPolicy } from '@deckhand/process'
import { isInside } from '../workspace/workspace.ts'

/** The sandbox that commands run in, where there is one. */
export interface Containment {
  readonly sandbox: Sandbox
  /** What commands may do, as of now, with nothing allowed besides. */
  policy(): SandboxPolicy
  /** May a command be let out by a rule or a person? In mode plan none is. */
  readonly canLeave: boolean
}

/** How one command is to be run. */
export interface ContainmentPlan {
  /** Undefined: outside, as a rule lets it. */
  readonly policy: SandboxPolicy | undefined
  /** What is to be asked first. */
  readonly parts: readonly PermissionPart[]
}

type Judge = Pick<ToolContext, 'evaluate'>

/**
 * Plans a command from what it would do. In the sandbox its own part needs no question in mode workspace; what leads out
 * of it still does: a folder outside, a secret, the network where it surely needs that.
 */
export async function planContainment(
  parts: readonly PermissionPart[],
  { policy, canLeave }: Containment,
  context: Judge,
): Promise<ContainmentPlan> {
  const contained = parts.map(part => (part.permission === 'shell' ? { ...part, contained: true } : part))
  if (canLeave && (await isAllowed(createLeavingParts(parts, 'outside_sandbox'), context)))
    return { policy: undefined, parts: contained.filter(part => part.permission !== 'network') }
  const asksNetwork = parts.some(part => part.permission === 'network')
  const hasNetwork = asksNetwork || (canLeave && (await isAllowed(createLeavingParts(parts, 'network'), context)))
  return { policy: widenPolicy(policy(), parts, hasNetwork), parts: contained }
}

/** What would have to be allowed for the command to run without the sandbox, or with the network. */
export function createLeavingParts(
  parts: readonly PermissionPart[],
  permission: 'outside_sandbox' | 'network',
): readonly PermissionPart[] {
  return parts
    .filter(part => part.permission === 'shell' && !part.harmless)
    .map(({ contained, ...part }) => ({ ...part, permission, effect: 'execute' }))
}

async function isAllowed(parts: readonly PermissionPart[], { evaluate }: Judge): Promise<boolean> {
  return parts.length > 0 && (await evaluate({ parts })).action === 'allow'
}

// `git remote add` and the like write the repository's settings, and what they write there is in their own words; a
// setting by which git would run something is a floor.
function isOnlyGit(parts: readonly PermissionPart[]): boolean {
  const active = parts.filter(part => part.permission === 'shell' && !part.harmless)
  return active.length > 0 && active.every(part => part.pattern.startsWith('git ') && !part.floor)
}

const hidden = /^\/(tmp|var\/tmp|run|var\/run)\/./

/** With what the question asks for: once it is answered with yes, the command may do that. */
function widenPolicy(base: SandboxPolicy, parts: readonly PermissionPart[], hasNetwork: boolean): SandboxPolicy {
  const named = (part: PermissionPart) =>
    [part.pattern, ...(part.denyPatterns ?? [])].filter(path => path.startsWith('/'))
  const written = parts.filter(part => part.permission === 'edit' && part.floor).flatMap(named)
  const read = parts.filter(part => part.permission === 'read' && part.floor).flatMap(named)
  const folders = parts
    .filter(part => part.permission === 'external_directory' && part.effect !== 'read')
    .map(part => part.pattern.replace(/\/\*$/, '') || '/')
  const isNamed = (path: string, all: readonly string[]) => all.some(each => isInside(each, path))
  const looked = parts
    .filter(part => part.permission === 'external_directory' && part.effect === 'read')
    .flatMap(part => (part.denyPatterns ?? []).slice(0, 1))
  return {
    ...(looked.length > 0 && { shownPaths: looked.filter(path => hidden.test(path)) }),
    writableRoots: folders.length === 0 ? base.writableRoots : [...base.writableRoots, ...folders],
    readOnlyPaths: base.readOnlyPaths.filter(
      path => !isNamed(path, written) && !(isOnlyGit(parts) && path.endsWith('/.git/config')),
    ),
    maskedPaths: base.maskedPaths.filter(path => !isNamed(path, read)),
    network: hasNetwork ? 'on' : base.network,
  }
}
