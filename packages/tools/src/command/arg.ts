/** One word of a command after quote removal and expansion, as far as it can be known. */
export interface Arg {
  /** For rules and people: its value where it has just one, else what is written. */
  readonly text: string
  /** All it can be, or undefined when that can't be known. The value of a glob is its pattern. */
  readonly values: readonly string[] | undefined
  /** Why it can't be known, in words for a person. */
  readonly unknown?: string
  /** Holds unquoted wildcards that the shell expands. */
  readonly isGlob: boolean
  /** Written out as it is: no variable, substitution, brace list or wildcard took part. */
  readonly isLiteral: boolean
  /** The part before what can't be known; of a known word, its first value. */
  readonly start: string
  /** Stands for what another program puts there; it is no part of what rules match and people read. */
  readonly isHidden?: boolean
}

/** A word that is written out. */
export function literalArg(text: string): Arg {
  return { text, values: [text], isGlob: false, isLiteral: true, start: text }
}

/** A word whose value can't be known. */
export function unknownArg(text: string, why: string, start = ''): Arg {
  return { text, values: undefined, unknown: why, isGlob: false, isLiteral: false, start }
}

/** The one value that the word has, if it has just one. */
export function soleValue(arg: Arg | undefined): string | undefined {
  return arg?.values?.length === 1 ? arg.values[0] : undefined
}

/** The word without its first `count` characters: the value of `-ofile` or `--output=file`. */
export function cutStart(arg: Arg, count: number): Arg {
  return {
    ...arg,
    text: arg.text.slice(count),
    values: arg.values?.map(value => value.slice(count)),
    start: arg.start.slice(count),
  }
}

/** The words joined by single blanks: what rules are matched against. */
export function joinArgs(args: readonly Arg[]): string {
  return args.flatMap(arg => (arg.isHidden ? [] : [arg.text])).join(' ')
}
