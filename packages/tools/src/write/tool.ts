// Writing a file whole. How it gets to the disk lies in workspace/atomic-write, what was read before in ledger/.
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '@deckhand/core'
import { createContentStamp, isSameContent } from '../ledger/content-stamp.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { requireKnown } from '../ledger/require-known.ts'
import { writeAtomically } from '../workspace/atomic-write.ts'
import { decodeExisting, type ExistingFile, readExisting } from '../workspace/existing-file.ts'
import { createIoFailure } from '../workspace/io-failure.ts'
import { resolvePathArgument } from '../workspace/path-argument.ts'
import { createPathParts } from '../workspace/path-permission.ts'
import { showPath } from '../workspace/show-path.ts'
import { createUnifiedDiff } from '../workspace/unified-diff.ts'
import type { ResolvedPath, Workspace } from '../workspace/workspace.ts'
import { describeWritten } from './describe-written.ts'
import { type PlannedContent, planContent } from './plan-content.ts'
import { writePrompt } from './prompt.ts'
import { normaliseWrite, writeSchema } from './schema.ts'

export interface WriteDeps {
  readonly workspace: Workspace
  readonly ledger: Ledger
}

/** The tool `write`. */
export function createWriteTool(deps: WriteDeps): Tool<typeof writeSchema> {
  return {
    name: 'write',
    description: writePrompt,
    schema: writeSchema,
    annotations: {
      title: 'Write a file',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    normalise: normaliseWrite,
    execute({ path, content }, context) {
      const { target, notes } = resolvePathArgument(deps.workspace, path)
      // Two calls for one file take turns, so that neither acts on what the other has just changed.
      return deps.ledger.exclusive(target.real, () => writeFile(target, content, notes, deps, context))
    },
  }
}

async function writeFile(
  target: ResolvedPath,
  content: string,
  notes: readonly string[],
  { workspace, ledger }: WriteDeps,
  context: ToolContext,
): Promise<ToolResult> {
  const existing = await readExisting(target)
  // What is no text can't be read first either: that is said before anything else.
  if (existing && target.inside) await decodeExisting(existing, target)
  // An empty file has nothing to lose.
  if (existing && existing.bytes.length > 0) requireKnown(ledger, target, existing.stamp, 'whole')
  const plan = await planContent(target, content, existing)
  const diff = await createUnifiedDiff(target.shown, plan.before, plan.after)
  const metadata = { path: target.shown, ...(diff && { diff: diff.patch, added: diff.added, removed: diff.removed }) }
  const change = { before: existing && plan.before, after: plan.after }
  const parts = createPathParts(workspace, target, { permission: 'edit', effect: 'write', change })
  await context.ask({ title: `${existing ? 'Overwrite' : 'Create'} ${showPath(target.shown)}`, parts, metadata })
  context.signal.throwIfAborted()
  await act(target, plan, existing, ledger)
  return {
    title: target.shown,
    output: describeWritten({ shown: target.shown, existing, plan, diff, notes }),
    metadata: { ...metadata, created: existing === undefined, bytes: plan.bytes.length },
  }
}

async function act(
  target: ResolvedPath,
  plan: PlannedContent,
  existing: ExistingFile | undefined,
  ledger: Ledger,
): Promise<void> {
  // The question may have stood for long.
  const now = await readExisting(target)
  if (now && (!existing || !isSameContent(now.stamp, existing.stamp))) {
    throw new ToolFailure(
      'changed-on-disk',
      `${showPath(target.shown)} was ${existing ? 'changed' : 'created by someone else'} on disk in the meantime, so it was left alone. Read it again, then do this with what it holds now.`,
    )
  }
  if (existing?.bytes.equals(plan.bytes)) return ledger.recordWrite(target.real, existing.stamp)
  try {
    const { stats } = await writeAtomically(target.real, plan.bytes)
    ledger.recordWrite(target.real, createContentStamp(stats, plan.bytes))
  } catch (error) {
    throw createIoFailure(error, `write ${showPath(target.shown)}`)
  }
}
