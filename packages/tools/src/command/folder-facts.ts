import { readdirSync, statSync } from 'node:fs'

export interface FolderEntry {
  readonly name: string
  readonly isFolder: boolean
  readonly isLink: boolean
}

/** What the analysis asks about folders. Never throws: what isn't there, or can't be read, is empty. */
export interface FolderFacts {
  isFolder(path: string): boolean
  list(path: string): readonly FolderEntry[]
}

/** The machine's own folders. */
export const systemFolders: FolderFacts = {
  isFolder(path) {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  },
  list(path) {
    try {
      return readdirSync(path, { withFileTypes: true }).map(entry => ({
        name: entry.name,
        isFolder: entry.isDirectory(),
        isLink: entry.isSymbolicLink(),
      }))
    } catch {
      return []
    }
  },
}
