import { z } from 'zod'
import { createArgumentNormaliser } from '../workspace/argument-normaliser.ts'

const todoStatuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const

export const todoSchema = z.object({
  todos: z
    .array(z.object({ content: z.string().min(1), status: z.enum(todoStatuses) }))
    .optional()
    .describe('the whole list; leave out to see it'),
})

export type Todo = NonNullable<z.infer<typeof todoSchema>['todos']>[number]

/** Puts right how models miscall this tool. */
export const normaliseTodo = createArgumentNormaliser({
  names: ['todos'],
  aliases: { items: 'todos', tasks: 'todos', list: 'todos', todo: 'todos' },
  lists: ['todos'],
})
