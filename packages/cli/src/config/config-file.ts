import { ConfigError } from '@deckhand/core'
import { type ConfigProblem, findConfigProblems } from './config-problems.ts'
import { type ConfigText, parseConfigText } from './config-text.ts'
import { isOpencodeFile, takeOpencodeValues } from './opencode-file.ts'

/** A file as it was written: only what stands in it, without defaults. */
export interface ConfigFile {
  readonly path: string
  readonly values: Readonly<Record<string, unknown>>
  /** Dotted keys of an opencode file that Deckhand does not use. */
  readonly unused: readonly string[]
}

/**
 * Reads a file's text: JSON with comments and trailing commas. Throws ConfigError with every problem of the file, each
 * with its place and line. In OpenCode's files what Deckhand does not know is left out and listed in `unused`.
 */
export function parseConfigFile(path: string, text: string): ConfigFile {
  const parsed = parseConfigText(path, text)
  if (!isOpencodeFile(path)) {
    refuseProblems(path, parsed, [...findConfigProblems(parsed.values), ...findRepeated(parsed)])
    return { path, values: parsed.values, unused: [] }
  }
  const { used, unused } = takeOpencodeValues(parsed.values)
  refuseProblems(path, parsed, findConfigProblems(used))
  return { path, values: used, unused }
}

// The first of the two would be lost without a word; it may be a rule that denies.
function findRepeated({ repeated }: ConfigText): ConfigProblem[] {
  return repeated.map(place => ({ place, words: `${place.join('.')} stands there twice; only one can count` }))
}

function refuseProblems(path: string, { lineOf }: ConfigText, found: readonly ConfigProblem[]): void {
  if (found.length === 0) return
  const problems = found
    .map(({ place, words }) => ({ line: lineOf(place), words }))
    .sort((a, b) => a.line - b.line)
    .map(({ line, words }) => `${words} (line ${line})`)
  throw new ConfigError('invalid', `${path} can't be used:\n${problems.map(problem => `  ${problem}`).join('\n')}`, {
    file: path,
    problems,
  })
}
