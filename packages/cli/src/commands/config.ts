import type { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'

/** Adds `deckhand config show | check | schema`. */
export function addConfigCommand(program: Command, context: CliContext, setExitCode: (code: number) => void): void {
  const config = program.command('config').description('show and check the configuration')
  const load = () => import('../config/config-actions.ts')
  config
    .command('show')
    .description('the merged configuration, with the source of each value')
    .option('-C, --dir <folder>', 'whose configuration (default: the current one)')
    .option('--json', 'as JSON')
    .action(async options => (await load()).showConfig(options, context))
  config
    .command('check')
    .description('read all files and say what is wrong with them')
    .option('-C, --dir <folder>', 'whose configuration (default: the current one)')
    .action(async options => setExitCode(await (await load()).checkConfig(options, context)))
  config
    .command('schema')
    .description('the JSON Schema of deckhand.json, for editors')
    .action(async () => (await load()).printConfigSchema(context))
}
