import { permissionModes } from '@deckhand/core'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { CliContext } from '../cli-context.ts'
import type { RunOptions } from '../run/run-options.ts'

/** Adds `deckhand run [prompt…]`. */
export function addRunCommand(program: Command, context: CliContext, setExitCode: (code: number) => void): void {
  program
    .command('run')
    .description('let the model work in a folder until its task is done')
    .argument('[prompt...]', 'what to do; put -- before one that begins with -')
    .option('-C, --dir <folder>', 'the folder to work in (default: the current one)')
    .option('-f, --file <file>', 'attach a file; may be given several times', collect)
    .addOption(new Option('--format <format>', 'how events are printed').choices(['text', 'json']).default('text'))
    .option('--auto', 'run everything that no rule denies, without asking (--mode auto)')
    .addOption(new Option('--mode <mode>', 'what is decided without a person').choices([...permissionModes]))
    .option('-m, --model <provider/model>', 'the model, script/FILE or replay/FILE')
    .option('--agent <name>', 'an agent of the configuration')
    .option('-s, --session <id>', 'go on with this session')
    .option('-c, --continue', 'go on with the last session of this folder')
    .option('--fork', 'with --session or --continue: go on in a copy of it')
    .option('--title <text>', 'title of a new session')
    .option('--max-steps <n>', 'end after so many requests to the model', parseCount)
    .option('--timeout <seconds>', 'end the turn after so long', parseSeconds)
    .option('--record <file>', "write the provider's traffic to a cassette, without secrets")
    .option('--keep-jobs', 'leave jobs running when the run ends')
    .option('-q, --quiet', 'print only the answer')
    .option('--verbose', "print the model's thoughts too")
    .addHelpText('after', exitCodes)
    .action(async (prompt: string[], options: RunOptions) => {
      const { run } = await import('../run/run.ts')
      setExitCode(await run(prompt, options, context))
    })
}

const exitCodes = `
Exit codes: 0 done; 1 failed; 2 wrong usage or configuration; 3 a question could
not be answered; 4 time or step limit; 130 interrupted.
`

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

function parseCount(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 10000.')
  return count
}

function parseSeconds(text: string): number {
  const seconds = Number(text)
  // A timer of Node's holds no more than 2^31 ms.
  if (!(seconds > 0 && seconds <= 2_000_000))
    throw new InvalidArgumentError('It must be a number of seconds from 0.001 to 2000000.')
  return seconds
}
