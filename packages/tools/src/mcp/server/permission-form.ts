import { offerAlways, type PermissionAnswer, type PermissionQuestion, type Verdict } from '@deckhand/core'
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'

/** What the person may choose, in the words of the form. */
const decisions = { once: 'allow once', always: 'allow always (this session)', no: 'no' } as const

/** The form that puts a permission question to the person behind an MCP client. */
export function createPermissionForm(question: PermissionQuestion, verdict: Verdict): ElicitRequestFormParams {
  const rules = offerAlways(verdict).map(rule => `${rule.permission} ${rule.pattern}`)
  const choices = rules.length > 0 ? [decisions.once, decisions.always, decisions.no] : [decisions.once, decisions.no]
  return {
    message: describeQuestion(question, verdict, rules),
    requestedSchema: {
      type: 'object',
      properties: {
        decision: { type: 'string', title: 'Decision', enum: choices },
        reason: { type: 'string', title: 'Reason', description: 'With "no": what to do instead. The model reads it.' },
      },
      required: ['decision'],
    },
  }
}

/** What came back from the form; `undefined`, when nothing came in time. */
export interface FormAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Readonly<Record<string, unknown>>
}

/**
 * The person's answer. Anything that is not one of the choices is a no; a form put away without a choice counts as
 * not answered.
 */
export function parseFormAnswer(answer: FormAnswer | undefined, by: string): PermissionAnswer {
  if (!answer || answer.action === 'cancel') return { reply: 'unanswered', why: 'expired' }
  const decision = answer.action === 'accept' ? answer.content?.decision : undefined
  if (decision === decisions.once) return { reply: 'once', by }
  if (decision === decisions.always) return { reply: 'always', by, scope: 'session' }
  const reason = answer.content?.reason
  return { reply: 'reject', by, ...(typeof reason === 'string' && reason.trim() !== '' && { words: reason }) }
}

function describeQuestion(question: PermissionQuestion, verdict: Verdict, rules: readonly string[]): string {
  const asked = verdict.parts.filter(({ action }) => action === 'ask')
  const reasons = asked.map(({ part, reason }) => `- ${part.permission}: ${flatten(part.pattern)} (${reason})`)
  const { diff } = question.metadata ?? {}
  return [
    `${question.tool} asks for permission:`,
    indent(question.title),
    'Why it is asked:',
    ...listSome(reasons),
    ...(typeof diff === 'string' ? ['The change:', indent(diff)] : []),
    ...(rules.length > 0 ? [`"${decisions.always}" allows from now on:`, ...listSome(rules.map(describeRule))] : []),
  ].join('\n')
}

function describeRule(rule: string): string {
  return `- ${flatten(rule)}`
}

const maxListed = 10

function listSome(lines: readonly string[]): readonly string[] {
  const rest = lines.length - maxListed
  return rest > 0 ? [...lines.slice(0, maxListed), `- … and ${rest} more`] : lines
}

const maxCharacters = 4000
const maxLineCharacters = 300

// What the model wrote is indented, so that no line of it can pass for one of ours.
function indent(text: string): string {
  return clip(showControls(text), maxCharacters).replace(/^/gm, '    ')
}

function flatten(text: string): string {
  return clip(showControls(text).replace(/\s+/g, ' '), maxLineCharacters)
}

// Escape codes and bidirectional marks can make a command look like another one.
function showControls(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu, mark => `\\u{${mark.codePointAt(0)?.toString(16)}}`)
}

function clip(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length - limit} more characters not shown)` : text
}
