import type { ShellKind, ShellState } from '@deckhand/process'

const stateWords =
  /(^|[^\w./-])(\.(?=\s)|cd|chdir|pushd|popd|dirs|export|source|alias|unalias|set|shopt|setopt|unsetopt|unset|declare|typeset|local|readonly|umask|read|mapfile|readarray|getopts|let|eval|exec|enable|hash|function|printf\s+-v)(?![\w-])/

const assignment = /\w(\[.*\])?\+?=|\(\(|\(\s*\)|\$\{[^}]*=/
const computedName = /(^|[;&|({!\n])\s*["']?[$`]/

/**
 * Might it change what later commands of its shell see? Judged by its words alone: false is sure, true is a guess.
 * A name that an earlier command defined can stand for anything, and other shells have other words.
 */
export function mayChangeShell(
  command: string,
  kind: ShellKind,
  { functionNames, aliasNames }: Pick<ShellState, 'functionNames' | 'aliasNames'>,
): boolean {
  if (!posixKinds.has(kind)) return true
  if (stateWords.test(command) || assignment.test(command) || computedName.test(command)) return true
  return [...functionNames, ...aliasNames].some(name => command.includes(name))
}

const posixKinds: ReadonlySet<ShellKind> = new Set(['bash', 'zsh', 'sh'])
