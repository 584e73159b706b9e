import { groupDigits } from '@deckhand/core'
import { describeCount } from '../workspace/describe-bytes.ts'
import { showPath } from '../workspace/show-path.ts'
import type { FoundFiles } from './find-files.ts'
import type { GlobInput } from './schema.ts'

export interface FoundFacts {
  readonly input: GlobInput
  readonly place: string
  readonly found: FoundFiles
  /** What matches with ignored files too; looked for only when nothing else was found. */
  readonly hidden: FoundFiles | undefined
  readonly notes: readonly string[]
  /** The paths to show, at most as many as the limit allows. */
  shown(files: FoundFiles): readonly string[]
}

/** What was found, for the model. */
export function describeFound({ input, place, found, hidden, notes, shown }: FoundFacts): string {
  const where = place === '.' ? '' : ` in ${showPath(place)}`
  const troubles = [
    ...notes.map(note => `Note: ${note}.`),
    ...(found.timedOut ? ['Note: the search ran out of time; there may be more.'] : []),
    ...(found.trouble
      ? [`Note: not everything could be searched: ${found.trouble.split('\n').slice(0, 3).join('; ')}`]
      : []),
  ]
  const total = found.paths.length
  if (total === 0)
    return [`No file matches ${input.pattern}${where}.${describeHidden(hidden, shown)}`, ...troubles].join('\n')
  const files = shown(found)
  const order = found.order === 'newest' ? 'newest first' : 'by name'
  const header = `${describeCount(total, 'file')} ${total === 1 ? 'matches' : 'match'} ${input.pattern}${where}${total === 1 ? '' : `, ${order}`}:`
  const left = total - files.length
  const end =
    left > 0 ? [`[${groupDigits(left)} more left out of ${groupDigits(total)}; narrow the pattern or the path]`] : []
  return [header, ...troubles, ...files, ...end].join('\n')
}

function describeHidden(hidden: FoundFiles | undefined, shown: (files: FoundFiles) => readonly string[]): string {
  const total = hidden?.paths.length ?? 0
  if (!hidden || total === 0) return ''
  const examples = shown(hidden).slice(0, 3).join(', ')
  return ` But ${describeCount(total, 'file')} that .gitignore leaves out ${total === 1 ? 'does' : 'do'}: ${examples}${total > 3 ? ', …' : ''}; set ignored: true to see ${total === 1 ? 'it' : 'them'}.`
}
