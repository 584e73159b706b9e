// The list of steps that a model keeps. It lives as long as the process, one list per session.
import type { SessionID, Tool } from '@deckhand/core'
import { describeList } from './describe-list.ts'
import { todoPrompt } from './prompt.ts'
import { normaliseTodo, type Todo, todoSchema } from './schema.ts'

/** The tool `todo`. */
export function createTodoTool(): Tool<typeof todoSchema> {
  const lists = new Map<SessionID, readonly Todo[]>()
  return {
    name: 'todo',
    description: todoPrompt,
    schema: todoSchema,
    annotations: {
      title: 'Keep a list of steps',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    normalise: normaliseTodo,
    async execute({ todos }, context) {
      // It touches nothing but its own memory; a rule may forbid it all the same.
      const part = { permission: 'todo', pattern: '*', effect: 'read', harmless: true, always: ['*'] } as const
      await context.ask({ title: 'Keep the list of steps', parts: [part] })
      const before = lists.get(context.sessionID) ?? []
      const now = todos ?? before
      lists.set(context.sessionID, now)
      const open = now.filter(({ status }) => status !== 'completed' && status !== 'cancelled').length
      return {
        title: `${open} open`,
        output: describeList(todos ? before : undefined, now),
        metadata: { todos: now },
      }
    },
  }
}
