import type { Command } from 'commander'

/** The words that may follow a path of commands, such as `session list`. */
interface CompletionNode {
  /** Names of the commands before, joined by blanks; empty at the top. */
  readonly path: string
  readonly commands: readonly { readonly name: string; readonly description: string }[]
  readonly options: readonly { readonly long: string; readonly description: string }[]
}

export type CompletionShell = 'bash' | 'zsh' | 'fish'

/** Builds the script from the program's own tree, so that it can't fall behind. Where no word fits, files are offered. */
export function buildCompletion(program: Command, shell: CompletionShell): string {
  const nodes = listNodes(program, [])
  switch (shell) {
    case 'bash':
      return bashScript(nodes)
    case 'zsh':
      return `#compdef deckhand\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(nodes)}`
    case 'fish':
      return fishScript(nodes)
  }
}

function listNodes(command: Command, path: readonly string[]): CompletionNode[] {
  const commands = command.commands.map(inner => ({ name: inner.name(), description: inner.description() }))
  const options = command.options.flatMap(({ long, description }) => (long ? [{ long, description }] : []))
  const own = { path: path.join(' '), commands, options: [...options, { long: '--help', description: 'print help' }] }
  return [own, ...command.commands.flatMap(inner => listNodes(inner, [...path, inner.name()]))]
}

function bashScript(nodes: readonly CompletionNode[]): string {
  const words = ({ commands, options }: CompletionNode) =>
    [...commands.map(({ name }) => name), ...options.map(({ long }) => long)].join(' ')
  const cases = nodes.map(node => `    '${node.path}') words='${words(node)}' ;;`).join('\n')
  return `_deckhand() {
  local words='' path='' word index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    case "$path:$word" in
${nodes
  .filter(({ path }) => path !== '')
  .map(({ path }) => {
    const parent = path.split(' ').slice(0, -1).join(' ')
    return `      '${parent}:${path.split(' ').at(-1)}') path='${path}' ;;`
  })
  .join('\n')}
    esac
  done
  case "$path" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _deckhand deckhand
`
}

function fishScript(nodes: readonly CompletionNode[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = nodes.flatMap(({ path, commands, options }) => {
    const seen = path === '' ? [] : path.split(' ')
    const others =
      commands.length > 0 ? `; and not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(' ')}` : ''
    const condition =
      seen.length === 0
        ? '__fish_use_subcommand'
        : `${seen.map(name => `__fish_seen_subcommand_from ${name}`).join('; and ')}${others}`
    return [
      ...commands.map(
        ({ name, description }) => `complete -c deckhand -n ${quote(condition)} -a ${name} -d ${quote(description)}`,
      ),
      ...options.map(
        ({ long, description }) =>
          `complete -c deckhand -n ${quote(condition)} -l ${long.slice(2)} -d ${quote(description)}`,
      ),
    ]
  })
  return `${lines.join('\n')}\n`
}
