import { ToolFailure, type ToolResult } from '@deckhand/core'
import type { Job } from '@deckhand/process'
import { fenceText } from '../output/fence.ts'
import { describeCount } from '../workspace/describe-bytes.ts'
import { findRipgrep, runRipgrep } from '../workspace/ripgrep.ts'
import { describeResult } from './describe-result.ts'
import type { JobCall } from './job-call.ts'
import { findCharacterEnd, findFirstLines, findLastLines } from './job-log.ts'
import type { JobInput } from './schema.ts'
import { viewLog } from './view-log.ts'

/** What a job has printed: what is new since a cursor, lines of an end, what matches, or its screen. */
export async function readOutput(job: Job, call: JobCall): Promise<ToolResult> {
  const { input, setup } = call
  if (input.view === 'screen') return readScreen(job)
  if (input.grep !== undefined) return searchOutput(job, input.grep, call)
  const facts = job.facts()
  const end = findCharacterEnd(facts.logPath, facts.bytes)
  const { from, to } = chooseRange(facts.logPath, end, input)
  const words = [
    input.cursor !== undefined && input.cursor > end ? `cursor ${input.cursor} lies behind its end` : '',
    from === to ? 'nothing new' : '',
    `cursor ${to}`,
  ]
  return describeResult(job, facts, viewLog(facts, { from, to }, setup.limits), words, to)
}

function chooseRange(logPath: string, end: number, { cursor, lines, from = 'end' }: JobInput) {
  const start = Math.min(cursor ?? 0, end)
  if (lines === undefined) return { from: start, to: end }
  if (from === 'start' || cursor !== undefined) return { from: start, to: findFirstLines(logPath, lines, start, end) }
  return { from: findLastLines(logPath, lines, end), to: end }
}

async function readScreen(job: Job): Promise<ToolResult> {
  if (!job.terminal)
    throw new ToolFailure(
      'invalid-input',
      `${job.id} has no terminal of ours, so there is no screen; start it with tty.`,
    )
  const screen = await job.terminal.readScreen()
  const facts = job.facts()
  const text = screen === '' ? '' : fenceText(screen, `screen of ${facts.command}`)
  return describeResult(job, facts, text, [screen === '' ? 'the screen is empty' : ''])
}

const longestMs = 20_000
const mostLines = 500

async function searchOutput(job: Job, pattern: string, { input, context, setup }: JobCall): Promise<ToolResult> {
  const facts = job.facts()
  const found: string[] = []
  let matches = 0
  let bytes = 0
  const { shownHeadBytes, shownTailBytes } = setup.limits
  const { exitCode, timedOut, errorText } = await runRipgrep({
    rgPath: await findRipgrep(),
    args: [
      ...['--no-config', '--text', '--line-number', '--no-heading', '--no-filename', '--color', 'never'],
      ...['--context', String(input.context ?? 0), '--regexp', pattern, '--', facts.logPath],
    ],
    cwd: '/',
    signal: context.signal,
    timeoutMs: longestMs,
    separator: '\n',
    onRecord(record) {
      const line = record.toString()
      if (/^\d+:/.test(line)) matches++
      bytes += record.length
      if (found.length < mostLines && bytes <= shownHeadBytes + shownTailBytes) found.push(line)
    },
  })
  if (exitCode === 2 && matches === 0 && facts.bytes > 0)
    throw new ToolFailure('invalid-input', `The output could not be searched: ${errorText.trim()}`)
  const words = [
    matches === 0 ? `no line of its output matches ${pattern}` : `${describeCount(matches, 'line')} match ${pattern}`,
    timedOut ? 'the search was ended after 20 s, there may be more' : '',
    bytes > shownHeadBytes + shownTailBytes || found.length === mostLines
      ? `shown are the first ${describeCount(found.length, 'line')}; all of it: ${facts.logPath}`
      : '',
  ]
  const text = found.length === 0 ? '' : fenceText(found.join('\n'), facts.command)
  return describeResult(job, facts, text, words)
}
