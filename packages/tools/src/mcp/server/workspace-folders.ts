import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '@deckhand/core'
import type { McpFolders } from './mcp-options.ts'

/** Which folders, and who named them. */
export interface FoundFolders extends McpFolders {
  readonly source: 'directory' | 'roots' | 'current'
  /** The client has roots and was not asked yet: good enough to list the tools, not to run them. */
  readonly isProvisional?: boolean
}

/**
 * Gives the client's answer to `roots/list`. `later`: it has roots, and can't be asked in this request.
 * Undefined: it has none.
 */
export type AskRoots = (() => Promise<readonly { readonly uri: string }[]>) | 'later' | undefined

export interface FolderOptions {
  readonly directory?: string
  readonly currentDirectory: string
  tell(line: string): void
}

/** `directory`, else the client's roots, else the current folder. What could not be used is told, never thrown. */
export async function findFolders(options: FolderOptions, askRoots: AskRoots): Promise<FoundFolders> {
  const { directory, currentDirectory, tell } = options
  if (directory !== undefined) return { directory, extraRoots: [], source: 'directory' }
  const current: FoundFolders = { directory: currentDirectory, extraRoots: [], source: 'current' }
  if (askRoots === undefined) return current
  if (askRoots === 'later') return { ...current, isProvisional: true }
  try {
    const { folders, leftOut } = parseRoots(await askRoots())
    for (const root of leftOut) tell(`a root of the client was left out: ${root}`)
    const [first, ...extraRoots] = folders
    return first === undefined ? current : { directory: first, extraRoots, source: 'roots' }
  } catch (error) {
    tell(`the client did not say its roots: ${messageOf(error)}`)
    return current
  }
}

/** The folders of a client's roots, in its order, and why some were left out. */
interface RootFolders {
  readonly folders: readonly string[]
  readonly leftOut: readonly string[]
}

/** Reads `file:` URIs into folders that exist; each once. */
export function parseRoots(roots: readonly { readonly uri: string }[]): RootFolders {
  const folders = new Set<string>()
  const leftOut: string[] = []
  for (const { uri } of roots) {
    const folder = parseRoot(uri)
    if ('path' in folder) folders.add(folder.path)
    else leftOut.push(`${uri} (${folder.fault})`)
  }
  return { folders: [...folders], leftOut }
}

function parseRoot(uri: string): { readonly path: string } | { readonly fault: string } {
  if (!/^file:/i.test(uri)) return { fault: 'not a file: URI' }
  try {
    const path = resolve(fileURLToPath(uri))
    return statSync(path).isDirectory() ? { path } : { fault: 'not a folder' }
  } catch (error) {
    return { fault: messageOf(error) }
  }
}

/** Are they the same folders in the same order? */
export function isSameFolders(a: McpFolders, b: McpFolders): boolean {
  const list = ({ directory, extraRoots }: McpFolders) => JSON.stringify([directory, ...extraRoots])
  return list(a) === list(b)
}

/**
 * Why nothing may be done in these folders: a server that was started in the root of the file system by a client that
 * names no folder would else take the whole machine for its workspace. Undefined: they are fine.
 */
export function describeRefusedFolders({ directory, source }: FoundFolders): string | undefined {
  if (source !== 'current' || dirname(directory) !== directory) return undefined
  return `Nothing was done: no one says which folder to work in. The client offers no roots, and the server was started in ${directory}. Start it as: deckhand mcp --dir FOLDER`
}

const sourceWords: Readonly<Record<FoundFolders['source'], string>> = {
  directory: 'from --dir',
  roots: "the client's roots",
  current: 'the current folder, as the client named no other',
}

/** For stderr: where the tools work, and by whose word. */
export function describeFolders({ directory, extraRoots, source }: FoundFolders): string {
  return `workspace: ${[directory, ...extraRoots].join(', ')} (${sourceWords[source]})`
}
