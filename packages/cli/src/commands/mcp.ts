import { permissionModes } from '@deckhand/core'
import { type Command, Option } from 'commander'
import type { CliContext } from '../cli-context.ts'
import type { McpOptions } from '../mcp/mcp-options.ts'

/** Adds `deckhand mcp`. */
export function addMcpCommand(program: Command, context: CliContext): void {
  program
    .command('mcp')
    .description('the tools for another agent, as an MCP server over stdio')
    .option('-C, --dir <folder>', "the folder to work in (default: the client's roots,\nelse the current folder)")
    .option('--auto', 'run everything that no rule denies, without asking (--mode auto)')
    .addOption(new Option('--mode <mode>', 'what is decided without a person').choices([...permissionModes]))
    .addHelpText('after', setup)
    .action(async (options: McpOptions) => (await import('../mcp/serve-tools.ts')).serveTools(options, context))
}

const setup = `
It is started by the other agent; put this into its configuration:
  { "mcpServers": {
      "deckhand": { "command": "npx", "args": ["deckhand", "mcp"] } } }
What needs permission is put to you by the client where it has forms
(elicitation); where it has none, the answer is no, with how to allow it.
`
