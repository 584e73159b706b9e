import type { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'

/** Adds `deckhand permission list | revoke`. */
export function addPermissionCommand(program: Command, context: CliContext): void {
  const permission = program.command('permission').description('list and revoke what was approved with "always"')
  const load = () => import('../permission/permission-actions.ts')
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
