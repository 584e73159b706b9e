import { relative } from 'node:path'
import type { ToolPart } from '@deckhand/core'
import { neutralise } from './neutralise.ts'

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
      return path === undefined ? `${tool} ${oneLine(JSON.stringify(input))}` : `${tool} ${showPath(path, directory)}`
    }
  }
}

function showPath(path: string, directory: string): string {
  if (!path.startsWith('/')) return path
  const rest = relative(directory, path)
  return rest.startsWith('..') ? path : rest || '.'
}

/** Foreign text on one line. */
export function oneLine(text: string): string {
  return neutralise(text)
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .trim()
}

/** How a call ended, in a few words, and what of its result is worth a look. */
export interface CallOutcome {
  readonly isFailure: boolean
  readonly words: string
  /** Last lines of output, or a diff; not yet bounded to the screen. */
  readonly lines: readonly string[]
  readonly isDiff: boolean
}

/** Facts of an ended call for the screen. */
export function describeOutcome({ tool, state }: ToolPart): CallOutcome {
  if (state.status === 'error') {
    return { isFailure: true, words: '', lines: neutralise(state.error).split('\n'), isDiff: false }
  }
  if (state.status !== 'completed') return { isFailure: false, words: 'running', lines: [], isDiff: false }
  const seconds = `${((state.time.end - state.time.start) / 1000).toFixed(1)} s`
  const { metadata } = state
  if (typeof metadata.diff === 'string')
    return { isFailure: false, words: '', lines: diffLines(metadata.diff), isDiff: true }
  if (tool !== 'shell') return { isFailure: false, words: firstFact(state.output), lines: [], isDiff: false }
  const output = typeof metadata.output === 'string' ? metadata.output : state.output
  const lines = neutralise(output).replace(/\n+$/, '').split('\n')
  return {
    isFailure: metadata.exit !== 0,
    words: `${describeEnd(metadata)} · ${seconds}`,
    lines: output === '' ? [] : lines,
    isDiff: false,
  }
}

function describeEnd({ exit, signal, timedOut }: Readonly<Record<string, unknown>>): string {
  if (timedOut) return 'timed out'
  if (typeof signal === 'string') return `killed by ${signal}`
  return `exit ${typeof exit === 'number' ? exit : '?'}`
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
