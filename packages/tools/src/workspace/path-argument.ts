import { lstatSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ResolvedPath, Workspace } from './workspace.ts'

/** A path as a model wrote it, made into one that can be opened. */
export interface PathArgument {
  readonly target: ResolvedPath
  /** What was put right, in words. */
  readonly notes: readonly string[]
}

/**
 * Resolves a path as models write it: `~/x`, `file:///x`, `@x`, `"x"`, with blanks around. What exists exactly as it
 * is written is taken as it is written. Never throws.
 */
export function resolvePathArgument(workspace: Workspace, text: string): PathArgument {
  const url = parseFileUrl(text)
  if (url !== undefined) return { target: workspace.resolve(url), notes: [`${text} was taken as ${url}`] }
  const target = workspace.resolve(text)
  const bare = stripWrapping(text)
  if (bare === text || exists(target.absolute)) return { target, notes: [] }
  return { target: workspace.resolve(bare), notes: [`${JSON.stringify(text)} was taken as ${bare}`] }
}

function parseFileUrl(text: string): string | undefined {
  if (!/^file:\/\//i.test(text)) return undefined
  try {
    return fileURLToPath(text)
  } catch {
    return undefined
  }
}

function stripWrapping(text: string): string {
  let bare = text.trim()
  const quoted = /^(["'`])(.+)\1$/.exec(bare)
  if (quoted?.[2]) bare = quoted[2]
  if (/^@./.test(bare)) bare = bare.slice(1)
  return bare === '' ? text : bare
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
