// What a command would do: the facts that parts of a permission question are made of.
import type { Effect } from '@deckhand/core'
import type { Arg } from './arg.ts'
import type { NetworkUse } from './programs/network.ts'

/** One simple command that could run. */
export interface CommandFact {
  readonly args: readonly Arg[]
  /** Its words after quote removal, joined by single blanks. */
  readonly pattern: string
  /** Other spellings, for deny rules. */
  readonly denyPatterns: readonly string[]
  /** Reasons to ask whatever a rule allows. */
  readonly asks: readonly string[]
  /** The one reason to ask is code that stands in its words: it can be approved as it stands, and no otherwise. */
  readonly isShown: boolean
  /** Changes nothing, with these words; its inner commands too. */
  isReadOnly: boolean
  /** Does it reach other machines? */
  readonly network: NetworkUse
  /** The commands that start it, outermost first: `sudo`, `env`. */
  readonly wrappers: readonly string[]
  /** Absent where it stands in no text of its own. */
  written?: WrittenCommand
}

/** A command as it stands in a text. */
export interface WrittenCommand {
  /** Where it begins and ends in the text that holds it, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** The assignments before its first word, as written. */
  readonly assignments: readonly string[]
  /** Its redirections, as written. */
  readonly redirections: readonly string[]
}

/** A path that it may read or write. */
export interface PathFact {
  /** Where it leads, symlinks followed. */
  readonly real: string
  /** As it is written, made absolute. */
  readonly absolute: string
  /** For people and rules. */
  readonly shown: string
  readonly inside: boolean
  readonly isFolder: boolean
  readonly effect: Extract<Effect, 'read' | 'write'>
}

/** Something about the text, apart from any one command, that must be asked. */
export interface DoubtFact {
  /** The piece of the text. */
  readonly text: string
  readonly reason: string
}

const maxSteps = 60_000

/** Gathers the facts of one text. */
export class Facts {
  readonly commands: CommandFact[] = []
  readonly paths = new Map<string, PathFact>()
  readonly #doubts = new Map<string, DoubtFact>()
  #count = 0

  addCommand(fact: CommandFact): void {
    this.commands.push(fact)
  }

  addPath(path: PathFact): void {
    this.paths.set(`${path.effect} ${path.absolute} ${path.real}`, path)
  }

  addDoubt(text: string, reason: string): void {
    this.#doubts.set(`${text}\0${reason}`, { text, reason })
  }

  get doubts(): readonly DoubtFact[] {
    return [...this.#doubts.values()]
  }

  /** Counts steps of work; false when it is too much for one text. */
  spend(steps = 1): boolean {
    this.#count += steps
    return this.#count <= maxSteps
  }

  /** More was to be done than one text may take: what was found is not all. */
  get isTooMuch(): boolean {
    return this.#count > maxSteps
  }
}
