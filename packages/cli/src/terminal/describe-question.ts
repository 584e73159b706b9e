import { groupDigits, offerAlways, type PartVerdict, type PermissionQuestion, type Verdict } from '@deckhand/core'
import { neutralise, oneLine } from './neutralise.ts'

const maxTitleLines = 30
const maxDiffLines = 40
const maxParts = 30

/** What is asked: the action whole, each part with the reason, and what "always" would store for it. */
export function describeQuestion({ tool, title, metadata = {} }: PermissionQuestion, verdict: Verdict): string {
  const [first = '', ...more] = boundLines(neutralise(title).split('\n'), maxTitleLines)
  const asked = verdict.parts.filter(({ action }) => action === 'ask')
  const lines = [
    '',
    `? ${oneLine(tool)} asks: ${first}`,
    ...indent(more),
    ...(typeof metadata.cwd === 'string' ? [`  in ${oneLine(metadata.cwd)}`] : []),
    ...(typeof metadata.diff === 'string'
      ? indent(boundLines(neutralise(metadata.diff).trimEnd().split('\n'), maxDiffLines))
      : []),
    '  asked for:',
    ...indent(boundLines(asked.map(describePart), maxParts).flatMap(part => part.split('\n'))),
    '',
  ]
  return lines.join('\n')
}

function describePart(verdict: PartVerdict): string {
  const { part, action, reason } = verdict
  const offered = offerAlways({ action, parts: [verdict] })
  return [
    `${part.permission}: ${oneLine(part.pattern)}  (${oneLine(reason)})`,
    ...offered.map(({ pattern }) => `  "always" stores ${part.permission}: ${oneLine(pattern)}`),
    ...(offered.length === 0 ? ['  is asked each time'] : []),
  ].join('\n')
}

// Indented, so that foreign text can't pass for our own lines.
function indent(lines: readonly string[]): string[] {
  return lines.map(line => `    ${line}`)
}

/** Whoever decides must know that there is more than they see. */
function boundLines(lines: readonly string[], max: number): readonly string[] {
  if (lines.length <= max) return lines
  return [...lines.slice(0, max), `… and ${groupDigits(lines.length - max)} more, not shown here`]
}
