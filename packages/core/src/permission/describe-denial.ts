import { PermissionDenied } from '../error.ts'
import type { PermissionAnswer, PermissionQuestion, Verdict } from './question.ts'

/** The error for a question that rules or the mode answered with no. */
export function createVerdictDenial(question: PermissionQuestion, verdict: Verdict): PermissionDenied {
  const denied = verdict.parts.filter(part => part.action === 'deny')
  const code = denied.some(part => part.denial === 'rule') ? 'rule' : 'mode'
  const said = denied.filter(part => part.denial === code).map(part => `${part.part.pattern} (${part.reason})`)
  return new PermissionDenied(
    code,
    code === 'rule' ? describeRuleDenial(question, said) : describeModeDenial(question),
    facts(question, verdict, 'deny'),
  )
}

/** The error for a question that was asked and not allowed. Undefined for an answer that allows. */
export function createAnswerDenial(
  question: PermissionQuestion,
  verdict: Verdict,
  answer: PermissionAnswer,
): PermissionDenied | undefined {
  const data = facts(question, verdict, 'ask')
  if (answer.reply === 'reject') {
    const words = answer.words?.trim()
    return words
      ? new PermissionDenied('rejected-with-words', describeRejectionWithWords(question, words), { ...data, words })
      : new PermissionDenied('rejected', describeRejection(question), data)
  }
  if (answer.reply !== 'unanswered') return undefined
  return answer.why === 'nobody-to-ask'
    ? new PermissionDenied('nobody-to-ask', describeNobody(question, verdict), data)
    : new PermissionDenied('expired', describeExpiry(question), data)
}

function describeRuleDenial(question: PermissionQuestion, said: readonly string[]): string {
  return `A rule denies ${list(said)}. ${nothingDone(question)} No one can allow this in the session; do it another way, without what is denied, or say that it can't be done.`
}

function describeModeDenial(question: PermissionQuestion): string {
  return `The mode "plan" only reads, and ${title(question)} may do more. ${nothingDone(question)} Go on with reading, and describe the change in words instead of making it.`
}

function describeRejection(question: PermissionQuestion): string {
  return `The user was asked and said no to ${title(question)}. ${nothingDone(question)} Do not try it again in another form; ask what they want instead, or go on without it.`
}

function describeRejectionWithWords(question: PermissionQuestion, words: string): string {
  return `The user was asked and said no to ${title(question)}, because: ${words}\n${nothingDone(question)} Go on as they say.`
}

function describeNobody(question: PermissionQuestion, verdict: Verdict): string {
  const asked = verdict.parts.filter(part => part.action === 'ask')
  const reasons = asked.map(part => `${part.part.pattern} (${part.reason})`)
  return `This needs a person's permission, and nobody can be asked here: ${list(reasons)}. ${nothingDone(question)} Go on without it, and tell the user how to allow it: ${howToAllow(asked.every(part => !part.part.floor))}.`
}

function howToAllow(byRule: boolean): string {
  return byRule
    ? 'run with --auto, or allow it under "permission" in their own configuration'
    : 'run with --auto, or where a person can answer (no rule allows what can not be known beforehand)'
}

function describeExpiry(question: PermissionQuestion): string {
  return `Nobody answered in time whether ${title(question)} is allowed. ${nothingDone(question)} That is not a no: go on without it, and say what is left to be allowed.`
}

function nothingDone(question: PermissionQuestion): string {
  return question.tool === 'shell' ? 'Nothing was run.' : 'Nothing was done.'
}

function title(question: PermissionQuestion): string {
  return clip(question.title)
}

const maxListed = 5

function list(items: readonly string[]): string {
  const shown = items.slice(0, maxListed).map(clip)
  const rest = items.length - shown.length
  return rest > 0 ? `${shown.join('; ')}; and ${rest} more` : shown.join('; ')
}

const maxCharacters = 300

function clip(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters).trimEnd()}…` : text
}

function facts(question: PermissionQuestion, verdict: Verdict, action: 'ask' | 'deny'): Record<string, unknown> {
  const parts = verdict.parts.filter(part => part.action === action)
  return {
    tool: question.tool,
    title: question.title,
    parts: parts.map(({ part, reason }) => ({ permission: part.permission, pattern: part.pattern, reason })),
  }
}
