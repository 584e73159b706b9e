// Searching in files. ripgrep searches; what may be shown and how it is worded is decided here.
import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Tool, type ToolContext, ToolFailure } from '@deckhand/core'
import { findSpecialFile } from '../workspace/file-kind.ts'
import { createMissing } from '../workspace/missing-path.ts'
import { resolvePathArgument } from '../workspace/path-argument.ts'
import { createPathParts } from '../workspace/path-permission.ts'
import { findRipgrep } from '../workspace/ripgrep.ts'
import { findSecret } from '../workspace/secret-file.ts'
import { showPath } from '../workspace/show-path.ts'
import type { ResolvedPath, Workspace } from '../workspace/workspace.ts'
import { describeMatches } from './describe-matches.ts'
import { describeGrepTool } from './prompt.ts'
import { grepSchema, normaliseGrep } from './schema.ts'
import { type GrepFacts, searchFiles } from './search-files.ts'

export interface GrepLimits {
  readonly maxMatches: number
  readonly maxBytes: number
  readonly timeoutMs: number
}

const defaultGrepLimits: GrepLimits = { maxMatches: 200, maxBytes: 30 * 1024, timeoutMs: 20_000 }

export interface GrepDeps {
  readonly workspace: Workspace
  readonly rgPath?: string
  readonly limits?: Partial<GrepLimits>
}

/** The tool `grep`. */
export function createGrepTool({ workspace, rgPath, limits: changed }: GrepDeps): Tool<typeof grepSchema> {
  const limits = { ...defaultGrepLimits, ...changed }
  return {
    name: 'grep',
    description: describeGrepTool(limits),
    schema: grepSchema,
    annotations: {
      title: 'Search in files',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    normalise: normaliseGrep,
    async execute(input, context) {
      const { target, notes } = resolvePathArgument(workspace, input.path ?? '.')
      const place = await findPlace(workspace, target, context)
      await allow(workspace, target, place, input.pattern, context)
      const facts = await searchFiles({
        ...place,
        input,
        rgPath: await findRipgrep(rgPath),
        signal: context.signal,
        timeoutMs: limits.timeoutMs,
        // A secret file that was named itself has been asked for.
        isWithheld: path => place.isFolder && isSecret(workspace, target, path),
      })
      refuseBadPattern(facts, input.pattern)
      const shown = (path: string) => showPath(workspace.resolve(join(place.cwd, path)).shown)
      return {
        title: input.pattern,
        output: describeMatches(facts, { input, place: target.shown, notes, ...limits, shown }),
        metadata: {
          pattern: input.pattern,
          matches: facts.totalMatches,
          files: facts.files.length,
          timedOut: facts.timedOut,
        },
      }
    },
  }
}

// Links below the folder are not followed, so the path below it is the real one.
function isSecret(workspace: Workspace, { absolute, real }: ResolvedPath, path: string): boolean {
  return [absolute, real].some(folder => findSecret(join(folder, path), workspace) !== undefined)
}

interface Place {
  readonly cwd: string
  readonly what: string
  readonly isFolder: boolean
}

// A named pipe or device would hold the search for ever.
async function findPlace(workspace: Workspace, target: ResolvedPath, context: ToolContext): Promise<Place> {
  const stats = statSync(target.real, { throwIfNoEntry: false })
  if (!stats) {
    if (target.inside) throw await createMissing(workspace, target, context.signal)
    throw new ToolFailure('not-found', `No such file or folder: ${showPath(target.shown)} does not exist.`)
  }
  const special = findSpecialFile(target.real, stats)
  if (special) {
    throw new ToolFailure(
      'not-a-file',
      `${showPath(target.shown)} is ${special.words}, not a regular file; it was not searched.`,
    )
  }
  return stats.isDirectory()
    ? { cwd: target.absolute, what: '.', isFolder: true }
    : { cwd: dirname(target.absolute), what: `./${basename(target.absolute)}`, isFolder: false }
}

async function allow(
  workspace: Workspace,
  target: ResolvedPath,
  { isFolder }: Place,
  pattern: string,
  context: ToolContext,
): Promise<void> {
  const parts = createPathParts(workspace, target, { permission: 'grep', effect: 'read', isFolder })
  await context.ask({ title: `Search for ${pattern} in ${showPath(target.shown)}`, parts })
}

// Exit code 2 without a match, and words about the pattern itself: nothing was searched.
function refuseBadPattern({ exitCode, totalMatches, errorText }: GrepFacts, pattern: string): void {
  const isAboutPattern =
    /regex parse error|PCRE2: error|unrecognized file type|error parsing|regex could not be compiled/i.test(errorText)
  if (exitCode !== 2 || totalMatches > 0 || !isAboutPattern) return
  const words = errorText.replace(/^rg: /, '').trim()
  throw new ToolFailure(
    'invalid-input',
    `${JSON.stringify(pattern)} is no valid regular expression, so nothing was searched. ${words}\nTo search for it as plain text, set literal: true.`,
  )
}
