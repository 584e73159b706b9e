// What a tool asks before it touches a path: one part for the act, one more where it leads out of the workspace.
import { dirname, relative } from 'node:path'
import type { Effect, PermissionKey, PermissionPart } from '@deckhand/core'
import { folderPattern, offerFolder, offerPath } from './folder-pattern.ts'
import { findLaterCode, type TextChange } from './later-code.ts'
import { findSecret } from './secret-file.ts'
import type { ResolvedPath, Workspace } from './workspace.ts'

export interface PathAct {
  readonly permission: Extract<PermissionKey, 'read' | 'edit' | 'glob' | 'grep'>
  readonly effect: Extract<Effect, 'read' | 'write'>
  /** A folder is asked for itself, a file for the folder that it lies in. */
  readonly isFolder?: boolean
  /** What the file held and will hold, where that is known before. */
  readonly change?: TextChange
}

/** The parts of a permission question for one path. */
export function createPathParts(workspace: Workspace, target: ResolvedPath, act: PathAct): readonly PermissionPart[] {
  const isOpen = target.inside || (act.effect === 'read' && workspace.isReadable(target.real))
  const folder = act.isFolder ? target.real : dirname(target.real)
  const pattern = folderPattern(folder)
  const floor = findFloor(workspace, target, act)
  const offered = offerFolder(folder, workspace)
  const own = isOpen || act.effect === 'write' ? offerPath(target.shown) : offered
  const part: PermissionPart = {
    permission: act.permission,
    pattern: target.shown,
    denyPatterns: otherSpellings(workspace, target),
    effect: act.effect,
    ...(floor && { floor }),
    ...(act.effect === 'read' && isOpen && !floor && { harmless: true }),
    // What is written inside, a command in the sandbox could write too.
    ...(act.effect === 'write' && isOpen && !floor && { contained: true }),
    ...(!floor && { always: own }),
  }
  if (isOpen) return [part]
  return [part, { permission: 'external_directory', pattern, effect: act.effect, ...(!floor && { always: offered }) }]
}

function findFloor(workspace: Workspace, target: ResolvedPath, act: PathAct): PermissionPart['floor'] {
  const find = (path: string) =>
    act.effect === 'write' ? findLaterCode(path, act.change) : findSecret(path, workspace)
  const reason = find(target.real) ?? find(target.absolute)
  return reason ? { action: 'ask', reason } : undefined
}

// A link must not be a way around a rule that denies the file it leads to.
function otherSpellings(workspace: Workspace, target: ResolvedPath): readonly string[] {
  const spellings = [target.absolute, target.real, relative(workspace.directory, target.real) || '.']
  return [...new Set(spellings)].filter(spelling => spelling !== target.shown)
}
