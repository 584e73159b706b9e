/**
 * What a shell hands on from one call to the next. Texts that only a shell can read (`declarations`, `functions`, …) are
 * as the shell itself printed them, so that it reads back exactly what it wrote.
 */
export interface ShellState {
  /** Where the next call starts: absolute, symlinks as they were followed by `cd`. */
  readonly cwd: string
  /** The exported variables, all of them. */
  readonly environment: Readonly<Record<string, string>>
  /** Values of the variables that are not exported, where they are plain texts; for judging what a command would do. */
  readonly variables: Readonly<Record<string, string>>
  /** What declares the variables that are not exported, and those with attributes. */
  readonly declarations: string
  /** What defines the functions, and their names. */
  readonly functions: string
  readonly functionNames: readonly string[]
  /** Of those, the ones that are handed on to other shells. */
  readonly exportedFunctions: readonly string[]
  readonly aliases: string
  readonly aliasNames: readonly string[]
  /** Commands that set the options which are not as in a new shell, without those that matter while it starts. */
  readonly options: string
  /** Options of `set` that are on, by their long names: `errexit`. */
  readonly setOptions: readonly string[]
  /** Octal; undefined: as it was given. */
  readonly umask: string | undefined
  /** The stack of pushd, newest first, without the current folder. */
  readonly directories: readonly string[]
  /** Was it left by a command in the sandbox? Then a command outside of it must not be led by it. */
  readonly isContained: boolean
}

/** The state of a new shell. */
export function createFreshState(cwd: string, environment: Readonly<Record<string, string>>): ShellState {
  return {
    cwd,
    environment,
    variables: {},
    declarations: '',
    functions: '',
    functionNames: [],
    exportedFunctions: [],
    aliases: '',
    aliasNames: [],
    options: '',
    setOptions: [],
    umask: undefined,
    directories: [],
    isContained: false,
  }
}
