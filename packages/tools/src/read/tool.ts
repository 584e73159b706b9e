// Reading: text windows, folders, images. What lies elsewhere: encodings in encoding/, what was read in ledger/.
import { PermissionDenied, type Tool, type ToolContext, ToolFailure } from '@deckhand/core'
import type { Ledger } from '../ledger/ledger.ts'
import { createPathParts } from '../workspace/path-permission.ts'
import { showPath } from '../workspace/show-path.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { defaultReadLimits, type ReadLimits } from './limits.ts'
import { describeReadTool } from './prompt.ts'
import { readFile } from './read-file.ts'
import { readMany } from './read-many.ts'
import { findTarget, type ReadTarget } from './read-target.ts'
import { normaliseRead, parseRequests, readSchema } from './schema.ts'

export interface ReadDeps {
  readonly workspace: Workspace
  readonly ledger: Ledger
  readonly limits?: Partial<ReadLimits>
}

/** The tool `read`. */
export function createReadTool({ workspace, ledger, limits: changed }: ReadDeps): Tool<typeof readSchema> {
  const limits = { ...defaultReadLimits, ...changed }
  const deps = { workspace, ledger, limits }
  return {
    name: 'read',
    description: describeReadTool(limits),
    schema: readSchema,
    annotations: {
      title: 'Read files',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    normalise: normaliseRead,
    async execute(input, context) {
      const targets = parseRequests(input).map(request => findTarget(workspace, request))
      const [first] = targets
      if (!first)
        throw new ToolFailure('invalid-input', 'read needs path (one file) or paths (several); nothing was read.')
      if (targets.length > 1) return readMany(await allowEach(workspace, targets, context), deps, input.again, context)
      await allow(workspace, targets, context)
      return readFile(first, deps, { again: input.again ?? false, maxBytes: limits.maxBytes }, context)
    },
  }
}

/** Asks for all that can be read at once. What will be refused anyway needs no question. */
async function allow(workspace: Workspace, targets: readonly ReadTarget[], context: ToolContext): Promise<void> {
  const askable = targets.filter(({ refusal }) => !refusal)
  const parts = askable.flatMap(({ target, isFolder }) =>
    createPathParts(workspace, target, { permission: 'read', effect: 'read', isFolder }),
  )
  if (parts.length === 0) return
  await context.ask({ title: `Read ${askable.map(({ target }) => showPath(target.shown)).join(', ')}`, parts })
}

// One question for all. Where a rule or the mode said no, each is tried alone, so that one denied file among several
// does not hide the others; what a person said no to is not asked again.
async function allowEach(
  workspace: Workspace,
  targets: readonly ReadTarget[],
  context: ToolContext,
): Promise<readonly ReadTarget[]> {
  try {
    await allow(workspace, targets, context)
    return targets
  } catch (error) {
    if (!(error instanceof PermissionDenied) || !['rule', 'mode', 'nobody-to-ask'].includes(error.code)) throw error
    return Promise.all(targets.map(target => allowAlone(workspace, target, context)))
  }
}

async function allowAlone(workspace: Workspace, target: ReadTarget, context: ToolContext): Promise<ReadTarget> {
  try {
    await allow(workspace, [target], context)
    return target
  } catch (error) {
    if (error instanceof PermissionDenied) return { ...target, refusal: error }
    throw error
  }
}
