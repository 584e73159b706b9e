// How zsh takes up and hands on its state: by a `.zshenv` in a folder of ours, which it reads before the command.
import { parseDeclarations, quoteForShell, readValues } from './declarations.ts'
import { parseEnvironment } from './environment-lines.ts'
import { matchOwnVariables } from './own-variables.ts'
import type { ShellEnd } from './shell-end.ts'
import type { ShellState } from './shell-state.ts'

// The trap keeps zsh from becoming its last command (exec), and is there after `set -e`; the function in zshexit_functions
// is there when the command has set a trap of its own on EXIT. The first of them counts.
const hooks = `
typeset -a __deckhand_codes
__deckhand_save() {
  __deckhand_codes=("$?" $pipestatus)
  [[ -z "\${__deckhand_saved-}" ]] || return 0
  __deckhand_saved=1
  {
    print -rn -- "\${__deckhand_codes[*]}"
    print -n '\\0'
    setopt
    emulate -L zsh
    print -n '\\0'
    umask
    print -rn -- $'\\0'"$PWD"$'\\0'
    alias -L
    print -n '\\0'
    unfunction __deckhand_save
    print -rl -- \${(k)functions}
    print -n '\\0'
    functions
    print -n '\\0'
    local __deckhand_name
    for __deckhand_name in \${(k)parameters}; do
      case "\${parameters[$__deckhand_name]}" in
        (*export*) ;;
        (*special*|*hide*|*local*) ;;
        (*) typeset -p -- "$__deckhand_name" ;;
      esac
    done
    print -n '\\0'
    print -rl -- $dirstack
    for __deckhand_name in \${(k)parameters[(R)*export*]}; do
      print -rn -- $'\\0'"$__deckhand_name=\${(P)__deckhand_name}"
    done
    print -n '\\0end'
  } >| "$__deckhand_end" 2>/dev/null
  return 0
}
zshexit_functions+=(__deckhand_save)
trap __deckhand_save EXIT
`.trim()

// A DEBUG trap runs before each command, here with its text.
const beforeExec = `trap '[[ $ZSH_DEBUG_CMD != exec\\ * ]] || ( __deckhand_save )' DEBUG`

/** The `.zshenv` that zsh is to read. */
export function createZshStart(state: ShellState, command: string, endPath: string): string {
  return [
    'unset ZDOTDIR',
    `__deckhand_end=${quoteForShell(endPath)}`,
    hooks,
    state.declarations,
    state.functions,
    state.aliases,
    ...(state.umask === undefined ? [] : [`umask ${state.umask}`]),
    ...(state.directories.length === 0 ? [] : [`dirstack=(${state.directories.map(quoteForShell).join(' ')})`]),
    ...(/\bexec\b/.test(command) ? [beforeExec] : []),
    state.options,
  ]
    .filter(line => line !== '')
    .join('\n')
}

/** Reads what it wrote. Undefined when it is not whole. */
export function parseZshEnd(text: string): ShellEnd | undefined {
  const sections = text.split('\0')
  if (sections.length < 10 || sections.at(-1) !== 'end') return undefined
  const [status = '', options = '', umask = '', cwd = '', aliases = ''] = sections
  const [names = '', functions = '', declared = '', directories = ''] = sections.slice(5)
  const variables = parseDeclarations(declared).filter(({ name }) => !shellsOwn.test(name))
  const [code, ...pipe] = status.trim().split(' ')
  const changed = options.split('\n').filter(option => option !== '' && !notHandedOn.has(option))
  const aliasLines = aliases.split('\n').filter(line => !/^alias (run-help|which-command)=/.test(line))
  return {
    code: Number(code),
    pipe: pipe.map(Number),
    state: {
      cwd,
      environment: parseEnvironment(sections.slice(9, -1), shellsOwn),
      variables: readValues(variables),
      declarations: variables.map(line => line.text).join('\n'),
      functions: functions.trim(),
      functionNames: names.split('\n').filter(name => name !== ''),
      exportedFunctions: [],
      aliases: aliasLines.join('\n').trim(),
      aliasNames: aliasLines.flatMap(line => /^alias (?:-\w )?(?:-- )?'?([^='\n]+)'?=/.exec(line)?.[1] ?? []),
      options: changed.length === 0 ? '' : `setopt ${changed.join(' ')}`,
      setOptions: changed,
      umask: umask.trim(),
      directories: directories.split('\n').filter(folder => folder !== ''),
    },
  }
}

const shellsOwn = matchOwnVariables(
  'PWD|SHLVL|_|ZDOTDIR|LINENO|RANDOM|SECONDS',
  'zshexit_functions|zsh_eval_context|parameters|functions|options',
  String.raw`__deckhand_\w+`,
)
const notHandedOn: ReadonlySet<string> = new Set(['nohashdirs', 'noexec', 'singlecommand', 'privileged', 'restricted'])
