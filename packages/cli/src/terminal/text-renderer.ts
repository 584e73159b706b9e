// `run` for people: the turn as it happens. Plain lines, no cursor movement, so that a pipe or a log reads as well.

import type { LiveEvent } from '@deckhand/agent'
import type { MessageID, PermissionAnswer, SessionEvent, TokenUsage, ToolPart, TurnOutcome } from '@deckhand/core'
import pc from 'picocolors'
import type { RunHeader } from '../json-lines/json-lines.ts'
import { describeCall, describeOutcome, oneLine } from './describe-tool.ts'
import { neutralise } from './neutralise.ts'

export interface TextRendererOptions {
  /** The answer, and all else but for `writeNote`. */
  readonly write: (text: string) => void
  /** Headers, tools, notices: standard error when only the answer belongs on standard output. */
  readonly writeNote: (text: string) => void
  readonly columns: number
  readonly color: boolean
  readonly verbose: boolean
  /** Only the answer. */
  readonly quiet: boolean
  readonly now: () => number
}

/** Follows one run. */
export interface TextRenderer {
  start(header: RunHeader, source: string): void
  event(event: SessionEvent): void
  live(event: LiveEvent): void
  notice(message: string): void
  /** The last line. */
  finish(outcome: TurnOutcome): void
}

const maxOutputLines = 8
const maxDiffLines = 24

/** Makes the renderer of one run. */
export function createTextRenderer(options: TextRendererOptions): TextRenderer {
  const { write, columns, verbose, quiet, now } = options
  const color = pc.createColors(options.color)
  const startedAt = now()
  let directory = ''
  let isInText = false
  let hasStreamed = false
  const userMessages = new Set<MessageID>()
  const titles = new Map<string, string>()
  const openCalls = new Set<string>()
  const openQuestions = new Set<string>()
  let held: string[] = []
  let isSideBySide = false

  function note(text: string): void {
    if (quiet) return
    closeText()
    // A person who types an answer is not written over.
    if (openQuestions.size > 0) held.push(`${text}\n`)
    else options.writeNote(`${text}\n`)
  }

  function settleQuestion(id: string): void {
    openQuestions.delete(id)
    if (openQuestions.size > 0) return
    for (const text of held) options.writeNote(text)
    held = []
  }

  function closeText(): void {
    if (isInText) write('\n')
    isInText = false
  }

  function clip(line: string, width = columns): string {
    return line.length > width ? `${line.slice(0, width - 1)}…` : line
  }

  function stream(text: string): void {
    if (quiet) return
    if (!isInText) options.writeNote('\n')
    write(neutralise(text))
    isInText = true
    hasStreamed = true
  }

  function tool(part: ToolPart): void {
    if (part.state.status === 'completed' || part.state.status === 'error') return endTool(part)
    openCalls.add(part.callID)
    isSideBySide = openCalls.size > 1
    note(
      `${openCalls.size > 1 ? '' : '\n'}${color.cyan('●')} ${color.bold(clip(describeCall(part, directory), columns - 2))}`,
    )
  }

  // Of calls that run side by side, each result says whose it is.
  function endTool(part: ToolPart): void {
    openCalls.delete(part.callID)
    if (isSideBySide) note(`  ${color.cyan('↳')} ${clip(describeCall(part, directory), columns - 4)}`)
    const { isFailure, words, lines, isDiff } = describeOutcome(part)
    const shown = isDiff ? bound(lines, maxDiffLines, 'head') : bound(lines, maxOutputLines, 'tail')
    // Our own words about a failure are read whole; output is bounded to the screen.
    const fit = (line: string) =>
      part.state.status === 'error' ? line : clip(line.replaceAll('\t', '  '), columns - 2)
    for (const line of shown) note(`  ${paint(fit(line), isDiff, isFailure)}`)
    if (words !== '') note(`  ${isFailure ? color.red(words) : color.dim(clip(words, columns - 2))}`)
  }

  function paint(line: string, isDiff: boolean, isFailure: boolean): string {
    if (!isDiff) return isFailure ? line : color.dim(line)
    if (line.startsWith('+')) return color.green(line)
    return line.startsWith('-') ? color.red(line) : color.dim(line)
  }

  function end(outcome: TurnOutcome): void {
    if (quiet) {
      if (outcome.text !== '') write(`${neutralise(outcome.text)}\n`)
      if (outcome.reason !== 'done') options.writeNote(`${describeEnd(outcome)}\n`)
      return
    }
    closeText()
    const { steps, cost, tokens } = outcome
    const facts = [
      describeEnd(outcome),
      `${((now() - startedAt) / 1000).toFixed(1)} s`,
      `${steps} step${steps === 1 ? '' : 's'}`,
      describeTokens(tokens),
      ...(cost > 0 ? [`$${cost.toFixed(4)}`] : []),
    ]
    note(`\n${(outcome.reason === 'done' ? color.green : color.red)(facts.join(' · '))}`)
  }

  return {
    start(header, source) {
      directory = header.directory
      const model = `${header.model.providerID}/${header.model.modelID}`
      note(color.dim(`${model} (${source}) · mode ${header.mode} · ${header.directory}\nsession ${header.sessionID}`))
    },

    event(event) {
      switch (event.type) {
        case 'message.updated':
          if (event.message.role === 'user') userMessages.add(event.message.id)
          break
        case 'part.updated':
          if (event.part.type === 'tool') tool(event.part)
          else if (event.part.type === 'text' && !userMessages.has(event.part.messageID)) {
            if (!hasStreamed) stream(event.part.text)
            closeText()
            hasStreamed = false
          }
          break
        case 'permission.asked':
          titles.set(event.id, event.question.title)
          openQuestions.add(event.id)
          break
        case 'permission.answered':
          settleQuestion(event.id)
          note(color.yellow(`? ${clip(oneLine(titles.get(event.id) ?? ''), 60)}: ${describeAnswer(event.answer)}`))
          break
        case 'retry': {
          const { message } = event.error.data
          note(
            color.yellow(
              `↻ ${oneLine(message)} Attempt ${event.attempt + 1} of ${event.maxAttempts} in ${(event.delayMs / 1000).toFixed(1)} s.`,
            ),
          )
          break
        }
        case 'notice':
          note(color.yellow(`! ${oneLine(event.message)}`))
          break
        case 'session.created':
        case 'session.updated':
        case 'turn.started':
        case 'turn.ended':
          break
      }
    },

    live(event) {
      if (event.type === 'text-delta') stream(event.text)
      if (event.type === 'reasoning-delta' && verbose) stream(color.dim(neutralise(event.text)))
      if (event.type === 'text-reset') {
        closeText()
        hasStreamed = false
      }
    },

    notice: message => note(color.yellow(`! ${oneLine(message)}`)),
    finish: end,
  }
}

function bound(lines: readonly string[], max: number, keep: 'head' | 'tail'): readonly string[] {
  if (lines.length <= max) return lines
  const left = `… ${(lines.length - max + 1).toLocaleString('en-US')} more lines`
  return keep === 'head' ? [...lines.slice(0, max - 1), left] : [left, ...lines.slice(1 - max)]
}

function describeTokens({ input, output, cache }: TokenUsage): string {
  const cached = cache.read > 0 ? `, ${cache.read.toLocaleString('en-US')} cached` : ''
  return `${input.toLocaleString('en-US')} tokens in${cached}, ${output.toLocaleString('en-US')} out`
}

function describeAnswer(answer: PermissionAnswer): string {
  switch (answer.reply) {
    case 'once':
      return 'allowed once'
    case 'always':
      return `allowed always (${answer.scope})`
    case 'reject':
      return answer.words ? `no, because: ${oneLine(answer.words)}` : 'no'
    case 'unanswered':
      return answer.why === 'nobody-to-ask'
        ? 'no, as nobody is here to answer. Allow it with a rule, or run with --auto.'
        : answer.why === 'expired'
          ? 'no, as nobody answered in time'
          : 'cancelled'
  }
}

/** How a turn ended, for the last line. */
export function describeEnd(outcome: TurnOutcome): string {
  switch (outcome.reason) {
    case 'done':
      return outcome.unanswered > 0
        ? `done, with ${outcome.unanswered} question${outcome.unanswered === 1 ? '' : 's'} that nobody could answer`
        : 'done'
    case 'step-limit':
      return `ended at the limit of ${outcome.limit} steps (--max-steps)`
    case 'time-limit':
      return `ended at the limit of ${outcome.limitMs / 1000} s (--timeout)`
    case 'doom-loop':
      return `ended, as the model asked for the same call of ${outcome.tool} ${outcome.times} times in a row`
    case 'output-limit':
      return "ended, as the answer reached the model's limit of output"
    case 'cancelled':
      return 'interrupted'
    case 'error':
      return `failed: ${oneLine(outcome.error.data.message)}`
  }
}
