import { type BigIntStats, statSync } from 'node:fs'
import type { PermissionDenied, ToolFailure } from '@deckhand/core'
import { errorCode } from '../workspace/io-failure.ts'
import { resolvePathArgument } from '../workspace/path-argument.ts'
import type { ResolvedPath, Workspace } from '../workspace/workspace.ts'
import { refuseSpecialFile } from './open-file.ts'
import type { ReadRequest } from './schema.ts'

/** What a request leads to, before anything is opened. */
export interface ReadTarget {
  readonly request: ReadRequest
  readonly target: ResolvedPath
  readonly notes: readonly string[]
  readonly isFolder: boolean
  readonly isMissing: boolean
  readonly sizeBytes: number
  /** It will not be read, and why. */
  readonly refusal?: ToolFailure | PermissionDenied
}

/** Resolves the path and looks at what is there by stat alone. Never throws: what must not be opened is a refusal. */
export function findTarget(workspace: Workspace, request: ReadRequest): ReadTarget {
  const { target, notes } = resolvePathArgument(workspace, request.path)
  const base = { request, target, notes }
  // What /dev/stdin leads to has no path of its own, and is still a pipe.
  const stats = statOf(target.real) ?? statOf(target.absolute)
  if (!stats) return { ...base, isFolder: false, isMissing: true, sizeBytes: 0 }
  const facts = { ...base, isFolder: stats.isDirectory(), isMissing: false, sizeBytes: Number(stats.size) }
  try {
    refuseSpecialFile(target, stats)
    return facts
  } catch (error) {
    return { ...facts, refusal: error as ToolFailure }
  }
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    // A path through a file (ENOTDIR) or a circle of links is as good as missing.
    if (errorCode(error)) return undefined
    throw error
  }
}
