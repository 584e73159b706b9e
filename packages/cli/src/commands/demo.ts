import type { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'

/** Adds `deckhand demo`. */
export function addDemoCommand(program: Command, context: CliContext, setExitCode: (code: number) => void): void {
  program
    .command('demo')
    .description('watch a scripted model mend a failing test: no key, no network')
    .option('-C, --dir <folder>', 'a new folder for the project (default: a temporary one)')
    .action(async options => setExitCode(await (await import('../demo/demo.ts')).runDemo(options, context)))
}
