import { z } from 'zod'
import { createArgumentNormaliser } from '../workspace/argument-normaliser.ts'

export const globSchema = z.object({
  pattern: z.string().min(1),
  path: z.string().min(1).optional().describe('folder to look in; default: the workspace'),
  ignored: z.boolean().optional().describe('also files that .gitignore leaves out'),
})

export type GlobInput = z.infer<typeof globSchema>

/** Puts right how models miscall this tool. */
export const normaliseGlob = createArgumentNormaliser({
  names: ['pattern', 'path', 'ignored'],
  aliases: {
    glob: 'pattern',
    glob_pattern: 'pattern',
    globPattern: 'pattern',
    query: 'pattern',
    directory: 'path',
    dir: 'path',
    cwd: 'path',
    folder: 'path',
    target_directory: 'path',
    no_ignore: 'ignored',
    include_ignored: 'ignored',
  },
  booleans: ['ignored'],
})
