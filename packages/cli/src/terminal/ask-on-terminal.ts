import { createInterface } from 'node:readline/promises'
import {
  offerAlways,
  type PermissionAnswer,
  type PermissionAnswerer,
  type PermissionQuestion,
  type Verdict,
} from '@deckhand/core'
import { neutralise } from './neutralise.ts'

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

/** What is asked: each part with the reason, and what "always" would store. */
export function describeQuestion({ tool, title, metadata }: PermissionQuestion, verdict: Verdict): string {
  const asked = verdict.parts.filter(({ action }) => action === 'ask')
  const parts = asked.map(
    ({ part, reason }) => `    ${part.permission}: ${neutralise(part.pattern)}  (${neutralise(reason)})`,
  )
  const offered = offerAlways(verdict).map(({ permission, pattern }) => `    ${permission}: ${neutralise(pattern)}`)
  const diff =
    typeof metadata?.diff === 'string'
      ? neutralise(metadata.diff)
          .split('\n')
          .slice(0, 40)
          .map(line => `    ${line}`)
      : []
  return [
    '',
    `? ${tool} asks: ${neutralise(title).split('\n').join('\n    ')}`,
    ...diff,
    ...parts,
    ...(offered.length > 0 ? ['  "always" would store:', ...offered] : []),
    '',
  ].join('\n')
}

function describeKeys(canAlways: boolean): string {
  const always = canAlways ? '  [a] always (session)  [p] always (project)' : ''
  return `  [y] once${always}  [n] no, or type why not: `
}

/** Anything that is no key is a no with its reason; an empty line asks again. */
export function parseAnswer(typed: string, canAlways: boolean): PermissionAnswer | undefined {
  const by = 'terminal'
  const text = typed.trim()
  switch (text.toLowerCase()) {
    case '':
      return undefined
    case 'y':
    case 'yes':
      return { reply: 'once', by }
    case 'a':
      return canAlways ? { reply: 'always', by, scope: 'session' } : undefined
    case 'p':
      return canAlways ? { reply: 'always', by, scope: 'project' } : undefined
    case 'n':
    case 'no':
      return { reply: 'reject', by }
    default:
      return { reply: 'reject', by, words: text }
  }
}
