// Replacing text in a file. Which bytes change is decided in apply-edits; nothing is written before all edits fit.
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '@deckhand/core'
import { createContentStamp, isSameContent } from '../ledger/content-stamp.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { requireKnown } from '../ledger/require-known.ts'
import { writeAtomically } from '../workspace/atomic-write.ts'
import { describeCount } from '../workspace/describe-bytes.ts'
import { decodeExisting, type ExistingFile, readExisting } from '../workspace/existing-file.ts'
import { createIoFailure } from '../workspace/io-failure.ts'
import type { TextChange } from '../workspace/later-code.ts'
import { createMissing } from '../workspace/missing-path.ts'
import { resolvePathArgument } from '../workspace/path-argument.ts'
import { createPathParts } from '../workspace/path-permission.ts'
import { showPath } from '../workspace/show-path.ts'
import { createUnifiedDiff, describeDiff, type UnifiedDiff } from '../workspace/unified-diff.ts'
import type { ResolvedPath, Workspace } from '../workspace/workspace.ts'
import { applyEdits, type EditedText } from './apply-edits.ts'
import { createEditableText } from './editable-text.ts'
import { editPrompt } from './prompt.ts'
import { editSchema, normaliseEdit, parseReplacements, type Replacement } from './schema.ts'

export interface EditDeps {
  readonly workspace: Workspace
  readonly ledger: Ledger
}

/** The tool `edit`. */
export function createEditTool(deps: EditDeps): Tool<typeof editSchema> {
  return {
    name: 'edit',
    description: editPrompt,
    schema: editSchema,
    annotations: {
      title: 'Edit a file',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
    normalise: normaliseEdit,
    async execute(input, context) {
      const replacements = parseReplacements(input)
      if (replacements.length === 0) {
        throw new ToolFailure('invalid-input', 'edit needs oldText and newText, or edits; nothing was changed.')
      }
      const { target, notes } = resolvePathArgument(deps.workspace, input.path)
      // Two edits of one file in one step take turns, so that the second sees what the first made.
      return deps.ledger.exclusive(target.real, () => editFile(target, replacements, notes, deps, context))
    },
  }
}

async function editFile(
  target: ResolvedPath,
  replacements: readonly Replacement[],
  notes: readonly string[],
  { workspace, ledger }: EditDeps,
  context: ToolContext,
): Promise<ToolResult> {
  const existing = await readExisting(target)
  if (!existing) throw await describeNothingToEdit(workspace, target, context)
  // What is no text can't be read first either: that is said before anything else.
  if (target.inside) await decodeExisting(existing, target)
  requireKnown(ledger, target, existing.stamp, 'some')
  const plan = await planEdit(target, existing, replacements)
  const metadata = describeMetadata(target, plan)
  const parts = createPathParts(workspace, target, { permission: 'edit', effect: 'write', change: plan.change })
  await context.ask({ title: `Edit ${showPath(target.shown)}`, parts, metadata })
  context.signal.throwIfAborted()
  await act(target, existing, plan, ledger)
  return { title: target.shown, output: describeEdited(target, plan, notes), metadata }
}

// Names of a folder outside the workspace are not told unasked.
async function describeNothingToEdit(
  workspace: Workspace,
  target: ResolvedPath,
  context: ToolContext,
): Promise<ToolFailure> {
  if (target.inside) return createMissing(workspace, target, context.signal)
  return new ToolFailure(
    'not-found',
    `No such file: ${showPath(target.shown)} does not exist. To make a new file, use write.`,
  )
}

interface EditPlan extends EditedText {
  readonly bytes: Buffer
  readonly diff: UnifiedDiff | undefined
  readonly change: TextChange
}

async function planEdit(
  target: ResolvedPath,
  existing: ExistingFile,
  replacements: readonly Replacement[],
): Promise<EditPlan> {
  const { encoding, text: before } = await decodeExisting(existing, target)
  const text = await createEditableText(existing.bytes, encoding)
  const shown = showPath(target.shown)
  if (!text) {
    throw new ToolFailure(
      'unsupported',
      `${shown} was left as it was: it holds bytes that are no valid ${encoding.name}, so it can't be changed without touching more than the match. Change it with the shell (sed with LC_ALL=C).`,
    )
  }
  const edited = await applyEdits(text, replacements, shown)
  const after = text.toText(edited.units).replace(/^\ufeff/, '')
  return {
    ...edited,
    bytes: await text.toBytes(edited.units),
    diff: await createUnifiedDiff(target.shown, before, after),
    change: { before, after },
  }
}

async function act(target: ResolvedPath, existing: ExistingFile, plan: EditPlan, ledger: Ledger): Promise<void> {
  // The question may have stood for long.
  const now = await readExisting(target)
  if (!now || !isSameContent(now.stamp, existing.stamp)) {
    throw new ToolFailure(
      'changed-on-disk',
      `${showPath(target.shown)} was changed on disk in the meantime, so it was left alone. Read it again, then do this with what it holds now.`,
    )
  }
  try {
    const { stats } = await writeAtomically(target.real, plan.bytes)
    ledger.recordEdit(target.real, createContentStamp(stats, plan.bytes), plan.firstLine)
  } catch (error) {
    throw createIoFailure(error, `write ${showPath(target.shown)}`)
  }
}

function describeMetadata(target: ResolvedPath, { diff, replaced }: EditPlan): Record<string, unknown> {
  const facts = { path: target.shown, replaced }
  return diff ? { ...facts, diff: diff.patch, added: diff.added, removed: diff.removed } : facts
}

function describeEdited(target: ResolvedPath, { diff, replaced }: EditPlan, notes: readonly string[]): string {
  const counts = diff ? ` (+${diff.added} -${diff.removed})` : ''
  const header = `Edited ${showPath(target.shown)}: ${describeCount(replaced, 'replacement')}${counts}.`
  const shownDiff = diff ? [describeDiff(diff)] : ['(The diff is left out, as it would take too long to make.)']
  return [header, ...notes.map(note => `Note: ${note}.`), ...shownDiff].join('\n')
}
