import { createInterface, type Interface } from 'node:readline'
import {
  type OfferedRule,
  offerAlways,
  type PermissionAnswer,
  type PermissionAnswerer,
  type PermissionQuestion,
  type Verdict,
} from '@deckhand/core'
import { describeQuestion } from './describe-question.ts'
import { type EditedRule, isEditable, listEdited, startEditing, takeEdit } from './edit-always.ts'
import { oneLine } from './neutralise.ts'

export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Ctrl-C at the question is Ctrl-C of the run. */
  readonly onInterrupt: () => void
}

/** Puts questions to the person at the terminal, one after the other. */
export function createTerminalAnswerer(streams: TerminalStreams): PermissionAnswerer {
  let queue: Promise<unknown> = Promise.resolve()
  return (_, question, verdict, signal) => {
    const answer = queue.then(() => askOnce(question, verdict, signal, streams))
    queue = answer.catch(() => undefined)
    return answer
  }
}

// Lines are taken as they come, not with `question()`: that loses a line which was typed before it was called again.
function askOnce(
  question: PermissionQuestion,
  verdict: Verdict,
  signal: AbortSignal,
  { input, output, onInterrupt }: TerminalStreams,
): Promise<PermissionAnswer> {
  if (signal.aborted) return Promise.resolve({ reply: 'unanswered', why: 'cancelled' })
  output.write(describeQuestion(question, verdict))
  const lines = createInterface({ input, output, terminal: true })
  const dialogue = createDialogue(verdict, lines, text => void output.write(text))
  return new Promise(resolve => {
    const onAbort = () => settle({ reply: 'unanswered', why: 'cancelled' })
    function settle(answer: PermissionAnswer): void {
      signal.removeEventListener('abort', onAbort)
      resolve(answer)
      lines.close()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    lines.on('line', typed => {
      const answer = dialogue.take(typed)
      if (answer) settle(answer)
      else dialogue.prompt()
    })
    lines.once('SIGINT', () => {
      onInterrupt()
      settle({ reply: 'reject', by: 'terminal' })
    })
    // The end of input is a no.
    lines.once('close', () => settle({ reply: 'reject', by: 'terminal' }))
    dialogue.prompt()
  })
}

/** Where the person is: at the keys, or at the wording of one rule after the other. */
type Place = { readonly kind: 'keys' } | { readonly kind: 'editing'; readonly index: number; readonly typed: string }

interface Dialogue {
  /** Puts the next line before the person. */
  prompt(): void
  /** Takes a typed line; the answer once there is one. */
  take(typed: string): PermissionAnswer | undefined
}

function createDialogue(verdict: Verdict, lines: Interface, write: (text: string) => void): Dialogue {
  const canAlways = offerAlways(verdict).length > 0
  let edited: readonly EditedRule[] | undefined
  let place: Place = { kind: 'keys' }

  function editFrom(rules: readonly EditedRule[], from: number): Place {
    const index = rules.findIndex((rule, at) => at >= from && isEditable(rule))
    if (index >= 0) return { kind: 'editing', index, typed: rules[index]?.pattern ?? '' }
    write(describeEdited(listEdited(rules)))
    return { kind: 'keys' }
  }

  function takeWording(typed: string, index: number, rules: readonly EditedRule[]): void {
    const rule = rules[index]
    if (!rule) return
    const result = takeEdit(rule, typed, verdict)
    if ('problem' in result) {
      write(`  ${result.problem}\n`)
      place = { kind: 'editing', index, typed }
      return
    }
    edited = rules.with(index, result.edited)
    place = editFrom(edited, index + 1)
  }

  return {
    prompt() {
      const rule = place.kind === 'editing' ? edited?.[place.index] : undefined
      lines.setPrompt(rule ? `  ${rule.offered.permission}: ` : describeKeys(canAlways))
      lines.prompt()
      if (place.kind === 'editing') lines.write(place.typed)
    },
    take(typed) {
      if (place.kind === 'editing' && edited) return void takeWording(typed, place.index, edited)
      if (canAlways && /^\s*e(dit)?\s*$/i.test(typed)) {
        edited ??= startEditing(verdict)
        write('  Change what would be stored; an empty line leaves it out.\n')
        place = editFrom(edited, 0)
        return undefined
      }
      return parseAnswer(typed, canAlways, edited && listEdited(edited))
    },
  }
}

function describeEdited(rules: readonly OfferedRule[]): string {
  const lines = rules.map(({ permission, pattern }) => `    ${permission}: ${oneLine(pattern)}\n`)
  return lines.length === 0 ? '  "always" stores nothing.\n' : `  "always" stores:\n${lines.join('')}`
}

function describeKeys(canAlways: boolean): string {
  return canAlways
    ? '  [y] once  always: [a] session [p] project [u] user [e] edit  [n] no, or why: '
    : '  [y] once  [n] no, or type why not: '
}

/**
 * What was typed, as an answer: a key or its word. Any other words are a no with its reason. An empty line, and one
 * letter that is no key (a slip), ask again. `rules` are those that the person edited.
 */
export function parseAnswer(
  typed: string,
  canAlways: boolean,
  rules?: readonly OfferedRule[],
): PermissionAnswer | undefined {
  const by = 'terminal'
  const text = typed.trim()
  const always = (scope: Extract<PermissionAnswer, { reply: 'always' }>['scope']): PermissionAnswer | undefined =>
    canAlways ? { reply: 'always', by, scope, ...(rules && { rules }) } : undefined
  switch (text.toLowerCase()) {
    case 'y':
    case 'yes':
    case 'once':
      return { reply: 'once', by }
    case 'a':
    case 'always':
      return always('session')
    case 'p':
      return always('project')
    case 'u':
      return always('user')
    case 'n':
    case 'no':
      return { reply: 'reject', by }
    default:
      return text.length > 1 ? { reply: 'reject', by, words: text } : undefined
  }
}
