import { messageOf, type ToolSet } from '@deckhand/core'
import { type ProtocolEra, Server, type Tool as ToolDescription } from '@modelcontextprotocol/server'
import { createRequestError } from './bug-error.ts'
import { askRootsByRequest, putOffRoots } from './client-voice.ts'
import type { RunningCalls } from './running-calls.ts'
import type { SessionHolder } from './session-holder.ts'
import type { AskRoots } from './workspace-folders.ts'

export interface McpServerParts {
  readonly version: string
  readonly instructions: string
  readonly holder: SessionHolder
  readonly calls: RunningCalls
  /** Told of what went wrong outside of any answer. */
  readonly onError: (words: string) => void
}

/**
 * The protocol server of one connection: what a client may request, and what answers it. `modern` is the protocol
 * since 2026-07-28, in which the server sends no requests of its own.
 */
export function createMcpServer(
  { version, instructions, holder, calls, onError }: McpServerParts,
  era: ProtocolEra,
): Server {
  const server = new Server(
    { name: 'deckhand', title: 'Deckhand', version },
    { capabilities: { tools: { listChanged: true } }, instructions },
  )
  let listed: string | undefined

  async function listTools(askRoots: AskRoots): Promise<ToolDescription[]> {
    const lease = await holder.acquire(askRoots)
    lease.release()
    return describeTools(lease.session.tools)
  }

  async function followRoots(): Promise<void> {
    await holder.renew(askRootsByRequest(server))
    const tools = JSON.stringify(await listTools(askRootsByRequest(server)))
    if (listed !== undefined && listed !== tools) await server.sendToolListChanged()
  }

  server.setRequestHandler('tools/list', async (_, { mcpReq }) => {
    try {
      const tools = await listTools(era === 'modern' ? putOffRoots(mcpReq) : askRootsByRequest(server))
      listed = JSON.stringify(tools)
      return { tools }
    } catch (error) {
      throw createRequestError(error, 'in listing the tools', onError)
    }
  })
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    era === 'modern' ? calls.serveRound(params, mcpReq, holder) : calls.serve(params, mcpReq, server, holder),
  )
  server.setNotificationHandler('notifications/roots/list_changed', followRoots)
  // Opened early, so that the first request need not wait for the client's roots.
  server.oninitialized = () => void listTools(askRootsByRequest(server)).catch(error => onError(messageOf(error)))
  server.onerror = error => onError(error.message)
  return server
}

function describeTools(tools: ToolSet): ToolDescription[] {
  return tools.specs().map(({ name, description, inputSchema }) => {
    const annotations = tools.get(name)?.annotations
    return {
      name,
      description,
      inputSchema: { ...inputSchema, type: 'object' as const },
      ...(annotations && { title: annotations.title, annotations: { ...annotations } }),
    }
  })
}
