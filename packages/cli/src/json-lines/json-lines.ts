// `run --format json`: a line per event, in the form of OpenCode 1.18, and what that form lacks (docs/json-lines.md).
import type {
  ErrorFacts,
  MessageID,
  ModelRef,
  Part,
  PartID,
  PermissionAnswer,
  SessionEvent,
  SessionID,
  TokenUsage,
  TurnOutcome,
} from '@deckhand/core'
import { resolveExitCode } from '../terminal/exit-codes.ts'

interface LineBase {
  readonly timestamp: number
  readonly sessionID: SessionID | ''
}

type PartOf<Type extends Part['type']> = Extract<Part, { type: Type }>

/** All lines there are. Readers must ignore types that they don't know. */
export type JsonLine = LineBase & LineContent

type LineContent =
  | {
      readonly type: 'session.start'
      readonly directory: string
      readonly title: string
      readonly model: ModelRef
      readonly mode: string
    }
  | { readonly type: 'step_start'; readonly part: PartOf<'step-start'> }
  | { readonly type: 'text' | 'text.interrupted'; readonly part: PartOf<'text'> }
  | { readonly type: 'reasoning'; readonly part: PartOf<'reasoning'> }
  | { readonly type: 'tool.start' | 'tool_use'; readonly part: PartOf<'tool'> }
  | { readonly type: 'step_finish'; readonly part: PartOf<'step-finish'> }
  | {
      readonly type: 'retry'
      readonly attempt: number
      readonly maxAttempts: number
      readonly delayMs: number
      readonly error: ErrorFacts
    }
  | {
      readonly type: 'permission'
      readonly id: string
      readonly tool: string
      readonly callID: string
      readonly title: string
      readonly parts: readonly { readonly permission: string; readonly pattern: string }[]
      readonly answer?: PermissionAnswer
    }
  | { readonly type: 'notice'; readonly code: string; readonly message: string }
  | {
      readonly type: 'session.idle'
      readonly reason: TurnOutcome['reason']
      readonly exitCode: number
      readonly text: string
      readonly tokens: TokenUsage
      readonly cost: number
      readonly steps: number
      readonly unanswered: number
    }
  | { readonly type: 'error'; readonly error: ErrorFacts }

export interface RunHeader {
  readonly sessionID: SessionID
  readonly directory: string
  readonly title: string
  readonly model: ModelRef
  readonly mode: string
}

/** Writes the lines of one run. After the terminal line (`session.idle` or `error`) nothing is written any more. */
export interface JsonLines {
  /** Lines before `start` (an early failure) name the session too. */
  session(id: SessionID): void
  start(header: RunHeader): void
  event(event: SessionEvent): void
  notice(code: string, message: string): void
  /** The terminal line of a turn. */
  finish(outcome: TurnOutcome): void
  /** The terminal line of a run that ended without a turn: no model, no session, a full disk. */
  fail(error: ErrorFacts): void
  /** The terminal line of a run that is ended at once (second Ctrl-C). */
  interrupt(): void
}

/** Makes the writer; `write` gets whole lines. */
export function createJsonLines(write: (line: string) => void, now: () => number): JsonLines {
  let sessionID: SessionID | '' = ''
  let isOver = false
  const userMessages = new Set<MessageID>()
  const asked = new Map<string, Omit<Extract<LineContent, { type: 'permission' }>, 'type'>>()
  const started = new Set<PartID>()
  const printed = new Set<PartID>()

  // `type`, `timestamp` and `sessionID` come first, as readers that look at the start of a line expect.
  function print({ type, ...rest }: LineContent): void {
    if (isOver) return
    write(`${toLine({ type, timestamp: now(), sessionID, ...rest })}\n`)
  }

  function end(line: LineContent): void {
    print(line)
    isOver = true
  }

  function part(changed: Part): void {
    if (userMessages.has(changed.messageID)) return
    if (changed.type === 'tool' && !hasEnded(changed)) return toolStart(changed)
    // Once and whole: what is changed in a part later is for the store.
    if (printed.has(changed.id)) return
    printed.add(changed.id)
    switch (changed.type) {
      case 'step-start':
        return print({ type: 'step_start', part: changed })
      case 'text':
        return print({ type: changed.interrupted ? 'text.interrupted' : 'text', part: changed })
      case 'reasoning':
        return print({ type: 'reasoning', part: changed })
      case 'tool':
        return print({ type: 'tool_use', part: changed })
      case 'step-finish':
        return print({ type: 'step_finish', part: changed })
      case 'file':
        return
    }
  }

  function toolStart(changed: PartOf<'tool'>): void {
    if (started.has(changed.id)) return
    started.add(changed.id)
    print({ type: 'tool.start', part: changed })
  }

  function outcome(ended: TurnOutcome): void {
    if (ended.reason === 'error') return end({ type: 'error', error: ended.error })
    const { reason, text, tokens, cost, steps, unanswered } = ended
    end({ type: 'session.idle', reason, exitCode: resolveExitCode(ended), text, tokens, cost, steps, unanswered })
  }

  return {
    session(id) {
      sessionID = id
    },

    start({ sessionID: id, ...header }) {
      sessionID = id
      print({ type: 'session.start', ...header })
    },

    event(event) {
      switch (event.type) {
        case 'message.updated':
          if (event.message.role === 'user') userMessages.add(event.message.id)
          break
        case 'part.updated':
          part(event.part)
          break
        case 'permission.asked': {
          const { tool: name, callID, title, parts } = event.question
          const facts = {
            id: event.id,
            tool: name,
            callID,
            title,
            parts: parts.map(({ permission, pattern }) => ({ permission, pattern })),
          }
          asked.set(event.id, facts)
          print({ type: 'permission', ...facts })
          break
        }
        case 'permission.answered': {
          const facts = asked.get(event.id)
          if (facts) print({ type: 'permission', ...facts, answer: event.answer })
          break
        }
        case 'retry': {
          const { type: _, ...facts } = event
          print({ type: 'retry', ...facts })
          break
        }
        case 'notice':
          print({ type: 'notice', code: event.code, message: event.message })
          break
        case 'session.created':
        case 'session.updated':
        case 'turn.started':
        case 'turn.ended':
          break
      }
    },

    notice: (code, message) => print({ type: 'notice', code, message }),
    finish: outcome,
    fail: error => end({ type: 'error', error }),
    interrupt: () =>
      end({
        type: 'error',
        error: { name: 'InterruptedError', data: { message: 'Ended at once by a second interrupt.' } },
      }),
  }
}

function hasEnded({ state }: PartOf<'tool'>): boolean {
  return state.status === 'completed' || state.status === 'error'
}

// Node's readline and Python's splitlines end a line at these too.
function toLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
