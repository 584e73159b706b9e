import type { LiveEvent } from '@deckhand/agent'
import type { ErrorFacts, Session, SessionEvent, TurnOutcome } from '@deckhand/core'
import type { CliContext } from '../cli-context.ts'
import { createJsonLines, type RunHeader } from '../json-lines/json-lines.ts'
import { neutralise } from '../terminal/neutralise.ts'
import { createTextRenderer } from '../terminal/text-renderer.ts'

/** Where a run shows itself: JSON lines for programs, text for people. */
export interface Reporter {
  /** As soon as it is known, so that whatever fails later names it. */
  session(session: Session): void
  start(header: RunHeader, source: string): void
  event(event: SessionEvent): void
  live(event: LiveEvent): void
  notice(code: string, message: string): void
  /** The turn's end: nothing comes after it. */
  finish(outcome: TurnOutcome): void
  /** The run ended without a turn's outcome. */
  fail(error: ErrorFacts): void
  /** The run is ended at once. */
  interrupt(): void
}

export interface ReporterOptions {
  readonly format: 'text' | 'json'
  readonly quiet?: boolean
  readonly verbose?: boolean
  /** Everything on standard output, for a person who watches the whole. */
  readonly together?: boolean
}

/** Makes the reporter of one run. */
export function createReporter(options: ReporterOptions, context: CliContext): Reporter {
  return options.format === 'json' ? createJsonReporter(context) : createTextReporter(options, context)
}

function createJsonReporter({ stdout, clock }: CliContext): Reporter {
  const lines = createJsonLines(line => void stdout.write(line), clock.now)
  return {
    session: ({ id }) => lines.session(id),
    start: lines.start,
    event: lines.event,
    live() {},
    notice: lines.notice,
    finish: lines.finish,
    fail: lines.fail,
    interrupt: lines.interrupt,
  }
}

// On a terminal both streams are one picture; elsewhere standard output holds the answer, and notes go to standard error.
function createTextReporter(
  { quiet = false, verbose = false, together = false }: ReporterOptions,
  { stdout, stderr, env, clock }: CliContext,
): Reporter {
  const renderer = createTextRenderer({
    write: text => void stdout.write(text),
    writeNote: text => void (together || stdout.isTTY ? stdout : stderr).write(text),
    isTerminal: stdout.isTTY === true && env.TERM !== 'dumb',
    // A terminal that was never told its size says 0.
    columns: stdout.columns || 80,
    color: wantsColor(env, stdout.isTTY === true),
    verbose,
    quiet,
    now: clock.now,
  })
  return {
    session() {},
    start: renderer.start,
    event: renderer.event,
    live: renderer.live,
    notice: (_, message) => renderer.notice(message),
    finish: renderer.finish,
    fail: error => void stderr.write(`deckhand: ${neutralise(error.data.message)}\n`),
    interrupt: () => void stderr.write('\ndeckhand: interrupted at once\n'),
  }
}

// https://no-color.org: any value that is not empty counts.
function wantsColor(env: CliContext['env'], isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0'
  return isTerminal && env.TERM !== 'dumb'
}
