// The command line: says which commands there are. Each command's work is loaded only when it is called.
import { homedir } from 'node:os'
import { DeckhandError, messageOf, UsageError } from '@deckhand/core'
import { Command, CommanderError } from 'commander'
import { type CliContext, createCliContext, version } from './cli-context.ts'
import { addCompletionCommand } from './commands/completion.ts'
import { addConfigCommand } from './commands/config.ts'
import { addDemoCommand } from './commands/demo.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addMcpCommand } from './commands/mcp.ts'
import { addModelsCommand } from './commands/models.ts'
import { addPermissionCommand } from './commands/permission.ts'
import { addRunCommand } from './commands/run.ts'
import { addSessionCommand } from './commands/session.ts'
import { createJsonLines } from './json-lines/json-lines.ts'
import { exitCodes, resolveErrorCode } from './terminal/exit-codes.ts'
import { neutralise } from './terminal/neutralise.ts'

/**
 * Runs the program with the arguments after its name and gives its exit code (docs/run.md).
 * Never throws; what went wrong is on stderr.
 */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const context = createCliContext(homedir())
    guardPipes(context)
    let exitCode = 0
    const program = createProgram(context, code => {
      exitCode = code
    })
    if (argv.length === 0) {
      context.stdout.write(program.helpInformation())
      return 0
    }
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    return reportError(error, argv)
  }
}

/** The tree of commands; `setExitCode` is called by the one that runs. */
export function createProgram(context: CliContext, setExitCode: (code: number) => void): Command {
  const program = new Command('deckhand')
    .description('An open coding agent with careful hands.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ helpWidth: Math.min(context.stdout.columns || 80, 80), showGlobalOptions: false })
    .exitOverride()
    .showHelpAfterError(false)
    .showSuggestionAfterError(true)
    // Told by `reportError`, as every other error is.
    .configureOutput({ outputError() {} })
    .addHelpText('after', examples)
  const add = [
    addRunCommand,
    addDemoCommand,
    addMcpCommand,
    addSessionCommand,
    addModelsCommand,
    addConfigCommand,
    addPermissionCommand,
    addDoctorCommand,
    addCompletionCommand,
  ]
  for (const addCommand of add) addCommand(program, context, setExitCode)
  return program
}

const examples = `
Examples:
  deckhand demo                              see it work, without key or network
  deckhand run "fix the failing test"        one turn in this folder
  git diff | deckhand run "review this"      a prompt and piped input
  deckhand run --continue "and the docs?"    go on with the last session
  deckhand doctor                            check what is missing
`

// A reader that goes away (`| head`) ends us quietly; everything else about a stream is a bug to be seen.
function guardPipes({ stdout, stderr }: CliContext): void {
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') stream.destroy()
      else throw error
    })
  }
}

function reportError(error: unknown, argv: readonly string[]): number {
  if (isHelp(error)) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  const known = error instanceof CommanderError ? describeWrongUse(error, argv) : error
  // It may quote a file, a server or an argument.
  process.stderr.write(`deckhand: ${neutralise(describeError(known))}\n`)
  // Whoever reads lines waits for a last one.
  if (known instanceof UsageError && wantsJsonLines(argv)) {
    const lines = createJsonLines(line => void process.stdout.write(line), Date.now)
    lines.fail({ name: known.name, data: { code: known.code, message: known.message } })
  }
  return resolveErrorCode(known)
}

// Help and version have been printed when this is thrown.
function isHelp(error: unknown): error is CommanderError {
  return error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')
}

function describeWrongUse({ code, message }: CommanderError, argv: readonly string[]): UsageError {
  const isPrompt = code === 'commander.unknownOption' && argv[0] === 'run'
  const advice = isPrompt ? '\nA prompt that begins with - goes after --: deckhand run -- "-1 is odd?"' : ''
  return new UsageError(message.replace(/^error: /, '') + advice)
}

/** Was `run --format json` asked for, however wrong the rest of the command line is? */
function wantsJsonLines(argv: readonly string[]): boolean {
  const dashes = argv.indexOf('--')
  const options = dashes < 0 ? argv : argv.slice(0, dashes)
  return options.some(
    (option, index) => option === '--format=json' || (option === '--format' && options[index + 1] === 'json'),
  )
}

function describeError(error: unknown): string {
  if (error instanceof DeckhandError) return error.message
  const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
  return `a bug of Deckhand: ${stack}\nPlease report it with the command that you ran.`
}
