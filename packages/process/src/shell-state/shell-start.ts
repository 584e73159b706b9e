// From a command and a state to what is to be started, for each shell.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBashStart, parseBashEnd } from './bash.ts'
import { quoteForShell } from './declarations.ts'
import { createFishStart, parseFishEnd, quoteForFish } from './fish.ts'
import { createPowershellScript, encodePowershellArguments, parsePowershellEnd } from './powershell.ts'
import { createShStart, parseShEnd } from './sh.ts'
import type { ShellEnd } from './shell-end.ts'
import type { Shell, ShellKind } from './shell-kind.ts'
import type { ShellState } from './shell-state.ts'
import { createZshStart, parseZshEnd } from './zsh.ts'

/** What to start for a command. */
export interface ShellStart {
  readonly argv: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  /** On Windows the arguments are handed over as they are, without quoting. */
  readonly isVerbatim?: boolean
}

const endName = 'end'

/** Writes what the shell is to read into a folder of its own, and says what to start. */
export function createShellStart(
  { kind, program }: Shell,
  command: string,
  state: ShellState,
  folder: string,
): ShellStart {
  const { environment } = state
  const endPath = join(folder, endName)
  const write = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  switch (kind) {
    case 'bash': {
      const path = write('start.sh', createBashStart(state, command, endPath))
      // --norc: a bash that takes itself for started by ssh would read ~/.bashrc even with -c.
      return {
        argv: [program, '--noprofile', '--norc', '-c', command],
        environment: { ...environment, BASH_ENV: path },
      }
    }
    case 'zsh':
      write('.zshenv', createZshStart(state, command, endPath))
      return { argv: [program, '-c', command], environment: { ...environment, ZDOTDIR: folder } }
    case 'sh': {
      const path = write('start.sh', createShStart(state, endPath))
      return { argv: [program, '-c', `. ${quoteForShell(path)}; ${command}`], environment }
    }
    case 'fish': {
      const path = write('start.fish', createFishStart(state, endPath))
      return { argv: [program, '--no-config', '-C', `source ${quoteForFish(path)}`, '-c', command], environment }
    }
    case 'powershell': {
      const path = write('command.ps1', command)
      return { argv: [program, ...encodePowershellArguments(createPowershellScript(path, endPath))], environment }
    }
    case 'cmd':
      return { argv: [program, '/d', '/s', '/c', `"${command}"`], environment, isVerbatim: true }
  }
}

const parsers: Readonly<Record<ShellKind, ((text: string) => ShellEnd | undefined) | undefined>> = {
  bash: parseBashEnd,
  zsh: parseZshEnd,
  sh: parseShEnd,
  fish: parseFishEnd,
  powershell: parsePowershellEnd,
  cmd: undefined,
}

/** Reads what the shell wrote on its way out; `readEnd` gives the text of its file, or undefined. */
export function parseShellEnd(
  kind: ShellKind,
  folder: string,
  readEnd: (path: string) => string | undefined,
): ShellEnd | undefined {
  const text = readEnd(join(folder, endName))
  return text === undefined ? undefined : parsers[kind]?.(text)
}
