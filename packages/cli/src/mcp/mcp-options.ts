/** The options of `deckhand mcp`, as the command line gives them. */
export interface McpOptions {
  readonly dir?: string
  readonly auto?: boolean
  readonly mode?: string
}
