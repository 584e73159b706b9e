// The shells of a session: each has a state that its calls hand on to one another, though each call is a process of its own.
import { closeSync, constants, fstatSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { removeAbandonedFolders } from '../channel/abandoned-folders.ts'
import { parseDeclarations, quoteForShell } from './declarations.ts'
import type { ShellEnd } from './shell-end.ts'
import type { Shell, ShellKind } from './shell-kind.ts'
import { createShellStart, parseShellEnd, type ShellStart } from './shell-start.ts'
import { createFreshState, type ShellState } from './shell-state.ts'
import { createTurnQueue, type TurnQueue } from './turn-queue.ts'

export interface NamedShellsOptions {
  readonly shell: Shell
  /** Where a private folder can be made. A sandbox must not hide it. */
  readonly temporaryDirectory: string
  /** Where a new shell starts. */
  readonly cwd: string
  /** The environment of a new shell; asked each time one begins. */
  environment(): Readonly<Record<string, string>>
  /** Could a command outside the sandbox be led by this variable, which one inside has set? */
  isRisky(name: string): boolean
}

export interface NamedShells {
  /** The shell of this name; a new one begins with the first call. */
  open(name: string): NamedShell
  /** Removes what is on the disk. Twice is fine. */
  close(): void
}

/** One shell. */
export interface NamedShell {
  readonly kind: ShellKind
  readonly turns: TurnQueue
  /** The state that the next call starts with. */
  readonly state: ShellState
  /** As new; what earlier calls left is forgotten. */
  reset(): void
  /** Makes ready what a command is to be started with. It must be finished, however it ends. */
  prepare(command: string, options: PrepareOptions): PreparedCall
}

export interface PrepareOptions {
  /** Will it run in a sandbox? */
  readonly isContained: boolean
  /** Where the shell reads and writes, in place of a folder that goes with us. Made here. */
  readonly folder?: string
  /** Variables for this call alone; undefined removes one. */
  readonly environment?: CallVariables
}

type CallVariables = Readonly<Record<string, string | undefined>>

export interface PreparedCall {
  readonly start: ShellStart
  /** What the shell reads and writes; it must see this folder also in a sandbox. */
  readonly folder: string
  /** What of the state was left out, as the call is outside the sandbox and it came from inside. */
  readonly leftOut: readonly string[]
  /** What the shell wrote on its way out; undefined where it wrote nothing, or nothing whole. To be asked after its end. */
  readEnd(): ShellEnd | undefined
  /**
   * To be called once, at the end. With `adopt`, what the shell left becomes the state: that is for one that came to its
   * own end; one that was killed leaves the last good state. `keepsFolder` false: only its folder stays as it was.
   */
  finish(how: { readonly adopt: boolean; readonly keepsFolder: boolean }): StateChange
}

/** What became of the state. */
export interface StateChange {
  readonly before: ShellState
  readonly after: ShellState
  /** Was it taken over from the call? */
  readonly isAdopted: boolean
}

/** Makes the shells of a session. */
export function createNamedShells(options: NamedShellsOptions): NamedShells {
  const shells = new Map<string, NamedShell>()
  let parent: string | undefined
  let calls = 0

  function makeFolder(): string {
    parent ??= makeParent(options.temporaryDirectory)
    const folder = join(parent, String(++calls))
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch {
      // Cleaned away under us.
      parent = makeParent(options.temporaryDirectory)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    }
    return folder
  }

  return {
    open(name) {
      const known = shells.get(name) ?? createNamedShell(options, makeFolder)
      shells.set(name, known)
      return known
    },
    close() {
      if (parent !== undefined) rmSync(parent, { recursive: true, force: true })
      parent = undefined
    },
  }
}

const prefix = 'deckhand-shell-'

function makeParent(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // What can't be removed now is removed by a later one.
  removeAbandonedFolders(directory, prefix).catch(() => undefined)
  return mkdtempSync(join(directory, `${prefix}${process.pid}-`))
}

function createNamedShell(options: NamedShellsOptions, makeFolder: () => string): NamedShell {
  const { shell } = options
  const createFresh = () => createFreshState(options.cwd, options.environment())
  let current: ShellState | undefined
  // What the last command outside the sandbox left: one outside may be led by that.
  let trusted: ShellState | undefined

  function readState(): ShellState {
    current ??= createFresh()
    return current
  }

  return {
    kind: shell.kind,
    turns: createTurnQueue(),
    get state() {
      return readState()
    },
    reset() {
      current = undefined
      trusted = undefined
    },
    prepare(command, { isContained, folder: given, environment = {} }) {
      const before = readState()
      const isFiltered = before.isContained && !isContained
      const base = isFiltered ? leaveOutRisks(before, trusted ?? createFresh(), options.isRisky) : before
      const folder = given ?? makeFolder()
      if (given !== undefined) mkdirSync(given, { recursive: true, mode: 0o700 })
      const start = createShellStart(shell, command, setVariables(base, environment), folder)
      let read: { readonly end: ShellEnd | undefined } | undefined
      const readEnd = () => {
        read ??= { end: readShellEnd(shell.kind, folder) }
        return read.end
      }
      return {
        start,
        folder,
        readEnd,
        leftOut: isFiltered ? listLeftOut(before, base) : [],
        finish({ adopt, keepsFolder }) {
          const end = adopt ? readEnd() : undefined
          rmSync(folder, { recursive: true, force: true })
          if (end) {
            const { cwd, directories } = keepsFolder ? end.state : base
            const own = unsetVariables(end.state, environment, base)
            current = { ...end.state, ...own, cwd, directories, isContained }
            if (!isContained) trusted = current
          }
          return { before, after: readState(), isAdopted: end !== undefined }
        },
      }
    },
  }
}

// What takes up the state would set its own value again.
function setVariables(state: ShellState, changes: CallVariables): ShellState {
  const names = Object.keys(changes)
  if (names.length === 0) return state
  const declarations = parseDeclarations(state.declarations).filter(({ name }) => !names.includes(name))
  const environment = Object.entries({ ...state.environment, ...changes })
  return {
    ...state,
    environment: Object.fromEntries(environment.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    declarations: declarations.map(({ text }) => text).join('\n'),
  }
}

// What was set for one call alone is again as it was, unless the command gave it another value.
function unsetVariables(
  after: ShellEnd['state'],
  changes: CallVariables,
  before: ShellState,
): Pick<ShellState, 'environment' | 'variables' | 'declarations'> {
  if (Object.keys(changes).length === 0) return after
  const declared = new Set(parseDeclarations(after.declarations).map(({ name }) => name))
  const isUnchanged = (name: string) => after.environment[name] === changes[name] && !declared.has(name)
  const names = Object.keys(changes).filter(isUnchanged)
  const restore = (now: Readonly<Record<string, string>>, then: Readonly<Record<string, string>>) =>
    Object.fromEntries([
      ...Object.entries(now).filter(([name]) => !names.includes(name)),
      ...Object.entries(then).filter(([name]) => names.includes(name)),
    ])
  const declarations = parseDeclarations(before.declarations).filter(({ name }) => names.includes(name))
  return {
    environment: restore(after.environment, before.environment),
    variables: restore(after.variables, before.variables),
    declarations: [after.declarations, ...declarations.map(({ text }) => text)].filter(text => text !== '').join('\n'),
  }
}

// Outside the sandbox nothing may lead a command that one inside has set up: no function, no alias, no PATH.
function leaveOutRisks(state: ShellState, trusted: ShellState, isRisky: (name: string) => boolean): ShellState {
  const pick = (values: Readonly<Record<string, string>>, risky: boolean) =>
    Object.entries(values).filter(([name]) => isRisky(name) === risky)
  const plain = pick(state.variables, false)
  return {
    ...trusted,
    cwd: state.cwd,
    environment: Object.fromEntries([...pick(state.environment, false), ...pick(trusted.environment, true)]),
    variables: Object.fromEntries(plain),
    declarations: plain.map(([name, value]) => `declare ${name}=${quoteForShell(value)}`).join('\n'),
  }
}

function listLeftOut(state: ShellState, base: ShellState): readonly string[] {
  const changed = Object.keys(state.environment).filter(name => state.environment[name] !== base.environment[name])
  return [
    ...state.functionNames.filter(name => !base.functionNames.includes(name)),
    ...state.aliasNames.filter(name => !base.aliasNames.includes(name)),
    ...changed,
  ]
}

/** What a shell of this kind wrote on its way out, into the folder of its call; undefined where there is nothing whole. */
export function readShellEnd(kind: ShellKind, folder: string): ShellEnd | undefined {
  return parseShellEnd(kind, folder, readPrivateFile)
}

const maxEndBytes = 8 * 1024 * 1024

// A command in the sandbox can put anything there: no link is followed, and nothing but a file is read.
function readPrivateFile(path: string): string | undefined {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const found = fstatSync(file)
    return found.isFile() && found.size <= maxEndBytes ? readFileSync(file, 'utf8') : undefined
  } finally {
    closeSync(file)
  }
}
