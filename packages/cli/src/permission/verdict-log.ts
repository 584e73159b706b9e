// `deckhand permission log`: the audit log.
import type { PermissionAnswer, StoredVerdict } from '@deckhand/core'
import type { CliContext } from '../cli-context.ts'
import { withStore } from '../open-store.ts'
import { oneLine } from '../terminal/neutralise.ts'

export interface LogOptions {
  readonly session?: string
  readonly limit: number
  readonly json?: boolean
}

/** Prints the newest verdicts, oldest of them first. */
export async function showLog({ session, limit, json }: LogOptions, context: CliContext): Promise<void> {
  const verdicts = await withStore(context, store => store.listVerdicts({ sessionID: session, limit }))
  context.stdout.write(json ? `${JSON.stringify(verdicts, null, 2)}\n` : describeVerdicts(verdicts))
}

/** For a person: what was to be done and what came of it, then each part that decided with its reason. */
export function describeVerdicts(verdicts: readonly StoredVerdict[]): string {
  if (verdicts.length === 0) return 'Nothing has been decided yet.\n'
  return verdicts.map(verdict => `${describeVerdict(verdict).join('\n')}\n`).join('')
}

function describeVerdict(verdict: StoredVerdict): string[] {
  const { time, tool, title, action, mode, parts, omittedParts, sessionID } = verdict
  const when = new Date(time).toISOString().slice(0, 19).replace('T', ' ')
  const decisive = parts.filter(part => part.action === action)
  return [
    `${when}  ${oneLine(tool)}: ${oneLine(title)}`,
    `    ${describeOutcome(verdict)}  (mode ${mode}${sessionID === '' ? '' : `, ${oneLine(sessionID)}`})`,
    ...decisive.map(part => `    ${part.permission}: ${oneLine(part.pattern)}  (${oneLine(part.reason)})`),
    ...(omittedParts > 0 ? [`    and ${omittedParts} more parts, not kept`] : []),
  ]
}

function describeOutcome({ action, answer }: StoredVerdict): string {
  if (action === 'allow') return 'allowed'
  if (action === 'deny') return 'denied'
  return answer ? `asked: ${describeAnswer(answer)}` : 'asked'
}

function describeAnswer(answer: PermissionAnswer): string {
  switch (answer.reply) {
    case 'once':
      return `allowed once by ${oneLine(answer.by)}`
    case 'always':
      return `allowed always (${answer.scope}) by ${oneLine(answer.by)}`
    case 'reject':
      return `refused by ${oneLine(answer.by)}${answer.words ? `: ${oneLine(answer.words)}` : ''}`
    case 'unanswered':
      return describeSilence(answer.why)
  }
}

function describeSilence(why: Extract<PermissionAnswer, { reply: 'unanswered' }>['why']): string {
  switch (why) {
    case 'nobody-to-ask':
      return 'nobody was there, so it was not done'
    case 'expired':
      return 'nobody answered in time, so it was not done'
    case 'cancelled':
      return 'it was cancelled before an answer'
  }
}
