import type { Readable, Writable } from 'node:stream'
import type { Clock, PermissionAnswerer, PermissionGate, SessionID, ToolSet } from '@deckhand/core'

/** Where the tools of one session work. */
export interface McpFolders {
  /** Absolute path: where relative paths start and commands run. */
  readonly directory: string
  /** Absolute paths of what else belongs to the workspace. */
  readonly extraRoots: readonly string[]
}

/** The tools of one workspace, and who says what they may do. */
export interface McpSession {
  readonly sessionID: SessionID
  readonly tools: ToolSet
  readonly gate: Pick<PermissionGate, 'check' | 'evaluate'>
  /** Ends what the session left running. Called once, when none of its calls runs any more. */
  close(): Promise<void>
}

export interface McpServerOptions {
  readonly version: string
  /**
   * Makes the tools for a workspace; called again when the client's roots change. `answerer` puts a question to the
   * user of the client: hand it to the permission gate. A DeckhandError thrown is told to the client in its words.
   */
  openSession(folders: McpFolders, answerer: PermissionAnswerer): Promise<McpSession>
  /** The folder to work in, whatever the client says (`--dir`). Absolute. */
  readonly directory?: string
  /** The folder to work in when neither `directory` nor the client names one. Absolute. */
  readonly currentDirectory: string
  readonly stdin: Readable
  /** Nothing but protocol messages is written to it. */
  readonly stdout: Writable
  /** One line for the person who reads the server's stderr. */
  tell(line: string): void
  /** Ends the server, as the end of stdin does. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /** How long a permission question waits for its answer. Default: five minutes. */
  readonly questionTimeoutMs?: number
}
