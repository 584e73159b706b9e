// `run` for people: the turn as it happens. What is told lives in describe-tool.ts and describe-turn.ts, how it is put
// onto the screen in screen.ts. Only a terminal ever sees a cursor move, for the one line that says what a command does.

import type { LiveEvent } from '@deckhand/agent'
import type { MessageID, Part, SessionEvent, ToolPart, TurnOutcome } from '@deckhand/core'
import { groupDigits } from '@deckhand/core'
import pc from 'picocolors'
import type { RunHeader } from '../json-lines/json-lines.ts'
import { clipLine } from './clip-line.ts'
import { describeCall, describeOutcome, describeProgress } from './describe-tool.ts'
import { describeAnswer, describeEnd, describeSeconds, describeUsage } from './describe-turn.ts'
import { neutralise, oneLine } from './neutralise.ts'
import { createScreen, type ScreenOptions } from './screen.ts'

export interface TextRendererOptions extends ScreenOptions {
  readonly columns: number
  readonly color: boolean
  readonly verbose: boolean
  /** Only the answer; and why there is none. */
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

/** Makes the renderer of one run. */
export function createTextRenderer(options: TextRendererOptions): TextRenderer {
  return options.quiet ? createQuietRenderer(options) : createLiveRenderer(options)
}

function createQuietRenderer({ write, writeNote }: TextRendererOptions): TextRenderer {
  return {
    start() {},
    event() {},
    live() {},
    notice() {},
    finish(outcome) {
      if (outcome.text !== '') write(`${neutralise(outcome.text)}\n`)
      if (outcome.reason !== 'done' || outcome.unanswered > 0) writeNote(`deckhand: ${describeEnd(outcome)}\n`)
    },
  }
}

const maxOutputLines = 8
const maxDiffLines = 24
const leastColumns = 20
/** A quick command needs no status. */
const statusAfterMs = 1000
/** Where no line can be drawn over, as in a log. */
const progressEveryMs = 10_000

interface OpenCall {
  readonly startedAt: number
  toldAt: number
}

function createLiveRenderer(options: TextRendererOptions): TextRenderer {
  const { isTerminal, verbose, now } = options
  const columns = Math.max(leastColumns, options.columns)
  const color = pc.createColors(options.color)
  const screen = createScreen(options)
  const startedAt = now()
  const userMessages = new Set<MessageID>()
  const titles = new Map<string, string>()
  const openCalls = new Map<string, OpenCall>()
  let openQuestions = 0
  let directory = ''
  /** Of the answer, what was shown as it came and has not been stored yet. */
  let streamed = ''
  let isSideBySide = false

  const warn = (text: string) => screen.note(color.yellow(text))

  function text({ text: whole }: Extract<Part, { type: 'text' }>): void {
    if (!streamed.startsWith(whole)) screen.flow(neutralise(whole))
    streamed = streamed.startsWith(whole) ? streamed.slice(whole.length) : ''
    screen.close()
  }

  function startTool(part: ToolPart): void {
    if (openCalls.has(part.callID)) return
    openCalls.set(part.callID, { startedAt: now(), toldAt: now() })
    isSideBySide = openCalls.size > 1
    const line = clipLine(describeCall(part, directory), columns - 2)
    screen.note(`${isSideBySide ? '' : '\n'}${color.cyan('●')} ${color.bold(line)}`)
  }

  // Of calls that run side by side, each result says whose it is.
  function endTool(part: ToolPart): void {
    openCalls.delete(part.callID)
    if (isSideBySide) screen.note(`  ${color.cyan('↳')} ${clipLine(describeCall(part, directory), columns - 4)}`)
    const { isFailure, words, lines, kind } = describeOutcome(part)
    const shown = kind === 'diff' ? bound(lines, maxDiffLines, 'head') : bound(lines, maxOutputLines, 'tail')
    // Our own words about a failure are read whole; output is bounded to the screen.
    for (const line of shown)
      screen.note(`  ${kind === 'failure' ? line : paint(clipLine(line, columns - 2), kind, isFailure)}`)
    if (words !== '') screen.note(`  ${(isFailure ? color.red : color.dim)(clipLine(words, columns - 2))}`)
  }

  function paint(line: string, kind: 'output' | 'diff', isFailure: boolean): string {
    if (kind === 'output') return isFailure ? line : color.dim(line)
    if (line.startsWith('+')) return color.green(line)
    return line.startsWith('-') ? color.red(line) : color.dim(line)
  }

  function progress({ callID, metadata }: Extract<LiveEvent, { type: 'tool-progress' }>): void {
    const call = openCalls.get(callID)
    if (!call || now() - call.startedAt < statusAfterMs) return
    const line = color.dim(clipLine(`… ${describeProgress(metadata, now() - call.startedAt)}`, columns - 3))
    if (isTerminal) return screen.status(`  ${line}`)
    if (now() - call.toldAt < progressEveryMs) return
    call.toldAt = now()
    screen.note(`  ${line}`)
  }

  function part(changed: Part): void {
    if (userMessages.has(changed.messageID)) return
    if (changed.type === 'text') return text(changed)
    if (changed.type !== 'tool') return
    const { status } = changed.state
    if (status === 'completed' || status === 'error') endTool(changed)
    else startTool(changed)
  }

  return {
    start(header, source) {
      directory = header.directory
      const model = `${header.model.providerID}/${header.model.modelID}`
      const about = oneLine(`${model} (${source}) · mode ${header.mode} · ${header.directory}`)
      screen.note(color.dim(`${about}\nsession ${header.sessionID}`))
    },

    event(event) {
      switch (event.type) {
        case 'message.updated':
          if (event.message.role === 'user') userMessages.add(event.message.id)
          break
        case 'part.updated':
          part(event.part)
          break
        case 'permission.asked':
          titles.set(event.id, event.question.title)
          openQuestions++
          screen.hold()
          break
        case 'permission.answered':
          openQuestions--
          if (openQuestions <= 0) screen.release()
          warn(`? ${clipLine(oneLine(titles.get(event.id) ?? ''), 60)}: ${describeAnswer(event.answer)}`)
          break
        case 'retry':
          warn(
            `↻ ${oneLine(event.error.data.message)} Attempt ${event.attempt + 1} of ${event.maxAttempts} in ${describeSeconds(event.delayMs)}.`,
          )
          break
        case 'notice':
          warn(`! ${oneLine(event.message)}`)
          break
        case 'session.created':
        case 'session.updated':
        case 'turn.started':
        case 'turn.ended':
          break
      }
    },

    live(event) {
      switch (event.type) {
        case 'text-delta':
          streamed += event.text
          screen.flow(neutralise(event.text))
          break
        case 'text-end':
          screen.close()
          break
        case 'text-reset':
          streamed = ''
          screen.close()
          break
        case 'reasoning-delta':
          if (verbose) screen.think(color.dim(neutralise(event.text)))
          break
        case 'tool-progress':
          progress(event)
          break
      }
    },

    notice: message => warn(`! ${oneLine(message)}`),

    finish(outcome) {
      screen.release()
      const line = `${describeEnd(outcome)} · ${describeUsage(outcome, now() - startedAt)}`
      const isGood = outcome.reason === 'done' && outcome.unanswered === 0
      screen.note(`\n${(isGood ? color.green : color.red)(line)}`)
    },
  }
}

function bound(lines: readonly string[], max: number, keep: 'head' | 'tail'): readonly string[] {
  if (lines.length <= max) return lines
  const left = `… ${groupDigits(lines.length - max + 1)} more lines`
  return keep === 'head' ? [...lines.slice(0, max - 1), left] : [left, ...lines.slice(1 - max)]
}
