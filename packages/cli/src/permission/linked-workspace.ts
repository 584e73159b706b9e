// A workspace that need not be on this machine: what can't be looked up is told.
import { basename, dirname, join, relative } from 'node:path'
import { type AssessOptions, isInside, systemFolders, type Workspace } from '@deckhand/tools'

/** Absolute paths of symlinks, to the absolute paths that they lead to. */
export type Links = ReadonlyMap<string, string>

const maxLinks = 40

/** The same workspace with symlinks in it that are not on this machine. */
export function addLinks(workspace: Workspace, links: Links): Workspace {
  if (links.size === 0) return workspace
  return {
    ...workspace,
    resolve(path, from) {
      const plain = workspace.resolve(path, from)
      const target = follow(plain.absolute, links)
      if (target === plain.absolute) return plain
      return { ...workspace.resolve(target), absolute: plain.absolute, shown: plain.shown }
    },
  }
}

function follow(path: string, links: Links): string {
  let target = path
  for (let count = 0; count < maxLinks; count++) {
    const link = [...links].find(([from]) => isInside(target, from))
    if (!link) break
    target = join(link[1], relative(link[0], target))
  }
  return target
}

/** The machine's folders, with the links among their entries. */
export function listLinkedFolders(links: Links): NonNullable<AssessOptions['folders']> {
  return {
    isFolder: systemFolders.isFolder,
    list: path => [
      ...systemFolders.list(path),
      ...[...links.keys()].filter(link => dirname(link) === path).map(toEntry),
    ],
  }
}

function toEntry(link: string) {
  return { name: basename(link), isFolder: false, isLink: true }
}
