// What to say, and what may be opened, when a path does not exist. Looked at only then.
import type { Dirent } from 'node:fs'
import { opendir, readdir } from 'node:fs/promises'
import { basename, dirname, extname, join, parse, relative, sep } from 'node:path'
import { ToolFailure } from '@deckhand/core'
import { showPath } from './show-path.ts'
import { isInside, type ResolvedPath, type Workspace } from './workspace.ts'

const maxFolderNames = 5000
const maxWalkedNames = 20_000
const maxSuggestions = 5
const skippedFolders = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.svn',
  'dist',
  'build',
  'target',
  '.venv',
  '__pycache__',
])

/**
 * The one path that is spelled the same apart from what can't be seen or typed: Unicode form (NFC or NFD), kinds of
 * blanks (macOS writes U+202F into names of screenshots), curly quotes and dashes. Undefined where there is none, or
 * more than one.
 */
export async function findTwin(absolute: string): Promise<string | undefined> {
  const { root } = parse(absolute)
  let found = root
  for (const name of relative(root, absolute).split(sep)) {
    const names = await listNames(found)
    const twins = names.includes(name) ? [name] : names.filter(each => canonical(each) === canonical(name))
    const [only] = twins
    if (only === undefined || twins.length > 1) return undefined
    found = join(found, only)
  }
  return found === absolute ? undefined : found
}

function canonical(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(/[\u2018\u2019\u201b\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201f]/g, '"')
    .replace(/[\u2010-\u2015]/g, '-')
}

/** The failure for a path that does not exist, with close names: of its folder, then of the same name elsewhere. */
export async function createMissing(
  workspace: Workspace,
  target: ResolvedPath,
  signal: AbortSignal,
): Promise<ToolFailure> {
  const near = await findCloseNames(workspace, target, signal)
  const shown = showPath(target.shown)
  const closeNames = near.map(path => workspace.resolve(path).shown)
  const advice =
    near.length > 0
      ? `Close names: ${closeNames.map(showPath).join(', ')}.`
      : 'No close name was found; look for it with glob.'
  return new ToolFailure('not-found', `No such file: ${shown} does not exist. ${advice}`, {
    path: target.shown,
    closeNames,
  })
}

async function findCloseNames(
  workspace: Workspace,
  target: ResolvedPath,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const folder = dirname(target.absolute)
  const siblings = await rankNames(basename(target.absolute), await listNames(folder))
  const here = siblings.map(name => join(folder, name))
  if (here.length >= maxSuggestions || !isInside(target.real, workspace.directory)) return here.slice(0, maxSuggestions)
  const elsewhere = await findSameName(workspace.directory, target.absolute, signal)
  return [...new Set([...here, ...elsewhere])].slice(0, maxSuggestions)
}

async function listNames(folder: string): Promise<readonly string[]> {
  const names: string[] = []
  try {
    for await (const { name } of await opendir(folder)) {
      names.push(name)
      if (names.length >= maxFolderNames) break
    }
  } catch {
    // A folder that can't be listed has no names to suggest.
    return []
  }
  return names
}

/** Names that a typing error, another case or another extension leads away from; the closest first. */
async function rankNames(wanted: string, names: readonly string[]): Promise<readonly string[]> {
  const { distance } = await import('fastest-levenshtein')
  const lower = wanted.toLowerCase()
  const most = Math.max(2, Math.floor(wanted.length * 0.34))
  return names
    .map(name => ({ name, score: scoreName(lower, name.toLowerCase(), distance) }))
    .filter(({ score }) => score <= most)
    .sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
    .slice(0, maxSuggestions)
}

function scoreName(wanted: string, name: string, distance: (a: string, b: string) => number): number {
  if (wanted === name) return 0
  if (stem(wanted) === stem(name)) return 1
  const contained = stem(wanted).length >= 4 && name.includes(stem(wanted))
  return contained ? 2 : distance(wanted, name)
}

function stem(name: string): string {
  return name.slice(0, name.length - extname(name).length)
}

// Breadth first, so that near places come first; bounded, as a suggestion is not worth a long wait.
async function findSameName(root: string, absolute: string, signal: AbortSignal): Promise<readonly string[]> {
  const wanted = basename(absolute).toLowerCase()
  const found: string[] = []
  const folders = [root]
  let walked = 0
  for (let folder = folders.shift(); folder !== undefined && walked < maxWalkedNames; folder = folders.shift()) {
    signal.throwIfAborted()
    for (const entry of await readEntries(folder)) {
      walked++
      const path = join(folder, entry.name)
      if (entry.isDirectory() && !skippedFolders.has(entry.name)) folders.push(path)
      if (entry.isFile() && entry.name.toLowerCase() === wanted) found.push(path)
    }
  }
  return found.sort((a, b) => commonEnd(b, absolute) - commonEnd(a, absolute)).slice(0, maxSuggestions)
}

async function readEntries(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** How many path components, from the end, are the same. */
function commonEnd(a: string, b: string): number {
  const [left, right] = [a.split(sep).reverse(), b.split(sep).reverse()]
  const differs = left.findIndex((part, index) => part !== right[index])
  return differs < 0 ? left.length : differs
}
