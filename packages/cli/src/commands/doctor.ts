import type { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'

/** Adds `deckhand doctor`. */
export function addDoctorCommand(program: Command, context: CliContext, setExitCode: (code: number) => void): void {
  program
    .command('doctor')
    .description('check Node, shell, ripgrep, git, sandbox, model and data folder')
    .option('-C, --dir <folder>', 'whose configuration counts (default: the current one)')
    .option('--json', 'as JSON')
    .action(async options => setExitCode(await (await import('../doctor/doctor.ts')).runDoctor(options, context)))
}
