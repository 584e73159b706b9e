import type { PermissionMode } from '@deckhand/core'
import { oneLine } from '../terminal/neutralise.ts'
import type { JudgedCommand } from './judge-command.ts'

/** A judged command, and what of the environment it would not get. */
export interface JudgedFacts extends JudgedCommand {
  readonly withheld: readonly string[]
}

/** For people: the decision, each part with its reason, what is known of the command, and what "always" would store. */
export function describeJudged(facts: JudgedFacts, mode: PermissionMode): string {
  const { command, verdict, analysis, always, withheld } = facts
  const rows = verdict.parts.map(({ action, part, reason }) => [
    action,
    `${part.permission}: ${oneLine(part.pattern)}`,
    oneLine(reason),
  ])
  const unknown = analysis.unknown.map(({ text, reason }) => `${oneLine(text)}: ${oneLine(reason)}`)
  const wrapped = analysis.commands
    .filter(({ wrappers }) => wrappers.length > 0)
    .map(({ pattern, wrappers }) => `${oneLine(pattern)}  (started by ${wrappers.map(oneLine).join(' > ')})`)
  return [
    `${verdict.action}: ${oneLine(command)}`,
    '',
    ...alignRows(rows),
    '',
    `mode: ${mode} · only reads: ${analysis.readOnly} · network: ${analysis.network}`,
    ...section('can not be known:', unknown),
    ...section('started by others:', wrapped),
    ...section(
      '"always" would store:',
      always.map(({ permission, pattern }) => `${permission}: ${oneLine(pattern)}`),
    ),
    ...section('not handed to it, as they look like credentials:', withheld),
    '',
  ].join('\n')
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map(line => `  ${line}`)]
}

const maxWidth = 60

function alignRows(rows: readonly (readonly string[])[]): readonly string[] {
  const width = Math.min(maxWidth, Math.max(...rows.map(([, what = '']) => what.length)))
  return rows.map(([action = '', what = '', reason = '']) => `  ${action.padEnd(5)}  ${what.padEnd(width)}  ${reason}`)
}

/** For programs. */
export function toJson({ command, verdict, analysis, external, always, withheld }: JudgedFacts): unknown {
  return {
    command,
    decision: verdict.action,
    parts: verdict.parts.map(({ part, action, reason }) => ({ ...part, action, reason })),
    external,
    always,
    analysis,
    withheld,
  }
}
