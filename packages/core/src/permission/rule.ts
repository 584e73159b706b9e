/** What is asked permission for. `mcp:<server>:<tool>` stands for a tool of another program. */
export type PermissionKey =
  | 'read'
  | 'edit'
  | 'glob'
  | 'grep'
  | 'shell'
  | 'external_directory'
  | 'network'
  | 'outside_sandbox'
  | 'task'
  | 'fetch'
  | 'skill'
  | 'schedule'
  | 'kill'
  | 'todo'
  | 'doom_loop'
  | `mcp:${string}`

export type RuleAction = 'allow' | 'ask' | 'deny'

/** Where a rule comes from; later sources come later in the list, and the last match wins. */
export type RuleSource = 'built-in' | 'mode' | 'user' | 'project' | 'session'

export interface Rule {
  /** A permission key or a wildcard over keys. */
  readonly permission: string
  /** A wildcard over what would be done: a path, or a command's words joined by single blanks. */
  readonly pattern: string
  readonly action: RuleAction
  readonly source: RuleSource
  /** The file or the answer that it was written in, for people. */
  readonly origin?: string
}
