import { z } from 'zod'
import { createArgumentNormaliser } from '../workspace/argument-normaliser.ts'

export const grepSchema = z.object({
  pattern: z.string().min(1).describe('regular expression'),
  path: z.string().min(1).optional().describe('file or folder; default: the workspace'),
  include: z.string().min(1).optional().describe('only files that match this glob, such as *.ts'),
  context: z.int().min(0).max(20).optional().describe('lines shown around each match'),
  ignoreCase: z.boolean().optional(),
  literal: z.boolean().optional().describe('pattern is plain text'),
  filesOnly: z.boolean().optional().describe('only names, with counts'),
  ignored: z.boolean().optional().describe('also files that .gitignore leaves out'),
})

export type GrepInput = z.infer<typeof grepSchema>

/** Puts right how models miscall this tool. */
export const normaliseGrep = createArgumentNormaliser({
  names: ['pattern', 'path', 'include', 'context', 'ignoreCase', 'literal', 'filesOnly', 'ignored'],
  aliases: {
    query: 'pattern',
    regex: 'pattern',
    search: 'pattern',
    directory: 'path',
    dir: 'path',
    file: 'path',
    folder: 'path',
    file_path: 'path',
    glob: 'include',
    include_pattern: 'include',
    file_pattern: 'include',
    '-C': 'context',
    context_lines: 'context',
    '-i': 'ignoreCase',
    ignore_case: 'ignoreCase',
    case_insensitive: 'ignoreCase',
    caseInsensitive: 'ignoreCase',
    fixed_strings: 'literal',
    fixed: 'literal',
    files_with_matches: 'filesOnly',
    files_only: 'filesOnly',
    no_ignore: 'ignored',
  },
  numbers: ['context'],
  booleans: ['ignoreCase', 'literal', 'filesOnly', 'ignored'],
})
