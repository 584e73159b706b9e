import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type PermissionMode, UsageError } from '@deckhand/core'
import type { CliContext } from '../cli-context.ts'
import { readStdinPrompt } from '../stdin-prompt.ts'
import type { RunOptions } from './run-options.ts'

/** What a person asked for, checked as far as the command line alone tells. */
export interface RunRequest {
  readonly prompt: string
  readonly notices: readonly string[]
}

/**
 * Puts the prompt together: the arguments, then what was piped. Throws UsageError when there is none; rejects with the
 * signal's reason when that comes first.
 */
export async function readRequest(
  words: readonly string[],
  options: RunOptions,
  { stdin }: CliContext,
  signal: AbortSignal,
): Promise<RunRequest> {
  checkOptions(options)
  const typed = words.join(' ')
  const hasPrompt = typed.trim() !== '' || (options.file ?? []).length > 0
  const piped = await readStdinPrompt({ stdin, hasPrompt, signal })
  const prompt = [typed, piped.text.trimEnd()].filter(text => text.trim() !== '').join('\n\n')
  if (prompt === '' && (options.file ?? []).length === 0) {
    throw new UsageError('There is no prompt. Say what to do: deckhand run "fix the failing test", or pipe it in.')
  }
  return { prompt, notices: piped.notice ? [piped.notice] : [] }
}

function checkOptions(options: RunOptions): void {
  if (options.auto && options.mode !== undefined && options.mode !== 'auto') {
    throw new UsageError(`--auto and --mode ${options.mode} say two different things. Give one of them.`)
  }
  if (options.session !== undefined && options.continue)
    throw new UsageError('--session and --continue both name a session. Give one of them.')
  if (options.fork && options.session === undefined && !options.continue) {
    throw new UsageError('--fork copies a session: name it with --session ID, or take the last one with --continue.')
  }
  if (options.quiet && options.verbose)
    throw new UsageError('--quiet and --verbose say two different things. Give one of them.')
}

/** The mode that was asked for on the command line. */
export function resolveModeOption(options: RunOptions): PermissionMode | undefined {
  return options.auto ? 'auto' : (options.mode as PermissionMode | undefined)
}

/** Real path of a folder. Throws UsageError when there is none, or it is a file. */
export function resolveFolder(folder: string, cwd: string): string {
  const path = resolve(cwd, folder)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) throw new UsageError(`There is no folder ${path}. Make it first, or name another with --dir.`)
  if (!stat.isDirectory()) throw new UsageError(`${path} is a file; --dir takes a folder.`)
  return realpathSync(path)
}
