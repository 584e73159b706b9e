// How bash takes up the state of the call before, and hands on its own: by a script that it reads before the command
// (BASH_ENV), so that the command itself stands in its arguments as it was given, with its own line numbers.
import { type Declaration, parseDeclarations, quoteForShell, readValues } from './declarations.ts'
import { matchOwnVariables } from './own-variables.ts'
import type { ShellEnd } from './shell-end.ts'
import type { ShellState } from './shell-state.ts'

/**
 * The state is written by a trap on EXIT, which is the shell's own way out: after `exit 3`, after `set -e`, after a last
 * command that failed. `trap` itself is a function, so that a trap of the command's own on EXIT runs after ours in
 * place of ours. A subshell has neither.
 */
const hooks = `
__deckhand_hook='{ __deckhand_save "$?" "\${PIPESTATUS[@]}"; } 2>/dev/null'
__deckhand_save() {
  {
    builtin printf '%s ' "$@"
    builtin printf '\\0'
    builtin set +o
    builtin set +eu
    builtin printf '\\0'
    builtin shopt -p
    builtin printf '\\0'
    builtin umask
    builtin printf '\\0%s\\0' "$PWD"
    builtin alias -p
    builtin printf '\\0'
    builtin unset -f trap __deckhand_save
    builtin declare -F
    builtin printf '\\0'
    builtin declare -f
    builtin printf '\\0'
    builtin declare -p
    builtin printf '\\0'
    builtin dirs -l -p
    builtin printf '\\0end'
  } >| "$__deckhand_end"
  return "$1"
}
trap() {
  { builtin local - && builtin set +x; } 2>/dev/null
  case "\${1--p}" in
    -p | -P | -l)
      builtin set -- "$(builtin trap "$@")"
      builtin set -- "\${1//"$__deckhand_hook"$'\\n'/}"
      builtin set -- "\${1//"trap -- '$__deckhand_hook' EXIT"/}"
      [[ -z $1 ]] || builtin printf '%s\\n' "$1"
      return
      ;;
  esac
  builtin trap "$@" || return
  [[ $BASH_SUBSHELL == 0 ]] || return 0
  builtin set -- "$(builtin trap -p EXIT)"
  [[ $1 != "trap -- '$__deckhand_hook"* ]] || return 0
  builtin eval "builtin set -- $1"
  builtin trap -- "$__deckhand_hook\${3:+$'\\n'$3}" EXIT
}
builtin trap -- "$__deckhand_hook" EXIT
`.trim()

// Where the shell becomes another program there is no way out: then the state is as it was just before.
const beforeExec = `builtin trap -- '[[ $BASH_COMMAND != exec\\ * ]] || ( __deckhand_save "?" ) 2>/dev/null' DEBUG`

/** The script that bash is to read first. `endPath`: where it writes what it hands on. */
export function createBashStart(state: ShellState, command: string, endPath: string): string {
  return [
    'unset BASH_ENV',
    `__deckhand_end=${quoteForShell(endPath)}`,
    hooks,
    state.declarations,
    state.functions,
    ...state.exportedFunctions.map(name => `builtin export -f ${name}`),
    state.aliases,
    ...(state.aliases === '' ? [] : ['builtin shopt -s expand_aliases']),
    ...(state.umask === undefined ? [] : [`builtin umask ${state.umask}`]),
    ...state.directories.toReversed().map(folder => `builtin pushd -n -- ${quoteForShell(folder)} >/dev/null 2>&1`),
    ...(/\bexec\b/.test(command) ? [beforeExec] : []),
    // Last, as errexit and xtrace would bear on what stands above.
    state.options,
  ]
    .filter(line => line !== '')
    .join('\n')
}

/** Reads what it wrote. Undefined when it is not whole: the shell was killed while it wrote, or the disk was full. */
export function parseBashEnd(text: string): ShellEnd | undefined {
  const sections = text.split('\0')
  if (sections.length !== 11 || sections[10] !== 'end') return undefined
  const [status = '', set = '', shopt = '', umask = '', cwd = '', aliases = ''] = sections
  const [names = '', functions = '', declared = '', directories = ''] = sections.slice(6)
  const all = parseDeclarations(declared).filter(isUsers)
  const exported = all.filter(({ attributes }) => isPlainExport(attributes))
  const others = all.filter(({ attributes }) => !isPlainExport(attributes))
  const functionNames = [...names.matchAll(/^declare -(\S+) (.+)$/gm)]
  const [code, ...pipe] = status.trim().split(' ')
  return {
    ...(code !== '?' && { code: Number(code), pipe: pipe.map(Number) }),
    state: {
      cwd,
      environment: readValues(exported),
      variables: readValues(others),
      declarations: others.map(line => line.text).join('\n'),
      functions: functions.trim(),
      functionNames: functionNames.map(([, , name = '']) => name),
      exportedFunctions: functionNames.filter(([, flags]) => flags?.includes('x')).map(([, , name = '']) => name),
      aliases: aliases.trim(),
      aliasNames: [...aliases.matchAll(/^alias (?:-- )?([^=\n]+)=/gm)].map(([, name = '']) => name),
      options: [...otherThan(shopt, shoptOn), ...otherThan(set, setOn)].join('\n'),
      setOptions: [...set.matchAll(/^set -o (\S+)$/gm)].map(([, name = '']) => name).filter(name => !setOn.has(name)),
      umask: umask.trim(),
      directories: directories
        .split('\n')
        .slice(1)
        .filter(folder => folder !== ''),
    },
  }
}

const isPlainExport = (attributes: string) => attributes === 'x'

// What bash sets itself in each shell, and what is ours.
const shellsOwn = matchOwnVariables(
  String.raw`BASH\w*|COMP_\w+|COPROC|DIRSTACK|EPOCH\w+|EUID|FUNCNAME|GROUPS|HISTCMD|HOSTNAME|HOSTTYPE|LINENO|MACHTYPE`,
  'MAILCHECK|OPTERR|OPTIND|OSTYPE|PIPESTATUS|PPID|PWD|RANDOM|SECONDS|SHELLOPTS|SHLVL|SRANDOM|UID|_',
  String.raw`__deckhand_\w+`,
)

function isUsers({ name, text }: Declaration): boolean {
  if (shellsOwn.test(name)) return false
  return (
    text !== String.raw`declare -- IFS=$' \t\n'` && text !== 'declare -- IFS=" \t\n"' && text !== 'declare -- PS4="+ "'
  )
}

// On in each new bash that is not interactive.
const setOn: ReadonlySet<string> = new Set(['braceexpand', 'hashall', 'interactive-comments'])
const shoptOn: ReadonlySet<string> = new Set(
  [
    'checkwinsize cmdhist complete_fullquote extquote force_fignore globasciiranges globskipdots hostcomplete',
    'interactive_comments patsub_replacement progcomp promptvars sourcepath',
  ]
    .join(' ')
    .split(' '),
)
// With these a shell runs nothing, runs one command, reads words in another way, or is none of ours.
const notHandedOn: ReadonlySet<string> = new Set(
  'noexec onecmd keyword privileged restricted history monitor login_shell restricted_shell expand_aliases'.split(' '),
)

function otherThan(lines: string, on: ReadonlySet<string>): readonly string[] {
  return lines.split('\n').filter(line => {
    const [, sign = '', name = ''] = /^(set [-+]o|shopt -[su]) (\S+)$/.exec(line) ?? []
    const isOn = sign === 'set -o' || sign === 'shopt -s'
    return name !== '' && !notHandedOn.has(name) && isOn !== on.has(name)
  })
}
