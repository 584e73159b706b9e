import { type Command, InvalidArgumentError, Option } from 'commander'
import type { CliContext } from '../cli-context.ts'

/** Adds `deckhand permission test | list | allow | deny | revoke | trust | untrust | log`. */
export function addPermissionCommand(program: Command, context: CliContext, setExitCode: (code: number) => void): void {
  const permission = program.command('permission').description('what is allowed: try it, list it, change it, look back')
  permission
    .command('test')
    .description('what would be said to a command, and why; nothing is run')
    .argument('[command]', 'as one argument, in quotes')
    .option('--rules <file>', 'judge by these rules alone, and the built-in ones')
    .option('--shell <name>', 'bash, powershell or cmd', 'bash')
    .option('--workspace <dir>', 'the workspace; need not exist')
    .option('--cwd <dir>', 'where the command would start')
    .option('--home <dir>', 'what ~ stands for')
    .option('--mode <mode>', 'plan, ask, workspace or auto', 'ask')
    .option('--agent <name>', 'by the rules of this agent too')
    .option('--link <path=target>', 'a symlink that is not on this machine; may be given several times', collect)
    .option('--json', 'as JSON')
    .option('--jsonl', 'many cases from standard input, a JSON object a line')
    .action(async (command, options) =>
      setExitCode(await (await import('../permission/test-command.ts')).testCommand(command, options, context)),
    )
  permission
    .command('list')
    .description('the rules that hold, in order, and what is stored')
    .option('-C, --dir <folder>', 'whose rules (default: the current one)')
    .option('--agent <name>', 'as they are for this agent')
    .option('--json', 'as JSON')
    .action(async options => (await import('../permission/list-rules.ts')).listRules(options, context))
  const change = () => import('../permission/change-approvals.ts')
  for (const action of ['allow', 'deny'] as const)
    permission
      .command(action)
      .description(`store a rule that ${action === 'allow' ? 'allows' : 'denies'} something`)
      .argument('<permission>', 'what for: shell, edit, read, external_directory, …')
      .argument('<pattern>', 'of what: "npm test *", "src/*"; * is any text')
      .addOption(new Option('--scope <scope>', 'where it holds').choices(scopes).default('project'))
      .option('--session <id>', 'with --scope session: which')
      .option('-C, --dir <folder>', 'with --scope project: which (default: the current one)')
      .action(async (name, pattern, options) => (await change()).storeRule(action, [name, pattern], options, context))
  permission
    .command('revoke')
    .description('take stored rules back')
    .argument('<id...>')
    .action(async ids => (await change()).revokeApprovals(ids, context))
  const trust = () => import('../permission/trust-actions.ts')
  permission
    .command('trust')
    .description("let count what a project's own files allow, after a look at it")
    .argument('[folder]', 'which project (default: the current one)')
    .option('--yes', 'without a question, for scripts')
    .action(async (folder, options) => (await trust()).trustProject(folder, options, context))
  permission
    .command('untrust')
    .description('take that back')
    .argument('[folder]', 'which project (default: the current one)')
    .action(async folder => (await trust()).untrustProject(folder, context))
  permission
    .command('log')
    .description('what was decided so far, why, and by whom')
    .option('--session <id>', 'of this session alone')
    .option('--limit <n>', 'the newest so many', parseCount, 20)
    .option('--json', 'as JSON')
    .action(async options => (await import('../permission/verdict-log.ts')).showLog(options, context))
}

const scopes = ['session', 'project', 'user']

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

function parseCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1) return count
  throw new InvalidArgumentError('It must be a whole number from 1.')
}
