import { relative } from 'node:path'
import type { ToolPart, ToolState } from '@deckhand/core'
import { groupDigits } from '@deckhand/core'
import { describeSeconds } from './describe-turn.ts'
import { neutralise, oneLine } from './neutralise.ts'

/** One line for a call: what is being read, run or changed. */
export function describeCall({ tool, state }: ToolPart, directory: string): string {
  const input = (typeof state.input === 'object' && state.input !== null ? state.input : {}) as Record<string, unknown>
  const text = (key: string) => (typeof input[key] === 'string' ? oneLine(input[key]) : undefined)
  switch (tool) {
    case 'shell':
      return `$ ${text('command') ?? ''}`
    case 'grep':
    case 'glob':
      return [tool, text('pattern'), text('path') && `in ${showPath(text('path') ?? '', directory)}`]
        .filter(Boolean)
        .join(' ')
    case 'todo':
      return 'todo'
    default: {
      const path = text('path') ?? text('file_path') ?? text('filePath')
      return `${oneLine(tool)} ${path === undefined ? oneLine(JSON.stringify(input)) : showPath(path, directory)}`
    }
  }
}

function showPath(path: string, directory: string): string {
  if (!path.startsWith('/')) return path
  const rest = relative(directory, path)
  return rest.startsWith('..') ? path : rest || '.'
}

/** How a call ended, in a few words, and what of its result is worth a look. */
export interface CallOutcome {
  readonly isFailure: boolean
  readonly words: string
  /** Last lines of output, a diff, or why it failed; not yet bounded to the screen. */
  readonly lines: readonly string[]
  readonly kind: 'output' | 'diff' | 'failure'
}

/** Facts of an ended call for the screen. */
export function describeOutcome({ tool, state }: ToolPart): CallOutcome {
  if (state.status === 'error')
    return { isFailure: true, words: '', lines: neutralise(state.error).split('\n'), kind: 'failure' }
  if (state.status !== 'completed') return { isFailure: false, words: 'running', lines: [], kind: 'output' }
  const { metadata } = state
  if (typeof metadata.diff === 'string')
    return { isFailure: false, words: '', lines: diffLines(metadata.diff), kind: 'diff' }
  if (tool === 'shell' && typeof metadata.job !== 'string') return describeShell(state)
  if (typeof metadata.job === 'string') {
    // Behind the fence, its last line says how the job is.
    return { isFailure: false, words: oneLine(state.output.split('\n').at(-1) ?? ''), lines: [], kind: 'output' }
  }
  return { isFailure: false, words: firstFact(state.output), lines: [], kind: 'output' }
}

type CompletedState = Extract<ToolState, { status: 'completed' }>

function describeShell({ metadata, output, time }: CompletedState): CallOutcome {
  const text = neutralise(typeof metadata.output === 'string' ? metadata.output : output).replace(/\n+$/, '')
  return {
    isFailure: metadata.exit !== 0 && typeof metadata.benign !== 'string',
    words: [
      describeEnd(metadata),
      describeSeconds(time.end - time.start),
      ...describeLeftovers(metadata.leftovers),
    ].join(' · '),
    lines: text === '' ? [] : text.split('\n'),
    kind: 'output',
  }
}

function describeEnd(metadata: Readonly<Record<string, unknown>>): string {
  const { exit, signal, benign } = metadata
  if (metadata.timedOut) return 'timed out'
  if (metadata.cancelled) return 'cancelled'
  if (metadata.capped) return 'ended, as it printed too much'
  if (typeof signal === 'string') return `killed by ${oneLine(signal)}`
  const code = `exit ${typeof exit === 'number' ? exit : '?'}`
  return typeof benign === 'string' ? `${code}: ${oneLine(benign)}; not a failure` : code
}

function describeLeftovers(leftovers: unknown): string[] {
  if (!Array.isArray(leftovers) || leftovers.length === 0) return []
  return [
    `still running: ${leftovers.map(({ command, pid }) => `${oneLine(String(command))} (pid ${pid})`).join(', ')}`,
  ]
}

// A file tool's first line says what it is or did; the rest is for the model.
function firstFact(output: string): string {
  const line = oneLine(output.split('\n')[0] ?? '')
  return line.startsWith('<') ? '' : line
}

function diffLines(diff: string): string[] {
  return neutralise(diff)
    .split('\n')
    .filter(line => /^[-+ @]/.test(line) && !/^(---|\+\+\+) /.test(line))
}

/** The state of a running command on one line: how long, how much, and its last words. */
export function describeProgress(metadata: Readonly<Record<string, unknown>> | undefined, elapsedMs: number): string {
  const { output, lines } = metadata ?? {}
  const last = typeof output === 'string' ? output.trimEnd().split('\n').at(-1) : undefined
  const facts = [
    describeSeconds(elapsedMs),
    ...(typeof lines === 'number' ? [`${groupDigits(lines)} line${lines === 1 ? '' : 's'}`] : []),
    ...(last ? [oneLine(last)] : []),
  ]
  return facts.join(' · ')
}
