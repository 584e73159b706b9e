import type { CommandNode, ParsedScript, PipelineNode, Statement } from 'unbash'

/** A command that can have given the exit code of the whole: its words after quote removal, or a bare test. */
export type Decider = { readonly kind: 'words'; readonly words: readonly string[] } | { readonly kind: 'test' }

/** What the text of a command says about its end. */
export interface CommandShape {
  /** The commands one of which gave a code that is not 0. Empty: that can't be told. */
  readonly deciders: readonly Decider[]
  /** The commands of the pipe that ran last, when the text ends with one. */
  readonly lastPipe: readonly (Decider | undefined)[] | undefined
}

const unknownShape: CommandShape = { deciders: [], lastPipe: undefined }
const maxParsedChars = 128 * 1024

/** Reads a command's shape from its real parse. What can't be parsed, or is too long, gives no answer. */
export async function parseShape(command: string): Promise<CommandShape> {
  if (command.length > maxParsedChars) return unknownShape
  // Loaded only when a command fails.
  const { parse } = await import('unbash')
  const script = parse(command)
  if (script.errors?.length) return unknownShape
  return { deciders: findDeciders(script), lastPipe: stagesOfLast(script) }
}

// ---- which command gave the code --------------------------------------------------------------------------------

type Deciders = readonly Decider[] | undefined

// These let an earlier command end the script, hide what a name means, or change whose code a pipeline has.
const unsureWords = new Set([
  'set',
  'shopt',
  'trap',
  'exit',
  'exec',
  'return',
  'eval',
  'source',
  '.',
  'alias',
  'enable',
])

function findDeciders(script: ParsedScript): readonly Decider[] {
  const last = script.commands.at(-1)
  if (!last || script.commands.some(isUnsure)) return []
  return decidersOfStatement(last) ?? []
}

function isUnsure({ command }: Statement): boolean {
  return simpleCommandsOf(command).some(node => node === undefined || unsureWords.has(node.name?.value ?? ''))
}

// The simple commands at top level; undefined for anything with an inside.
function simpleCommandsOf(
  node: Statement['command'],
): readonly (Extract<CommandNode, { type: 'Command' }> | undefined)[] {
  switch (node.type) {
    case 'AndOr':
    case 'Pipeline':
      return node.commands.flatMap(simpleCommandsOf)
    case 'Command':
      return [node]
    case 'TestCommand':
    case 'ArithmeticCommand':
      return []
    default:
      return [undefined]
  }
}

function decidersOfStatement({ command, background }: Statement): Deciders {
  if (background) return undefined
  return command.type === 'AndOr' ? decidersOfList(command.commands, command.operators) : decidersOfPipeline(command)
}

// After `a && b`, a code that is not 0 is that of a or of b; after `a || b` it is that of b.
function decidersOfList(commands: readonly PipelineNode[], operators: readonly string[]): Deciders {
  let deciders = commands[0] && decidersOfPipeline(commands[0])
  for (const [index, operator] of operators.entries()) {
    const next = commands[index + 1] && decidersOfPipeline(commands[index + 1] as PipelineNode)
    if (!next) return undefined
    if (operator === '||') deciders = next
    else deciders = deciders && [...deciders, ...next]
  }
  return deciders
}

function decidersOfPipeline(node: PipelineNode): Deciders {
  if (node.type !== 'Pipeline') return decidersOfCommand(node)
  if (node.prefixes.some(({ type }) => type === 'Negation')) return undefined
  const last = node.commands.at(-1)
  return last && decidersOfCommand(last)
}

function decidersOfCommand(node: CommandNode): Deciders {
  if (node.type === 'TestCommand' || node.type === 'ArithmeticCommand') return [{ kind: 'test' }]
  if (node.type !== 'Command' || !node.name) return undefined
  const words = [node.name, ...node.args].map(word => (word.type === 'Word' ? word.value : word.text))
  return [{ kind: 'words', words }]
}

// ---- the pipe that ran last -----------------------------------------------------------------------------------------

/** Its commands, by the text; undefined for one with an inside, and for all where that can't be told. */
function stagesOfLast({ commands }: ParsedScript): readonly (Decider | undefined)[] | undefined {
  const last = commands.at(-1)
  if (!last || last.background || last.command.type !== 'Pipeline') return undefined
  return last.command.commands.map(command => decidersOfCommand(command)?.[0])
}
