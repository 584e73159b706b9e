/** What a sandboxed command may do. Paths are absolute and real (symlinks followed). */
export interface SandboxPolicy {
  /** May be written, with all below. Everything else on the file system can only be read; /tmp is a private one. */
  readonly writableRoots: readonly string[]
  /** Not to be written, though they lie below a writable root. */
  readonly readOnlyPaths: readonly string[]
  /** Not to be read: secrets. Files and folders. */
  readonly maskedPaths: readonly string[]
  /** Of the machine's /tmp, /var/tmp and /run, which are not to be seen else: shown, and read-only. */
  readonly shownPaths?: readonly string[]
  /** What Deckhand and this one command hand each other: there whatever else is hidden, and may be written. */
  readonly ownFolder?: string
  /** `off`: no host is reached, not even this machine; what commands of one sandbox start reach each other. */
  readonly network: 'off' | 'on'
}

/** What to start in place of a command, so that it runs in the sandbox. */
export interface SandboxedStart {
  readonly argv: readonly [string, ...string[]]
  /** The folder to start it in; it goes to that of the command by itself. */
  readonly cwd: string
  /** To be handed to the child as its descriptors 3, 4, … */
  readonly descriptors: readonly number[]
  /** To be added to its environment. */
  readonly environment: Readonly<Record<string, string>>
  /**
   * To be asked once, after its end: did the command itself start? False where setting up the sandbox failed at the last
   * moment, as a file that was to be hidden had just gone; nothing was run then, and it can be tried again.
   */
  hasStarted(): boolean
}

/**
 * Set for every sandboxed command, so that programs can tell: `shared` where commands of the run see each other's
 * processes, by the pids that they have in there, and `own` for one that may do more than the others.
 */
export const sandboxVariable = 'DECKHAND_SANDBOX'

/** A sandbox for the commands of one run of the program. They see each other's processes and ports, and one /tmp. */
export interface Sandbox {
  readonly kind: 'bubblewrap' | 'seatbelt'
  /** Makes ready what the first command needs. May be left out; never throws. */
  prepare(): Promise<void>
  /** Where a path below /tmp or /var/tmp in the sandbox is outside of it; undefined for other paths. */
  outsidePath(path: string): string | undefined
  /**
   * How to start a command in it. Throws SandboxError when it can't be set up: the command must then not be run.
   * The paths of the policy are looked at now: what does not exist yet can't be made read-only or unreadable.
   */
  enter(argv: readonly [string, ...string[]], cwd: string, policy: SandboxPolicy): Promise<SandboxedStart>
  /** Ends whatever runs in it and removes its /tmp. Twice is fine. */
  close(): Promise<void>
}

/** A sandbox could not be set up; nothing was run. The message says what was tried and what came of it. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}
