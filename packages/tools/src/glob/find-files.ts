import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createGlobTest, isGlob } from '../workspace/glob-pattern.ts'
import { errorCode } from '../workspace/io-failure.ts'
import { commonRipgrepArgs, runRipgrep } from '../workspace/ripgrep.ts'

/** A search: in this folder, for paths below it that match. */
export interface FileSearch {
  /** Absolute. */
  readonly base: string
  /** What is left of the pattern below `base`; empty: every file. */
  readonly rest: string
}

export interface FoundFiles {
  /** Relative to the base; newest first, or by name where there were too many to ask each for its time. */
  readonly paths: readonly string[]
  readonly order: 'newest' | 'name'
  readonly timedOut: boolean
  /** What could not be searched, in ripgrep's words. */
  readonly trouble: string
}

export interface FindOptions {
  readonly rgPath: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly ignored: boolean
}

/**
 * Splits a pattern into the folder that it surely lies in and what is left. A component that exists exactly as it is
 * written is that name, also when it holds brackets, as in `src/app/[locale]/page.tsx`.
 */
export function splitPattern(folder: string, pattern: string): FileSearch {
  const components = pattern.split('/').filter(part => part !== '' && part !== '.')
  let base = pattern.startsWith('/') ? '/' : folder
  while (components.length > 0) {
    const next = join(base, components[0] ?? '')
    if (components[0] !== '..' && !isFolder(next)) break
    base = next
    components.shift()
  }
  const [only] = components
  if (components.length === 1 && only !== undefined && isGlob(only) && exists(join(base, only))) {
    return { base, rest: `./${only.replace(/[*?[\]{}\\,]/g, '\\$&')}` }
  }
  // A pattern that had a slash stays tied to its place; one without matches in every folder.
  return {
    base,
    rest: pattern.includes('/') && components.length > 0 ? `./${components.join('/')}` : components.join('/'),
  }
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false
}

function exists(path: string): boolean {
  return statOf(path) !== undefined
}

function statOf(path: string): ReturnType<typeof statSync> | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (errorCode(error)) return undefined
    throw error
  }
}

// One system call for each match: more of them would be felt.
const maxTimed = 20_000

/** All files that match. Rejects with the signal's reason, or ToolFailure where ripgrep is missing. */
export async function findFiles({ base, rest }: FileSearch, options: FindOptions): Promise<FoundFiles> {
  const matches = rest === '' ? () => true : createGlobTest(rest)
  const paths: string[] = []
  const { timedOut, errorText } = await runRipgrep({
    ...options,
    args: ['--files', '--null', ...commonRipgrepArgs, ...(options.ignored ? ['--no-ignore'] : []), '--', '.'],
    cwd: base,
    separator: '\0',
    onRecord(record) {
      const path = record.toString('utf8').replace(/^\.[/\\]/, '')
      if (matches(path)) paths.push(path)
    },
  })
  paths.sort((a, b) => (a < b ? -1 : 1))
  const order = paths.length > maxTimed ? 'name' : 'newest'
  return { paths: order === 'newest' ? newestFirst(base, paths) : paths, order, timedOut, trouble: errorText.trim() }
}

function newestFirst(base: string, paths: readonly string[]): readonly string[] {
  return paths
    .map(path => ({ path, time: Number(statOf(join(base, path))?.mtimeMs ?? 0) }))
    .sort((a, b) => b.time - a.time)
    .map(({ path }) => path)
}
