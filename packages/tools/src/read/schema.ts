import { z } from 'zod'
import { createArgumentNormaliser } from '../workspace/argument-normaliser.ts'

const offset = z.int().optional()
const limit = z.int().min(1).optional()

export const readSchema = z.object({
  path: z.string().min(1).optional(),
  paths: z
    .array(z.union([z.string().min(1), z.object({ path: z.string().min(1), offset, limit })]))
    .min(1)
    .optional()
    .describe('several files in one call'),
  offset: offset.describe('first line, from 1; negative counts from the end'),
  limit: limit.describe('number of lines'),
  column: z.int().min(1).optional().describe('show only line offset, from this character'),
  again: z.boolean().optional().describe('show it even if unchanged since the last read'),
})

export type ReadInput = z.infer<typeof readSchema>

/** Puts right how models miscall this tool. */
export const normaliseRead = createArgumentNormaliser({
  names: ['path', 'paths', 'offset', 'limit', 'column', 'again'],
  aliases: {
    file_path: 'path',
    filePath: 'path',
    filepath: 'path',
    file: 'path',
    filename: 'path',
    fileName: 'path',
    absolute_path: 'path',
    target_file: 'path',
    files: 'paths',
    file_paths: 'paths',
    filePaths: 'paths',
    filenames: 'paths',
    start_line: 'offset',
    startLine: 'offset',
    start: 'offset',
    line: 'offset',
    max_lines: 'limit',
    maxLines: 'limit',
    lines: 'limit',
    num_lines: 'limit',
    force: 'again',
  },
  numbers: ['offset', 'limit', 'column'],
  booleans: ['again'],
  lists: ['paths'],
})

/** One thing to read. */
export interface ReadRequest {
  readonly path: string
  readonly offset: number
  readonly limit?: number
  readonly column?: number
}

/** What the input asks for, in its order; the ranges of the call hold for entries without their own. */
export function parseRequests({ path, paths = [], offset = 1, limit, column }: ReadInput): readonly ReadRequest[] {
  const all = [...(path === undefined ? [] : [path]), ...paths]
  return all.map(entry => {
    const own = typeof entry === 'string' ? { path: entry } : entry
    // Line 0 is a common slip for the first.
    return { path: own.path, offset: (own.offset ?? offset) || 1, limit: own.limit ?? limit, column }
  })
}
