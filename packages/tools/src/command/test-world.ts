import { join, relative, resolve } from 'node:path'
import { isInside, type Workspace } from '../workspace/workspace.ts'
import type { FolderFacts } from './folder-facts.ts'

export interface TestWorldOptions {
  /** Symlinks by absolute path, to absolute paths. */
  readonly links?: Readonly<Record<string, string>>
  readonly folders?: readonly string[]
  readonly files?: readonly string[]
}

const commonFolders = ['/', '/tmp', '/etc', '/work', '/home/dev', '/work/proj', '/work/proj/src']

/** A workspace /work/proj of the user dev that exists only on paper, for tests of the analysis. */
export function createTestWorld({ links = {}, folders = [], files = [] }: TestWorldOptions = {}): {
  readonly workspace: Workspace
  readonly home: string
  readonly folders: FolderFacts
} {
  const home = '/home/dev'
  const directory = '/work/proj'
  const real = (path: string): string => {
    const link = Object.keys(links).find(each => isInside(path, each))
    return link ? real(join(links[link] ?? '', relative(link, path))) : path
  }
  const workspace: Workspace = {
    isReadable: () => false,
    directory,
    roots: [directory],
    home,
    resolve(path, from = directory) {
      const expanded = path === '~' ? home : path.startsWith('~/') ? join(home, path.slice(2)) : path
      const absolute = resolve(from, expanded)
      const target = real(absolute)
      const shown = isInside(absolute, directory) ? relative(directory, absolute) || '.' : absolute
      return { absolute, real: target, inside: isInside(target, directory), shown }
    },
  }
  const allFolders = [...commonFolders, ...folders]
  return {
    workspace,
    home,
    folders: {
      isFolder: path => allFolders.includes(path),
      list: path => [
        ...allFolders
          .filter(each => each !== path && resolve(each, '..') === path)
          .map(each => entry(path, each, true, false)),
        ...Object.keys(links)
          .filter(each => resolve(each, '..') === path)
          .map(each => entry(path, each, false, true)),
        ...files.filter(each => resolve(each, '..') === path).map(each => entry(path, each, false, false)),
      ],
    },
  }
}

function entry(folder: string, path: string, isFolder: boolean, isLink: boolean) {
  return { name: relative(folder, path), isFolder, isLink }
}
