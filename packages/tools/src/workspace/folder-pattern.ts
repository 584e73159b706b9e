import { isInside, type Workspace } from './workspace.ts'

/** What rules of `external_directory` are matched against for a folder: all that lies in it. */
export function folderPattern(folder: string): string {
  return folder.endsWith('/') ? `${folder}*` : `${folder}/*`
}

/**
 * The patterns that "always" may store for a folder outside the workspace. None for one that holds the workspace or the
 * home folder, which would open all that lies beside them, nor for a name that would stand for others too.
 */
export function offerFolder(
  folder: string,
  { home, directory }: Pick<Workspace, 'home' | 'directory'>,
): readonly string[] {
  const isTooWide = isInside(home, folder) || isInside(directory, folder) || standsForOthers(folder)
  return isTooWide ? [] : [folderPattern(folder)]
}

/** The patterns that "always" may store for a path by itself. None for a file named `*`, which would stand for all. */
export function offerPath(path: string): readonly string[] {
  return standsForOthers(path) ? [] : [path]
}

function standsForOthers(path: string): boolean {
  return /[*?]/.test(path)
}
