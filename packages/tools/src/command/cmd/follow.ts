// What the commands of a line for cmd would do.
import { type Arg, literalArg, unknownArg } from '../arg.ts'
import { findAssignmentRisk } from '../assignments.ts'
import { type CommandFact, Facts } from '../facts.ts'
import type { FollowedCommand } from '../followed-command.ts'
import { judgeCommand } from '../judge.ts'
import { addWindowsPath } from '../windows-path.ts'
import type { JudgeWorld, PathWorld, Site } from '../world.ts'
import { type CmdCommand, CmdSyntaxError, type CmdWord, parseCmd } from './parse.ts'

/** Built into cmd: they only tell something. */
const reading = new Set(
  'dir type echo echo. ver vol cls title more find findstr where tree fc comp rem cd chdir pushd popd exit set'.split(
    ' ',
  ),
)
/** Built into cmd, or its companions: their words are paths that they change. */
const writing = new Set('del erase copy move ren rename md mkdir rd rmdir attrib xcopy robocopy replace'.split(' '))
/** Words of the language whose commands are not followed here. */
const unread = new Set('for do else if goto setlocal endlocal shift assoc ftype path prompt mklink'.split(' '))

/** Parses a text for cmd and walks through it. Never throws for what it can't read: that is a `problem`. */
export function followCmd(text: string, cwd: string, paths: PathWorld): FollowedCommand {
  const facts = new Facts()
  const world: JudgeWorld = { ...paths, facts, visited: new Set(), runScript: (_, site) => addUnfollowed(facts, site) }
  const site: Site = { cwds: [cwd], stdin: { kind: 'none' }, depth: 0, elsewhere: false, wrappers: [] }
  try {
    const commands = parseCmd(text)
    walk(commands, site, world)
    const isEmpty = commands.length === 0
    return facts.isTooMuch
      ? { facts, isEmpty, problem: 'it holds more commands and paths than can be followed' }
      : { facts, isEmpty }
  } catch (error) {
    if (!(error instanceof CmdSyntaxError)) throw error
    return { facts, isEmpty: false, problem: `the command can't be judged: ${error.message}` }
  }
}

function addUnfollowed(facts: Facts, site: Site): readonly string[] {
  facts.addDoubt('a script', 'a script for another shell is not followed here')
  return site.cwds
}

const maxDepth = 8

function walk(commands: readonly CmdCommand[], site: Site, world: JudgeWorld): void {
  for (const command of commands) {
    if (!world.facts.spend(20)) return
    const fact = judgeOne(command, site, world)
    if (followRedirections(command, site, world)) fact.isReadOnly = false
  }
}

function judgeOne(command: CmdCommand, site: Site, world: JudgeWorld): CommandFact {
  const [first, ...rest] = command.words
  const args = rest.map(toArg)
  // A switch may stand right behind the name: `dir/s`.
  const [, written = '', glued] = /^([^/]*)(\/.*)?$/.exec(first?.text ?? '') ?? []
  const name = written.toLowerCase().replace(/\.(exe|com)$/, '')
  const asks: string[] = []
  if (!first || first.isUnknown || name === '') asks.push("which command it runs can't be known")
  if (unread.has(name)) asks.push(`"${name}" is not followed here`)
  if (name === 'call' || name === 'start') return judgeStarted(command, name, site, world)
  if (name === 'cmd') asks.push(...followNested(rest, site, world))
  if (name === 'set') asks.push(...findSetRisk(args))
  if (/\.(bat|cmd)$/.test(name)) asks.push('it runs a batch file, which is not looked into')
  const isBuiltin = reading.has(name) || writing.has(name)
  if (!isBuiltin && asks.length === 0 && name !== 'cmd') return judgeProgram(written, args, site, world)
  const words = [...(glued === undefined ? [] : [literalArg(glued)]), ...args]
  if (isBuiltin && name !== 'echo' && name !== 'rem' && name !== 'set' && name !== 'title')
    addPaths(name, words, asks, site, world)
  const pattern = [name, ...words.map(arg => arg.text)].join(' ')
  return addFact(world.facts, {
    args: [literalArg(name), ...words],
    pattern,
    denyPatterns: spellOtherwise(written, words, pattern, asks.length > 0),
    asks,
    isShown: false,
    isReadOnly: reading.has(name) && asks.length === 0,
    network: isBuiltin ? 'no' : 'unknown',
    wrappers: site.wrappers,
  })
}

function addFact(facts: Facts, fact: CommandFact): CommandFact {
  facts.addCommand(fact)
  return fact
}

// Of what is not followed any later word may be a command.
function spellOtherwise(
  written: string,
  words: readonly Arg[],
  pattern: string,
  isUnfollowed: boolean,
): readonly string[] {
  const texts = words.map(arg => arg.text)
  const later = isUnfollowed ? texts.slice(0, 40).map((_, at) => texts.slice(at).join(' ').toLowerCase()) : []
  return [...new Set([[written, ...texts].join(' '), ...later])].filter(each => each !== pattern)
}

function judgeProgram(written: string, args: readonly Arg[], site: Site, world: JudgeWorld): CommandFact {
  const bare = written.slice(Math.max(written.lastIndexOf('\\'), written.lastIndexOf('/')) + 1).replace(/\.exe$/i, '')
  const { fact } = judgeCommand([literalArg(bare.toLowerCase()), ...args], site, world)
  return fact
}

// `call x.bat`, `start "title" /wait program`.
function judgeStarted(command: CmdCommand, name: string, site: Site, world: JudgeWorld): CommandFact {
  const rest = command.words.slice(1).filter(word => !word.text.startsWith('/') && !(name === 'start' && word.isQuoted))
  const inner = { ...command, words: rest, redirections: [] }
  if (rest.length > 0 && site.depth < maxDepth)
    judgeOne(inner, { ...site, depth: site.depth + 1, wrappers: [...site.wrappers, name] }, world)
  const args = command.words.map(toArg)
  return addFact(world.facts, {
    args,
    pattern: command.text,
    denyPatterns: [],
    asks: [`what "${name}" starts may be a file that is not looked into`],
    isShown: false,
    isReadOnly: false,
    network: 'unknown',
    wrappers: site.wrappers,
  })
}

// cmd /c TEXT: the rest of the line is a line of its own.
function followNested(words: readonly CmdWord[], site: Site, world: JudgeWorld): readonly string[] {
  const at = words.findIndex(word => /^\/[ckr]$/i.test(word.text))
  if (at < 0) return ['it starts a shell that reads its input']
  const rest = words.slice(at + 1)
  if (rest.some(word => word.isUnknown)) return ["the commands in it can't be known"]
  if (site.depth >= maxDepth) return ['commands in it are nested too deep to be followed']
  try {
    const inner = { ...site, depth: site.depth + 1, wrappers: [...site.wrappers, 'cmd'] }
    walk(parseCmd(rest.map(word => word.text).join(' ')), inner, world)
    return []
  } catch (error) {
    if (!(error instanceof CmdSyntaxError)) throw error
    return [`the commands in it can't be read: ${error.message}`]
  }
}

// `set NAME=value`: the `=` parts the words.
function findSetRisk(args: readonly Arg[]): readonly string[] {
  if (args.length < 2) return args.some(arg => /^\/[ap]/i.test(arg.text)) ? ['it computes or asks for a value'] : []
  const risk = findAssignmentRisk((args[0]?.text ?? '').toUpperCase())
  return risk ? [risk] : []
}

function addPaths(name: string, words: readonly Arg[], asks: string[], site: Site, world: JudgeWorld): void {
  const effect = writing.has(name) ? 'write' : 'read'
  const isSwitch = (arg: Arg) => /^[/-][a-z?][^\\/]*$/i.test(arg.text)
  for (const arg of words.filter(word => !isSwitch(word)))
    addWindowsPath(arg, { effect, doubt: reason => asks.push(reason) }, site, world)
}

function followRedirections({ redirections, text }: CmdCommand, site: Site, world: JudgeWorld): boolean {
  let writes = false
  for (const { operator, target } of redirections) {
    if (/^(nul|con)$/i.test(target.text)) continue
    const effect = operator.includes('<') ? 'read' : 'write'
    writes ||= effect === 'write'
    addWindowsPath(toArg(target), { effect, doubt: reason => world.facts.addDoubt(text, reason) }, site, world)
  }
  return writes
}

function toArg({ text, isUnknown }: CmdWord): Arg {
  return isUnknown ? unknownArg(text, 'a variable takes part in it') : literalArg(text)
}
