import { describeBytes, describeCount } from '../workspace/describe-bytes.ts'
import type { ExistingFile } from '../workspace/existing-file.ts'
import { showPath } from '../workspace/show-path.ts'
import type { UnifiedDiff } from '../workspace/unified-diff.ts'
import type { PlannedContent } from './plan-content.ts'

export interface WrittenFacts {
  readonly shown: string
  readonly existing: ExistingFile | undefined
  readonly plan: PlannedContent
  readonly diff: UnifiedDiff | undefined
  readonly notes: readonly string[]
}

/** What was done, for the model. */
export function describeWritten({ shown, existing, plan, diff, notes }: WrittenFacts): string {
  const verb =
    existing === undefined
      ? 'Created'
      : existing.bytes.equals(plan.bytes)
        ? 'Unchanged, as the file held this already:'
        : 'Overwrote'
  const changed = existing && diff && diff.added + diff.removed > 0 ? ` (+${diff.added} -${diff.removed})` : ''
  const size = `${describeCount(countLines(plan.after), 'line')}, ${describeBytes(plan.bytes.length)}`
  return [
    `${verb} ${showPath(shown)}: ${size}${changed}.`,
    ...describeKept(plan),
    ...notes.map(note => `Note: ${note}.`),
  ].join('\n')
}

function describeKept({ encoding, madeCrlf }: PlannedContent): readonly string[] {
  const kept = [
    ...(encoding.name === 'UTF-8' ? [] : [`encoding ${encoding.name}`]),
    ...(encoding.bomBytes > 0 ? ['byte order mark'] : []),
    ...(madeCrlf ? ['CRLF line endings'] : []),
  ]
  return kept.length > 0 ? [`Kept from the old file: ${kept.join(', ')}.`] : []
}

function countLines(text: string): number {
  if (text === '') return 0
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
