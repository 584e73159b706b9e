import { describeCount } from '../workspace/describe-bytes.ts'
import type { Todo } from './schema.ts'

const marks: Readonly<Record<Todo['status'], string>> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
  cancelled: '[-]',
}

/** The list and what is different from before, for the model. `before` is undefined when it was only looked at. */
export function describeList(before: readonly Todo[] | undefined, now: readonly Todo[]): string {
  const open = now.filter(({ status }) => status === 'pending' || status === 'in_progress').length
  const header = now.length === 0 ? 'The list is empty.' : `${describeCount(now.length, 'item')}, ${open} open.`
  const lines = now.map(({ content, status }) => `${marks[status]} ${content}`)
  return [`${header}${before ? ` ${describeChanges(before, now)}` : ''}`, ...lines].join('\n')
}

function describeChanges(before: readonly Todo[], now: readonly Todo[]): string {
  const old = new Map(before.map(({ content, status }) => [content, status]))
  const kept = new Set(now.map(({ content }) => content))
  const added = now.filter(({ content }) => !old.has(content)).length
  const removed = before.filter(({ content }) => !kept.has(content)).length
  const moved = now.filter(({ content, status }) => old.has(content) && old.get(content) !== status)
  const words = [
    ...(added > 0 ? [`${added} added`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...moved.map(({ content, status }) => `"${content}" is now ${status}`),
  ]
  return words.length === 0 ? 'Nothing changed.' : `Changed: ${words.join('; ')}.`
}
