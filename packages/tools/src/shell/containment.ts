// A command and the sandbox: what is asked before it runs, what it may then do, and how it may get out.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { PermissionPart, ToolContext } from '@deckhand/core'
import type { Sandbox, SandboxPolicy } from '@deckhand/process'
import { isInside, type Workspace } from '../workspace/workspace.ts'

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
  { policy, canLeave, workspace }: Containment & { readonly workspace: Workspace },
  context: Judge,
): Promise<ContainmentPlan> {
  const contained = parts.map(part => (part.permission === 'shell' ? { ...part, contained: true } : part))
  if (canLeave && (await isAllowed(createLeavingParts(parts, 'outside_sandbox'), context)))
    return { policy: undefined, parts: contained.filter(part => part.permission !== 'network') }
  const asksNetwork = parts.some(part => part.permission === 'network')
  const hasNetwork = asksNetwork || (canLeave && (await isAllowed(createLeavingParts(parts, 'network'), context)))
  return { policy: widenPolicy(policy(), parts, hasNetwork, workspace), parts: contained }
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

// These write the repository's settings in their own words, and run no hook while they may. A setting by which git would
// run something is a floor.
const settingCommands =
  /^git (remote( |$)|config |submodule (init|sync)( |$)|branch (-u|--set-upstream-to|--unset-upstream)[ =]?)/

function isOnlySettings(parts: readonly PermissionPart[]): boolean {
  const active = parts.filter(part => part.permission === 'shell' && !part.harmless)
  return active.length > 0 && active.every(part => settingCommands.test(part.pattern) && !part.floor)
}

const hidden = /^\/(tmp|var\/tmp|run|var\/run)\/./

// The file itself where there is one. Else the folder that it is to be made in, unless that would open all that lies
// beside the home folder or the workspace: then the sandbox keeps it, and letting the command out is a question.
function findWritable({ denyPatterns = [] }: PermissionPart, { home, directory }: Workspace): readonly string[] {
  const [target] = denyPatterns
  if (target === undefined) return []
  if (existsSync(target)) return [target]
  const folder = dirname(target)
  return isInside(home, folder) || isInside(directory, folder) ? [] : [folder]
}

/** With what the question asks for: once it is answered with yes, the command may do that. */
function widenPolicy(
  base: SandboxPolicy,
  parts: readonly PermissionPart[],
  hasNetwork: boolean,
  workspace: Workspace,
): SandboxPolicy {
  const named = (part: PermissionPart) =>
    [part.pattern, ...(part.denyPatterns ?? [])].filter(path => path.startsWith('/'))
  const written = parts.filter(part => part.permission === 'edit' && part.floor).flatMap(named)
  const read = parts.filter(part => part.permission === 'read' && part.floor).flatMap(named)
  const places = parts
    .filter(part => part.permission === 'external_directory' && part.effect !== 'read')
    .flatMap(part => findWritable(part, workspace))
  const isNamed = (path: string, all: readonly string[]) => all.some(each => isInside(each, path))
  const looked = parts
    .filter(part => part.permission === 'external_directory' && part.effect === 'read')
    .flatMap(part => (part.denyPatterns ?? []).slice(0, 1))
  return {
    ...(looked.length > 0 && { shownPaths: looked.filter(path => hidden.test(path)) }),
    writableRoots: places.length === 0 ? base.writableRoots : [...base.writableRoots, ...places],
    readOnlyPaths: base.readOnlyPaths.filter(
      path => !isNamed(path, written) && !(isOnlySettings(parts) && path.endsWith('/.git/config')),
    ),
    maskedPaths: base.maskedPaths.filter(path => !isNamed(path, read)),
    network: hasNetwork ? 'on' : base.network,
  }
}
