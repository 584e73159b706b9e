import type { Command, Script, SyntaxNode, Word } from 'unbash'

/** Does the script print nothing but a number: `wc -l < file`, `date +%s`, `grep -c x file`? */
export function printsNumber(script: Script | undefined): boolean {
  const command = script?.commands.length === 1 ? lastCommand(script.commands[0]?.command) : undefined
  const words = command && wordsOf(command)
  if (!words) return false
  const [name = '', ...args] = words
  const operands = args.filter(arg => !arg.startsWith('-'))
  if (name === 'wc') return args.length > 0 && operands.length === 0
  if (name === 'nproc') return operands.length === 0
  if (name === 'date') return args.length === 1 && /^\+%[sYmdHMSjN]$/.test(args[0] ?? '')
  return (
    name === 'grep' &&
    /^-[a-zA-Z]*c[a-zA-Z]*$/.test(args[0] ?? '') &&
    !/[rR]/.test(args[0] ?? '') &&
    args.length <= 3 &&
    operands.length <= 2
  )
}

function lastCommand(node: SyntaxNode | undefined): Command | undefined {
  if (node?.type === 'Pipeline') return lastCommand(node.commands.at(-1))
  return node?.type === 'Command' && node.prefix.every(child => child.type !== 'Assignment') ? node : undefined
}

function wordsOf(command: Command): readonly string[] | undefined {
  const words = [command.name, ...command.args]
  return words.every(word => word?.type === 'Word' && isPlain(word))
    ? words.map(word => (word as Word).value)
    : undefined
}

function isPlain(word: Word): boolean {
  return word.parts?.every(part => part.type === 'SingleQuoted' || part.type === 'Literal') ?? true
}
