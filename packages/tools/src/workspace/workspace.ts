// The workspace: the session's folder and its extra roots, and what lies inside them. Every tool resolves paths here.
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** A path as asked for, and where it truly leads. */
export interface ResolvedPath {
  /** Absolute, `.` and `..` taken out, symlinks as they are. */
  readonly absolute: string
  /** With every symlink followed; of a path that does not exist yet, its nearest existing ancestor's is. */
  readonly real: string
  /** What commands know it by, where that is not the real path: in the /tmp of a sandbox. */
  readonly forCommands?: string
  /** Does the real path lie in one of the roots? */
  readonly inside: boolean
  /** Relative to the workspace when inside it, else absolute; for people and the model. */
  readonly shown: string
}

export interface Workspace {
  /** Real path of the session's folder. */
  readonly directory: string
  /** Real paths: the directory first, then the extra roots. */
  readonly roots: readonly string[]
  readonly home: string
  /** May it be read without a question though it lies outside: our own logs of commands. Takes a real path. */
  isReadable(real: string): boolean
  /** `~` is the home folder; a relative path starts at `from`, or the directory. Never throws. */
  resolve(path: string, from?: string): ResolvedPath
}

export interface WorkspaceOptions {
  readonly directory: string
  readonly extraRoots?: readonly string[]
  /** Folders outside that may be read, not written: what Deckhand itself keeps for the model. */
  readonly readableRoots?: readonly string[]
  readonly home: string
  /**
   * Where a path leads that is another one for commands: the /tmp of a sandbox. What is there counts as inside. Undefined
   * for all other paths.
   */
  redirect?(absolute: string): string | undefined
}

/**
 * Makes a workspace. Inside is judged by real paths, component by component: `/proj-secret` is not inside `/proj`, and
 * a symlink that leads out is outside. Hard links can't be told from files of their own and are out of scope.
 */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const { directory, extraRoots = [], readableRoots = [], home } = options
  const roots = [directory, ...extraRoots].map(root => resolveReal(resolve(root)))
  const [first = sep] = roots
  return {
    directory: first,
    roots,
    home,
    isReadable: real => readableRoots.some(root => isInside(real, resolveReal(resolve(root)))),
    resolve(path, from = first) {
      const absolute = resolve(from, expandHome(path, home))
      const real = resolveReal(absolute)
      const inside = roots.some(root => isInside(real, root))
      const elsewhere = inside ? undefined : options.redirect?.(absolute)
      if (elsewhere !== undefined)
        return { absolute, real: elsewhere, forCommands: absolute, inside: true, shown: absolute }
      return { absolute, real, inside, shown: isInside(absolute, first) ? relative(first, absolute) || '.' : absolute }
    },
  }
}

/** Is `path` the folder itself or below it? Both absolute and resolved. */
export function isInside(path: string, folder: string): boolean {
  const rest = relative(folder, path)
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest))
}

function expandHome(path: string, home: string): string {
  if (path === '~') return home
  return path.startsWith('~/') ? join(home, path.slice(2)) : path
}

const maxLinks = 40

// realpath of what need not exist: a dangling symlink leads to its target, since writing through it creates that.
function resolveReal(path: string, links = 0): string {
  try {
    return realpathSync.native(path)
  } catch {
    const target = links < maxLinks ? readLink(path) : undefined
    if (target !== undefined) return resolveReal(resolve(dirname(path), target), links + 1)
    const parent = dirname(path)
    return parent === path ? path : join(resolveReal(parent, links), path.slice(parent === sep ? 1 : parent.length + 1))
  }
}

function readLink(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    return undefined
  }
}
