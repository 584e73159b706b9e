// The tools as an MCP server over stdio, for any other agent. The way in; the protocol itself is in connection.ts,
// loaded only when somebody serves. What lives elsewhere: the tools, the permission rules, and what composes them.
import type { McpServerOptions } from './mcp-options.ts'

export type { McpFolders, McpServerOptions, McpSession } from './mcp-options.ts'

/**
 * Serves until stdin ends, stdout breaks, or the signal aborts; then running calls are aborted, their processes ended,
 * and it returns. Never throws for what a client sends: that is answered, or told, and the server lives on.
 */
export async function serveMcp(options: McpServerOptions): Promise<void> {
  const { serveConnection } = await import('./connection.ts')
  await serveConnection(options)
}
