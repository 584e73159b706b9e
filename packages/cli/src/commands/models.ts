import type { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'

/** Adds `deckhand models`. */
export function addModelsCommand(program: Command, context: CliContext): void {
  program
    .command('models')
    .description('the models that are configured or were found, and from where')
    .option('-C, --dir <folder>', 'whose configuration counts (default: the current one)')
    .option('--json', 'as JSON')
    .action(async options => (await import('../models/list-models.ts')).listAvailableModels(options, context))
}
