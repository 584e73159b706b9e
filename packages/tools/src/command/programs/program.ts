// What a program does with its words: the shape of the table that the files beside this one fill.
import type { Arg } from '../arg.ts'

/**
 * What an option is followed by, or does.
 * `text`: a value that is neither a path nor run. `read`, `write`: a path. `script`: a text that a shell runs. `code`: program text, which stands
 * there to be read and is run by nobody else.
 * `ask`: it runs or loads what the command line doesn't show. `writes`: it makes the program write (no value).
 * `pair`: two values, a name and a text.
 */
export type OptionKind = 'flag' | 'text' | 'read' | 'write' | 'script' | 'code' | 'ask' | 'writes' | 'pair'

/** What a word that is no option is. `any`: may be a path, and nothing says what is done with it. */
export type OperandKind = 'text' | 'read' | 'write' | 'any'

export interface Program {
  /** Names of options by kind, with blanks between them: `{ read: '-f --file' }`. Others are flags. */
  readonly options?: Partial<Readonly<Record<OptionKind, string>>>
  /** Kinds of the operands in order; the last one holds for the rest. Default: `any`. */
  readonly operands?: readonly OperandKind[]
  /** With one of these options the first operand kind is left out (`grep -e PATTERN FILE`). */
  readonly withoutFirst?: string
  /** Known to change nothing, apart from what `write`, `writes`, `ask` and `inspect` find. */
  readonly readOnly?: boolean
  /** Options end at the first operand. */
  readonly optionsFirst?: boolean
  /** Options end after one of these. */
  readonly stopAfter?: string
  /** Finds what the table can't say. */
  readonly inspect?: (call: Call, found: Findings) => void
  /** By the first operand; its program is judged by the words after it. */
  readonly subcommands?: Readonly<Record<string, Program>>
}

/** An option as it was given. */
export interface GivenOption {
  readonly name: string
  readonly kind: OptionKind
  readonly value?: Arg
  /** Not in the table. */
  readonly isUnknown: boolean
}

/** A program's words, sorted. */
export interface Call {
  readonly name: string
  /** All words after the name. */
  readonly args: readonly Arg[]
  readonly options: readonly GivenOption[]
  readonly operands: readonly Arg[]
  /** Was one of these given? Names with blanks between them. */
  has(names: string): boolean
  readonly stdin: Stdin
}

/** Where the standard input comes from. */
export type Stdin =
  | { readonly kind: 'none' }
  /** Of the stage before in a pipeline; `isListing` when it prints names of files inside the workspace. */
  | { readonly kind: 'pipe'; readonly isListing: boolean }
  | { readonly kind: 'file' }
  | { readonly kind: 'text'; readonly text: Arg }

/** What a program would do, as far as its words tell. To be filled. */
export interface Findings {
  /** Reasons to ask whatever a rule allows. */
  readonly asks: string[]
  readonly reads: Arg[]
  readonly writes: Arg[]
  /** May be paths. */
  readonly maybePaths: Arg[]
  /** Texts that a shell runs. */
  readonly scripts: Arg[]
  /** Command lines that it starts. */
  readonly commands: (readonly Arg[])[]
  /** Other spellings for deny rules. */
  readonly denyPatterns: string[]
  /** It only reads. */
  readOnly: boolean
  /** Program text that it runs stands whole in its words. */
  showsCode: boolean
  /** Its inner commands run elsewhere (another machine, a container): their paths are not ours. */
  elsewhere?: boolean
}

/** Adds a reason to ask, once. */
export function ask(found: Findings, reason: string): void {
  if (!found.asks.includes(reason)) found.asks.push(reason)
}

/** The values of an option that was given. */
export function optionValues(call: Call, names: string): readonly Arg[] {
  const wanted = names.split(' ')
  return call.options.flatMap(option => (wanted.includes(option.name) && option.value ? [option.value] : []))
}
