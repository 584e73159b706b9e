import { basename } from 'node:path'
import type { Decider } from './command-shape.ts'

/** What a code that is not 0 means, where it is an answer and no failure: "grep found no match". */
export type BenignMeaning = string

type Meaning = (words: readonly string[]) => string | undefined

const noMatch: Meaning = ([name]) => `${name} found no match`
const differences: Meaning = ([name]) => `${name} found differences`
const noProcess: Meaning = ([name]) => `${name} found no process`
const notFound: Meaning = ([name]) => `${name} did not find it`
const isFalse: Meaning = () => 'the condition is false'

const grep: Meaning = words =>
  has(words, /^(--files-without-match|-[A-Za-z]*L[A-Za-z]*)$/) ? undefined : noMatch(words)

/** By program and exit code. */
const meanings: Readonly<Record<string, Readonly<Record<number, Meaning>>>> = {
  grep: { 1: grep },
  egrep: { 1: grep },
  fgrep: { 1: grep },
  zgrep: { 1: grep },
  rg: { 1: noMatch },
  ag: { 1: noMatch },
  ack: { 1: noMatch },
  diff: { 1: differences },
  cmp: { 1: differences },
  test: { 1: isFalse },
  '[': { 1: isFalse },
  pgrep: { 1: noProcess },
  pkill: { 1: noProcess },
  pidof: { 1: noProcess },
  killall: { 1: noProcess },
  which: { 1: notFound },
  git: { 1: explainGit },
  command: { 1: words => (has(words.slice(0, 2), /^-[vV]$/) ? `there is no ${words.at(-1)}` : undefined) },
  expr: { 1: () => 'the value is 0 or empty' },
  systemctl: { 3: words => (has(words, /^(is-active|status)$/) ? 'the unit is not active' : undefined) },
}

/**
 * Says why the exit code is no failure, when each command that can have given it says so of this code. When it is not
 * sure which command that was (`deciders` empty), or one of them may really have failed, there is no answer.
 * `output` is all that was printed, if that is known: a `cd` that fails says so.
 */
export function explainBenignExit(
  code: number,
  deciders: readonly Decider[],
  output: string | undefined,
): BenignMeaning | undefined {
  const possible = deciders.filter(decider => !hasSucceeded(decider, output))
  const reasons = possible.map(decider => explainDecider(code, decider))
  const [first] = reasons
  return first !== undefined && reasons.every(reason => reason !== undefined) ? first : undefined
}

function explainDecider(code: number, decider: Decider): string | undefined {
  if (decider.kind === 'test') return code === 1 ? 'the condition is false' : undefined
  const [name = '', ...rest] = decider.words
  const program = basename(name)
  return Object.hasOwn(meanings, program) ? meanings[program]?.[code]?.([program, ...rest]) : undefined
}

const alwaysFine = new Set(['echo', 'printf', 'true', ':', 'pwd'])

function hasSucceeded(decider: Decider, output: string | undefined): boolean {
  const name = decider.kind === 'words' ? decider.words[0] : undefined
  if (name === 'cd') return output !== undefined && !output.includes('cd: ')
  return name !== undefined && alwaysFine.has(name)
}

function explainGit([, ...words]: readonly string[]): string | undefined {
  const verb = gitVerb(words)
  const options = words.slice(words.indexOf(verb ?? '') + 1)
  switch (verb) {
    case 'diff':
    case 'diff-index':
    case 'diff-files':
    case 'diff-tree':
      return has(options, /^(--exit-code|--quiet|--no-index)$/) ? 'git diff found differences' : undefined
    case 'grep':
      return grep(['git grep', ...options])
    case 'merge-base':
      return has(options, /^--is-ancestor$/) ? 'it is not an ancestor' : undefined
    case 'check-ignore':
      return 'git ignores none of these'
    case 'config':
      return has(options, /^(--get|--get-all|--get-regexp|get)$/) ? 'the key is not set' : undefined
    case 'show-ref':
      return 'there is no such ref'
    default:
      return undefined
  }
}

// The first word that is neither an option nor the value of -C or -c.
function gitVerb(words: readonly string[]): string | undefined {
  return words.find((word, index) => !word.startsWith('-') && !/^-[Cc]$/.test(words[index - 1] ?? ''))
}

function has(words: readonly string[], pattern: RegExp): boolean {
  return words.some(word => pattern.test(word))
}
