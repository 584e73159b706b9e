// How fish takes up and hands on its folder and its environment.
import { parseEnvironment } from './environment-lines.ts'
import { matchOwnVariables } from './own-variables.ts'
import type { ShellEnd } from './shell-end.ts'
import { createFreshState, type ShellState } from './shell-state.ts'

/** The script that fish is to read before the command. */
export function createFishStart(state: ShellState, endPath: string): string {
  return [
    'function __deckhand_save --on-event fish_exit',
    '  set --local codes $status $pipestatus',
    `  begin; printf '%s\\0%s\\0%s\\0' "$codes" (umask) $PWD; command env -0; printf 'end'; end > ${quoteForFish(endPath)} 2>/dev/null`,
    'end',
    ...(state.umask === undefined ? [] : [`umask ${state.umask}`]),
  ].join('\n')
}

/** A value for fish, in single quotes. */
export function quoteForFish(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** Reads what it wrote. Undefined when it is not whole. */
export function parseFishEnd(text: string): ShellEnd | undefined {
  const sections = text.split('\0')
  if (sections.length < 4 || sections.at(-1) !== 'end') return undefined
  const [codes = '', umask = '', cwd = '', ...lines] = sections.slice(0, -1)
  const [code, ...pipe] = codes.split(' ').map(Number)
  const state = { ...createFreshState(cwd, parseEnvironment(lines, shellsOwn)), umask: umask.trim() }
  return { ...(code !== undefined && { code }), pipe, state }
}

const shellsOwn = matchOwnVariables('PWD', 'SHLVL', '_')
