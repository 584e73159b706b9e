import { statSync } from 'node:fs'
import { type PermissionPart, ToolFailure } from '@deckhand/core'
import { resolvePathArgument } from '../workspace/path-argument.ts'
import type { ResolvedPath, Workspace } from '../workspace/workspace.ts'

/** The folder that a command runs in. */
export interface Workdir {
  /** Absolute; as the shell has it, symlinks and all, where it is the shell's own. */
  readonly path: string
  /** For the model, when it is not the workspace's own folder. */
  readonly shown?: string
  /** It was asked for with the call: the shell's own folder stays as it is. */
  readonly isForThisCall: boolean
  /** The shell's folder, in words, that is gone. */
  readonly vanished?: string
  /** What has to be asked for, when it lies outside. */
  readonly parts: readonly PermissionPart[]
}

/**
 * The folder that was wished, resolved against the workspace; without a wish that of the shell, or the workspace's own
 * where that is gone. Throws ToolFailure when there is no such folder.
 */
export function findWorkdir(workspace: Workspace, wish: string | undefined, cwd: string): Workdir {
  if (wish === undefined) return findShellFolder(workspace, cwd)
  const { target } = resolvePathArgument(workspace, wish)
  if (!isFolder(target.real))
    throw new ToolFailure('not-found', `There is no folder ${target.shown} to run the command in; nothing was run.`)
  return { ...describeFolder(workspace, target), path: target.forCommands ?? target.real, isForThisCall: true }
}

function findShellFolder(workspace: Workspace, cwd: string): Workdir {
  const target = workspace.resolve(cwd)
  if (isFolder(target.real)) return { ...describeFolder(workspace, target), path: cwd, isForThisCall: false }
  return { path: workspace.directory, isForThisCall: false, vanished: target.shown, parts: [] }
}

function describeFolder(
  { directory }: Workspace,
  { real, shown, inside }: ResolvedPath,
): Pick<Workdir, 'shown' | 'parts'> {
  return { ...(real !== directory && { shown }), parts: inside ? [] : askOutside(real) }
}

function askOutside(folder: string): readonly PermissionPart[] {
  const pattern = folder.endsWith('/') ? `${folder}*` : `${folder}/*`
  return [{ permission: 'external_directory', pattern, effect: 'execute', always: [pattern] }]
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
