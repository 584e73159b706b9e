import { statSync } from 'node:fs'
import { type PermissionPart, ToolFailure } from '@deckhand/core'
import { resolvePathArgument } from '../workspace/path-argument.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** The folder that a command runs in. */
export interface Workdir {
  /** Absolute, real. */
  readonly path: string
  /** For the model, when it is not the workspace's own folder. */
  readonly shown?: string
  /** What has to be asked for, when it lies outside. */
  readonly parts: readonly PermissionPart[]
}

/** Resolves the wish against the workspace. Throws ToolFailure when there is no such folder. */
export function findWorkdir(workspace: Workspace, wish: string | undefined): Workdir {
  if (wish === undefined) return { path: workspace.directory, parts: [] }
  const { target } = resolvePathArgument(workspace, wish)
  if (!isFolder(target.real))
    throw new ToolFailure('not-found', `There is no folder ${target.shown} to run the command in; nothing was run.`)
  const isOwn = target.real === workspace.directory
  return {
    path: target.real,
    ...(!isOwn && { shown: target.shown }),
    parts: target.inside ? [] : askOutside(target.real),
  }
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
