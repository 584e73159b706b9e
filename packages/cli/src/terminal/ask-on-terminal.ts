import { createInterface } from 'node:readline/promises'
import {
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

async function askOnce(
  question: PermissionQuestion,
  verdict: Verdict,
  signal: AbortSignal,
  streams: TerminalStreams,
): Promise<PermissionAnswer> {
  if (signal.aborted) return { reply: 'unanswered', why: 'cancelled' }
  const { input, output, onInterrupt } = streams
  const lines = createInterface({ input, output, terminal: true })
  try {
    output.write(describeQuestion(question, verdict))
    const ended = new AbortController()
    // End of input and Ctrl-C are a no.
    lines.once('close', () => ended.abort())
    lines.once('SIGINT', () => {
      onInterrupt()
      ended.abort()
    })
    const canAlways = offerAlways(verdict).length > 0
    for (;;) {
      const typed = await lines.question(describeKeys(canAlways), { signal: AbortSignal.any([signal, ended.signal]) })
      const answer = parseAnswer(typed, canAlways)
      if (answer) return answer
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error
    return signal.aborted ? { reply: 'unanswered', why: 'cancelled' } : { reply: 'reject', by: 'terminal' }
  } finally {
    lines.close()
  }
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
  return [...lines.slice(0, max), `… and ${(lines.length - max).toLocaleString('en-US')} more, not shown here`]
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
