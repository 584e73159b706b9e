import { join } from 'node:path'
import { matchesWildcard } from '@deckhand/core'
import type { PathWorld } from './world.ts'

/** Where a pattern leads. */
export interface GlobTargets {
  /** The folder before the first wildcard. */
  readonly base: string
  /** Links that the pattern would follow or name, and the files that it names, where they are not too many. */
  readonly targets: readonly string[]
  readonly unknown?: string
}

const maxEntries = 5_000
const maxFiles = 200

/** Does the text hold a wildcard of the shell? */
export function hasWildcard(text: string): boolean {
  return /[*?[]/.test(text)
}

/**
 * Finds what a pattern below a folder names, and the links that it goes through: without one, it stays inside. Its folders are read;
 * a pattern that reads more than 5,000 entries, or goes up after a wildcard, can't be known.
 */
export function findGlobTargets(pattern: string, cwd: string, world: PathWorld): GlobTargets {
  const components = pattern.split('/')
  const first = components.findIndex(hasWildcard)
  const base = components.slice(0, first).join('/') || (pattern.startsWith('/') ? '/' : '.')
  const rest = components.slice(first).filter(component => component !== '' && component !== '.')
  if (rest.some(mayGoUp)) return { base, targets: [], unknown: 'it may go up to another folder' }
  const resolved = world.workspace.resolve(base, cwd)
  if (!resolved.inside) return { base, targets: [] }
  const search: Search = { world, links: [], files: [], entries: 0 }
  searchFolder(resolved.real, rest, search)
  return {
    base,
    targets: search.files.length > maxFiles ? search.links : [...search.links, ...search.files],
    unknown: search.entries > maxEntries ? 'its folders hold too much to be followed' : undefined,
  }
}

interface Search {
  readonly world: PathWorld
  readonly links: string[]
  readonly files: string[]
  entries: number
}

// `.*` matches `..` in older shells.
function mayGoUp(component: string): boolean {
  return component === '..' || /^\.[*?[@+!]/.test(component)
}

function searchFolder(folder: string, components: readonly string[], search: Search): void {
  const [component, ...rest] = components
  if (component === undefined || search.entries > maxEntries) return
  const wildcard = component.replace(/\[[^\]]*\]/g, '?').replace(/\*+/g, '*')
  for (const entry of search.world.folders.list(folder)) {
    if (++search.entries > maxEntries) return
    if (!matchesWildcard(wildcard, entry.name)) continue
    if (entry.isLink) followLink(join(folder, entry.name), rest, search)
    else if (entry.isFolder && rest.length > 0) searchFolder(join(folder, entry.name), rest, search)
    else if (rest.length === 0) search.files.push(join(folder, entry.name))
  }
}

function followLink(link: string, rest: readonly string[], search: Search): void {
  search.links.push(link)
  const target = search.world.workspace.resolve(link)
  if (target.inside && rest.length > 0) searchFolder(target.real, rest, search)
}
