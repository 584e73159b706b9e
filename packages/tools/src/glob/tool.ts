// Finding files by name. Patterns are read in workspace/glob-pattern, the tree is walked by ripgrep.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Tool, type ToolContext, ToolFailure } from '@deckhand/core'
import { resolvePathArgument } from '../workspace/path-argument.ts'
import { createPathParts } from '../workspace/path-permission.ts'
import { findRipgrep } from '../workspace/ripgrep.ts'
import { showPath } from '../workspace/show-path.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { describeFound } from './describe-found.ts'
import { type FileSearch, type FoundFiles, findFiles, splitPattern } from './find-files.ts'
import { describeGlobTool } from './prompt.ts'
import { type GlobInput, globSchema, normaliseGlob } from './schema.ts'

export interface GlobLimits {
  readonly maxFiles: number
  readonly timeoutMs: number
}

const defaultGlobLimits: GlobLimits = { maxFiles: 200, timeoutMs: 20_000 }

export interface GlobDeps {
  readonly workspace: Workspace
  readonly rgPath?: string
  readonly limits?: Partial<GlobLimits>
}

/** The tool `glob`. */
export function createGlobTool({ workspace, rgPath, limits: changed }: GlobDeps): Tool<typeof globSchema> {
  const limits = { ...defaultGlobLimits, ...changed }
  return {
    name: 'glob',
    description: describeGlobTool(limits),
    schema: globSchema,
    annotations: {
      title: 'Find files',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    normalise: normaliseGlob,
    async execute(input, context) {
      const { search, place, notes } = findPlace(workspace, input)
      await allow(workspace, search, input, context)
      const options = { rgPath: await findRipgrep(rgPath), signal: context.signal, timeoutMs: limits.timeoutMs }
      const found = await findFiles(search, { ...options, ignored: input.ignored ?? false })
      const hidden =
        found.paths.length === 0 && !input.ignored ? await findFiles(search, { ...options, ignored: true }) : undefined
      const shown = (files: FoundFiles) =>
        files.paths.slice(0, limits.maxFiles).map(path => showIn(workspace, search, path))
      return {
        title: input.pattern,
        output: describeFound({ input, place, found, hidden, notes, shown }),
        metadata: { pattern: input.pattern, files: shown(found), total: found.paths.length, timedOut: found.timedOut },
      }
    },
  }
}

interface GlobPlace {
  readonly search: FileSearch
  /** The folder that was asked for. */
  readonly place: string
  readonly notes: readonly string[]
}

function findPlace(workspace: Workspace, { pattern, path }: GlobInput): GlobPlace {
  const { target, notes } = resolvePathArgument(workspace, path ?? '.')
  const stats = statSync(target.real, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) {
    const what = stats ? 'is not a folder' : 'does not exist'
    throw new ToolFailure(
      'not-found',
      `glob looks in a folder, and ${showPath(target.shown)} ${what}. Leave path out to look in the whole workspace.`,
    )
  }
  return {
    place: target.shown,
    search: splitPattern(target.absolute, pattern.replace(/^~(?=\/)/, workspace.home)),
    notes,
  }
}

async function allow(
  workspace: Workspace,
  { base }: FileSearch,
  { pattern }: GlobInput,
  context: ToolContext,
): Promise<void> {
  const target = workspace.resolve(base)
  const parts = createPathParts(workspace, target, { permission: 'glob', effect: 'read', isFolder: true })
  await context.ask({ title: `Find ${pattern} in ${showPath(target.shown)}`, parts })
}

function showIn(workspace: Workspace, { base }: FileSearch, path: string): string {
  return showPath(workspace.resolve(join(base, path)).shown)
}
