import { basename } from 'node:path'

/** A shell that commands can be run by. Each has its own way to start, to keep its state, and to be parsed. */
export type ShellKind = 'bash' | 'zsh' | 'sh' | 'fish' | 'powershell' | 'cmd'

/** A shell of this machine. */
export interface Shell {
  readonly kind: ShellKind
  /** The program, as a path or a name on PATH. */
  readonly program: string
}

const kinds: Readonly<Record<string, ShellKind>> = {
  bash: 'bash',
  zsh: 'zsh',
  sh: 'sh',
  dash: 'sh',
  ash: 'sh',
  ksh: 'sh',
  mksh: 'sh',
  busybox: 'sh',
  fish: 'fish',
  pwsh: 'powershell',
  powershell: 'powershell',
  cmd: 'cmd',
}

/** Which kind of shell a program is, by its name; undefined for one that Deckhand can't speak to (nu, elvish, csh). */
export function findShellKind(program: string): ShellKind | undefined {
  const name = basename(program.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.exe$/, '')
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined
}
