import { Argument, type Command } from 'commander'
import type { CliContext } from '../cli-context.ts'

/** Adds `deckhand completion <shell>`. */
export function addCompletionCommand(program: Command, context: CliContext): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      '\nFor bash:\n  deckhand completion bash > ~/.local/share/bash-completion/completions/deckhand\n',
    )
    .action(async shell => {
      const { buildCompletion } = await import('../completion/build-completion.ts')
      context.stdout.write(buildCompletion(program, shell))
    })
}
