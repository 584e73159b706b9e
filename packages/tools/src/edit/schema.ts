import type { NormalisedInput } from '@deckhand/core'
import { z } from 'zod'
import { createArgumentNormaliser } from '../workspace/argument-normaliser.ts'

const replacement = {
  oldText: z.string().describe('exact text of the file, without line numbers'),
  newText: z.string(),
  all: z.boolean().optional().describe('replace every occurrence'),
}

export const editSchema = z.object({
  path: z.string().min(1),
  oldText: replacement.oldText.optional(),
  newText: replacement.newText.optional(),
  all: replacement.all,
  edits: z.array(z.object(replacement)).min(1).optional().describe('several at once, all or none'),
})

export type EditInput = z.infer<typeof editSchema>

/** One replacement as it was asked for. */
export interface Replacement {
  readonly oldText: string
  readonly newText: string
  readonly all?: boolean
}

const aliases = {
  old_text: 'oldText',
  old_string: 'oldText',
  oldString: 'oldText',
  old_str: 'oldText',
  oldStr: 'oldText',
  old: 'oldText',
  search: 'oldText',
  find: 'oldText',
  new_text: 'newText',
  new_string: 'newText',
  newString: 'newText',
  new_str: 'newText',
  newStr: 'newText',
  new: 'newText',
  replace: 'newText',
  replacement: 'newText',
  replace_all: 'all',
  replaceAll: 'all',
}

const normaliseEntry = createArgumentNormaliser({ names: ['oldText', 'newText', 'all'], aliases, booleans: ['all'] })

const normaliseWhole = createArgumentNormaliser({
  names: ['path', 'oldText', 'newText', 'all', 'edits'],
  aliases: {
    ...aliases,
    file_path: 'path',
    filePath: 'path',
    filepath: 'path',
    file: 'path',
    filename: 'path',
    fileName: 'path',
    absolute_path: 'path',
    target_file: 'path',
    changes: 'edits',
    replacements: 'edits',
  },
  booleans: ['all'],
  lists: ['edits'],
})

/** Puts right how models miscall this tool, in each of several edits too. */
export function normaliseEdit(input: Readonly<Record<string, unknown>>): NormalisedInput {
  const whole = normaliseWhole(input)
  const fields = whole.input as Record<string, unknown>
  if (!Array.isArray(fields.edits)) return whole
  const entries = fields.edits.map(entry =>
    typeof entry === 'object' && entry !== null ? normaliseEntry(entry) : { input: entry, notes: [] },
  )
  const notes = [...new Set([...whole.notes, ...entries.flatMap(entry => entry.notes)])]
  return { input: { ...fields, edits: entries.map(entry => entry.input) }, notes }
}

/** What is to be replaced: the single pair, the list, or both; empty when neither is whole. */
export function parseReplacements({ oldText, newText, all, edits = [] }: EditInput): readonly Replacement[] {
  return oldText === undefined || newText === undefined ? edits : [{ oldText, newText, all }, ...edits]
}
