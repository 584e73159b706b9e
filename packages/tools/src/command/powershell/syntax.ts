// The syntax tree of a PowerShell script, as far as judging it needs one.

/** A piece of text whose value is known, or why it is not. */
export interface Piece {
  /** As it stands there. */
  readonly text: string
  /** Undefined: not known beforehand. */
  readonly value?: string
  readonly reason?: string
}

/** A word of a command: its pieces side by side, or what stands there in their place. */
export interface Word {
  /** As it stands there. */
  readonly text: string
  readonly pieces: readonly Piece[]
  /** It begins with a quote: then it is no parameter and, as the first word, no command. */
  readonly isQuoted: boolean
  /** Script blocks in it, and whatever else in it runs. */
  readonly blocks: readonly Script[]
  /** It is one script block and nothing else. */
  readonly isBlock: boolean
}

export interface Redirection {
  /** `>`, `2>>`, `*>`. Merging streams (`2>&1`) is none. */
  readonly operator: string
  readonly target: Word
}

/** A command: `name word word > target`. */
export interface Command {
  readonly kind: 'command'
  readonly text: string
  /** How it is called: `&` and `.` run what their first word's value names. */
  readonly call?: '&' | '.'
  readonly words: readonly Word[]
  readonly redirections: readonly Redirection[]
}

/** An expression: values, operators, and what runs inside of it. */
export interface Expression {
  readonly kind: 'expression'
  readonly text: string
  /** What of it can't be judged, in words for a person. */
  readonly risks: readonly string[]
  readonly blocks: readonly Script[]
  readonly redirections: readonly Redirection[]
}

export type Element = Command | Expression

/** Commands joined by `|`. */
export interface Pipeline {
  readonly elements: readonly Element[]
}

/** What of a script can't be judged, in words for a person. */
export interface ScriptRisk {
  readonly text: string
  readonly reason: string
}

export interface Script {
  readonly pipelines: readonly Pipeline[]
  readonly risks: readonly ScriptRisk[]
}

/** A text that is no PowerShell, or holds what is not read here; the message is for a person. */
export class PowershellSyntaxError extends Error {
  override readonly name = 'PowershellSyntaxError'
}
