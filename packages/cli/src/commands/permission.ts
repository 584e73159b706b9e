import type { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'

/** Adds `deckhand permission test | list | revoke`. */
export function addPermissionCommand(program: Command, context: CliContext, setExitCode: (code: number) => void): void {
  const permission = program.command('permission').description('try, list and revoke what is allowed')
  const load = () => import('../permission/permission-actions.ts')
  permission
    .command('test')
    .description('what would be said to a command, and why; nothing is run')
    .argument('[command]', 'as one argument, in quotes')
    .option('--rules <file>', 'judge by these rules alone, and the built-in ones')
    .option('--shell <name>', 'bash or powershell', 'bash')
    .option('--workspace <dir>', 'the workspace; need not exist')
    .option('--cwd <dir>', 'where the command would start')
    .option('--home <dir>', 'what ~ stands for')
    .option('--mode <mode>', 'plan, ask, workspace or auto', 'ask')
    .option('--json', 'as JSON')
    .option('--jsonl', 'many cases from standard input, a JSON object a line')
    .action(async (command, options) =>
      setExitCode(await (await import('../permission/test-command.ts')).testCommand(command, options, context)),
    )
  permission
    .command('list')
    .description('the stored approvals, with scope, time and who gave them')
    .option('--json', 'as JSON')
    .action(async options => (await load()).listApprovals(options, context))
  permission
    .command('revoke')
    .description('take approvals back')
    .argument('<id...>')
    .action(async ids => (await load()).revokeApprovals(ids, context))
}
