// How sh (dash, busybox, ksh) takes up and hands on its folder and its environment; other variables it keeps to itself.
import { parseDeclarations, quoteForShell, readValues } from './declarations.ts'
import { matchOwnVariables } from './own-variables.ts'
import type { ShellEnd } from './shell-end.ts'
import { createFreshState, type ShellState } from './shell-state.ts'

/** The script that is read before the command, on the same line, so that line numbers stay right. */
export function createShStart(state: ShellState, endPath: string): string {
  return [
    `__deckhand_save() { { printf '%s\\0%s\\0%s\\0' "$1" "$(umask)" "$PWD"; export -p; printf '\\0end'; } >| ${quoteForShell(endPath)} 2>/dev/null; }`,
    `trap '__deckhand_save "$?"' 0`,
    ...(state.umask === undefined ? [] : [`umask ${state.umask}`]),
  ].join('\n')
}

/** Reads what it wrote. Undefined when it is not whole. */
export function parseShEnd(text: string): ShellEnd | undefined {
  const sections = text.split('\0')
  if (sections.length !== 5 || sections[4] !== 'end') return undefined
  const [code = '', umask = '', cwd = '', exported = ''] = sections
  const environment = readValues(parseDeclarations(exported).filter(({ name }) => !shellsOwn.test(name)))
  const state = { ...createFreshState(cwd, environment), umask: umask.trim() }
  return { code: Number(code), state }
}

const shellsOwn = matchOwnVariables('PWD', 'SHLVL', '_', 'OPTIND', 'PPID')
