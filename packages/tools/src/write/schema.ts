import { z } from 'zod'
import { createArgumentNormaliser } from '../workspace/argument-normaliser.ts'

export const writeSchema = z.object({
  path: z.string().min(1),
  content: z.string().describe('the whole new content'),
})

/** Puts right how models miscall this tool. */
export const normaliseWrite = createArgumentNormaliser({
  names: ['path', 'content'],
  aliases: {
    file_path: 'path',
    filePath: 'path',
    filepath: 'path',
    file: 'path',
    filename: 'path',
    fileName: 'path',
    absolute_path: 'path',
    target_file: 'path',
    contents: 'content',
    text: 'content',
    file_text: 'content',
    fileContent: 'content',
    file_content: 'content',
    newContent: 'content',
  },
})
