import { createInterface } from 'node:readline'
import {
  groupDigits,
  offerAlways,
  type PermissionAnswer,
  type PermissionAnswerer,
  type PermissionQuestion,
  type Verdict,
} from '@deckhand/core'
import { neutralise, oneLine } from './neutralise.ts'

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
  const canAlways = offerAlways(verdict).length > 0
  output.write(describeQuestion(question, verdict))
  const lines = createInterface({ input, output, terminal: true, prompt: describeKeys(canAlways) })
  return new Promise(resolve => {
    const onAbort = () => settle({ reply: 'unanswered', why: 'cancelled' })
    function settle(answer: PermissionAnswer): void {
      signal.removeEventListener('abort', onAbort)
      resolve(answer)
      lines.close()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    lines.on('line', typed => {
      const answer = parseAnswer(typed, canAlways)
      if (answer) settle(answer)
      else lines.prompt()
    })
    lines.once('SIGINT', () => {
      onInterrupt()
      settle({ reply: 'reject', by: 'terminal' })
    })
    // The end of input is a no.
    lines.once('close', () => settle({ reply: 'reject', by: 'terminal' }))
    lines.prompt()
  })
}

const maxTitleLines = 30
const maxDiffLines = 40
const maxParts = 30

/** What is asked: the action whole, each part with the reason, and what "always" would store. */
export function describeQuestion({ tool, title, metadata = {} }: PermissionQuestion, verdict: Verdict): string {
  const [first = '', ...more] = boundLines(neutralise(title).split('\n'), maxTitleLines)
  const asked = verdict.parts.filter(({ action }) => action === 'ask')
  const parts = asked.map(({ part, reason }) => `${part.permission}: ${oneLine(part.pattern)}  (${oneLine(reason)})`)
  const offered = offerAlways(verdict).map(({ permission, pattern }) => `${permission}: ${oneLine(pattern)}`)
  const lines = [
    '',
    `? ${oneLine(tool)} asks: ${first}`,
    ...indent(more),
    ...(typeof metadata.cwd === 'string' ? [`  in ${oneLine(metadata.cwd)}`] : []),
    ...(typeof metadata.diff === 'string'
      ? indent(boundLines(neutralise(metadata.diff).trimEnd().split('\n'), maxDiffLines))
      : []),
    '  asked for:',
    ...indent(boundLines(parts, maxParts)),
    ...(offered.length > 0 ? ['  "always" would store:', ...indent(boundLines(offered, maxParts))] : []),
    '',
  ]
  return lines.join('\n')
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

function describeKeys(canAlways: boolean): string {
  const always = canAlways ? '  [a] always (session)  [p] always (project)' : ''
  return `  [y] once${always}  [n] no, or type why not: `
}

/**
 * What was typed, as an answer: a key or its word. Any other words are a no with its reason. An empty line, and one
 * letter that is no key (a slip), ask again.
 */
export function parseAnswer(typed: string, canAlways: boolean): PermissionAnswer | undefined {
  const by = 'terminal'
  const text = typed.trim()
  switch (text.toLowerCase()) {
    case 'y':
    case 'yes':
    case 'once':
      return { reply: 'once', by }
    case 'a':
    case 'always':
      return canAlways ? { reply: 'always', by, scope: 'session' } : undefined
    case 'p':
      return canAlways ? { reply: 'always', by, scope: 'project' } : undefined
    case 'n':
    case 'no':
      return { reply: 'reject', by }
    default:
      return text.length > 1 ? { reply: 'reject', by, words: text } : undefined
  }
}
