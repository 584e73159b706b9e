import { type Command, InvalidArgumentError } from 'commander'
import type { CliContext } from '../cli-context.ts'

/** Adds `deckhand session list | show | export | import | delete`. */
export function addSessionCommand(program: Command, context: CliContext): void {
  const session = program.command('session').description('list, show, move and delete sessions')
  const load = () => import('../session/session-actions.ts')
  session
    .command('list')
    .description('all sessions, the last changed first')
    .option('--json', 'as JSON')
    .option('-C, --dir <folder>', 'only those of this folder')
    .option('-n, --limit <n>', 'at most so many', parseLimit)
    .action(async options => (await load()).listSessions(options, context))
  session
    .command('show')
    .description('a session as text: messages, tool calls, how each turn ended')
    .argument('<id>')
    .option('--json', 'its messages and parts as JSON')
    .action(async (id, options) => (await load()).showSession(id, options, context))
  session
    .command('export')
    .description('a session as one JSON document, for another machine')
    .argument('<id>')
    .option('-o, --output <file>', 'into a file (default: standard output)')
    .action(async (id, options) => (await load()).exportSession(id, options, context))
  session
    .command('import')
    .description('take in what `session export` wrote')
    .argument('<file>', 'a file, or - for standard input')
    .action(async file => (await load()).importSession(file, context))
  session
    .command('delete')
    .description('delete sessions for good')
    .argument('<id...>')
    .action(async ids => (await load()).deleteSessions(ids, context))
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1) throw new InvalidArgumentError('It must be a whole number above 0.')
  return limit
}
