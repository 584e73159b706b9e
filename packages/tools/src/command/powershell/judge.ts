// What the commands of a PowerShell script would do: its own commands by their table, programs as bash's are judged.
import { type Arg, literalArg, unknownArg } from '../arg.ts'
import type { CommandFact, Facts } from '../facts.ts'
import { judgeCommand } from '../judge.ts'
import { baseName, lookupProgram } from '../programs/index.ts'
import { addWindowsPath } from '../windows-path.ts'
import type { JudgeWorld, Site } from '../world.ts'
import { type Cmdlet, canonicalName, cmdlets, parameterKind, type ValueKind } from './cmdlets.ts'
import { homeMark, parsePowershell } from './parse.ts'
import { type Command, type Element, type Expression, PowershellSyntaxError, type Script, type Word } from './syntax.ts'

/** Walks a script and adds its commands, paths and doubts to the facts. */
export function walkPowershell(script: Script, cwd: string, world: JudgeWorld): void {
  const site: Site = { cwds: [cwd], stdin: { kind: 'none' }, depth: 0, elsewhere: false, wrappers: [] }
  walkScript(script, site, world)
}

const maxDepth = 16

function walkScript(script: Script, site: Site, world: JudgeWorld): readonly string[] {
  let cwds = site.cwds
  for (const { text, reason } of script.risks) world.facts.addDoubt(text, reason)
  if (site.depth > maxDepth) world.facts.addDoubt('{…}', 'scripts in it are nested too deep to be followed')
  else
    for (const { elements } of script.pipelines) {
      elements.forEach((element, index) => {
        if (!world.facts.spend()) return
        const before = elements.slice(0, index)
        cwds = walkElement(element, before, { ...site, cwds }, world)
      })
    }
  return cwds
}

function walkElement(element: Element, before: readonly Element[], site: Site, world: JudgeWorld): readonly string[] {
  const inner: Site = { ...site, depth: site.depth + 1 }
  if (element.kind === 'expression') return walkExpression(element, inner, world)
  for (const word of element.words) for (const block of word.blocks) walkScript(block, inner, world)
  const writes = followRedirections(element, site, world)
  const { fact, cwds } = judgeWords(element, before, site, world)
  if (writes) fact.isReadOnly = false
  return cwds ? [...new Set([...site.cwds, ...cwds])] : site.cwds
}

function walkExpression(element: Expression, site: Site, world: JudgeWorld): readonly string[] {
  for (const reason of element.risks) world.facts.addDoubt(element.text, reason)
  if (followRedirections(element, site, world)) world.facts.addDoubt(element.text, 'it makes or empties a file')
  const cwds = new Set(site.cwds)
  for (const block of element.blocks) for (const cwd of walkScript(block, site, world)) cwds.add(cwd)
  return [...cwds]
}

function followRedirections({ redirections, text }: Element, site: Site, world: JudgeWorld): boolean {
  let writes = false
  for (const { target } of redirections) {
    for (const block of target.blocks) walkScript(block, site, world)
    const arg = toArg(target, world)
    if (/^\$null$/i.test(target.text) || arg.text === '') continue
    writes = true
    addPath(arg, 'write', text, site, world)
  }
  return writes
}

interface Judged {
  readonly fact: CommandFact
  readonly cwds?: readonly string[]
}

function judgeWords(command: Command, before: readonly Element[], site: Site, world: JudgeWorld): Judged {
  const [first, ...rest] = command.words
  const name = first && toArg(first, world)
  const written = name?.values?.[0]
  if (!first || !name || written === undefined || first.isBlock)
    return { fact: addUnknownCommand(command, first, world) }
  if (command.call === '.') return { fact: addScriptFile(command, written, world) }
  const canonical = canonicalName(written)
  const cmdlet = canonical === undefined ? undefined : cmdlets[canonical]
  if (canonical !== undefined && cmdlet)
    return judgeCmdlet({ command, name: canonical, written, cmdlet, words: rest, before }, site, world)
  return judgeProgram(written, rest, site, world)
}

interface CmdletCall {
  readonly command: Command
  readonly name: string
  readonly written: string
  readonly cmdlet: Cmdlet
  readonly words: readonly Word[]
  readonly before: readonly Element[]
}

const changesFolder = new Set(['Set-Location', 'Push-Location'])

function judgeCmdlet(call: CmdletCall, site: Site, world: JudgeWorld): Judged {
  const { name, written, cmdlet, words, before } = call
  const asks = cmdlet.asks === undefined ? [] : [cmdlet.asks]
  const values = sortWords(call, asks, world)
  let writes = false
  for (const { kind, arg, word } of values) {
    if (kind === 'ask') asks.push(`${name} runs or makes what is not followed here`)
    else if (kind === 'script') runScriptWord(word, arg, asks, site, world)
    else if (kind !== 'text') {
      writes ||= kind === 'write'
      addPath(arg, kind, call.command.text, site, world, asks)
    }
  }
  const hasPath = values.some(({ kind }) => kind === 'read' || kind === 'write')
  if (cmdlet.takesPaths && !hasPath && before.length > 0 && !isListed(before))
    asks.push('it takes its paths from what stands before it')
  const texts = words.map(word => toArg(word, world))
  const pattern = [name, ...texts.map(arg => arg.text)].join(' ').trim()
  const fact: CommandFact = {
    args: [literalArg(name), ...texts],
    pattern,
    denyPatterns: spellOtherwise(name, written, texts),
    asks: [...new Set(asks)],
    isShown: false,
    isReadOnly: cmdlet.readOnly === true && asks.length === 0 && !writes,
    network: cmdlet.network ?? 'no',
    wrappers: site.wrappers,
  }
  world.facts.addCommand(fact)
  const folder = changesFolder.has(name) ? values.find(({ kind }) => kind === 'read')?.arg : undefined
  return { fact, ...(folder && { cwds: foldersOf(folder, site, world) }) }
}

interface SortedWord {
  readonly kind: ValueKind
  readonly arg: Arg
  readonly word: Word
}

const dashes = /^[-\u2013\u2014\u2015]/

// `-Name value`, `-Name:value`, and words without a parameter, by their positions.
function sortWords({ cmdlet, words, name }: CmdletCall, asks: string[], world: JudgeWorld): readonly SortedWord[] {
  const sorted: SortedWord[] = []
  let position = 0
  let pending: ValueKind | undefined
  for (const word of words) {
    const arg = toArg(word, world)
    if (isSplat(arg)) asks.push(arg.unknown ?? '')
    if (!isParameter(word)) {
      sorted.push({ kind: pending ?? kindAt(position++, cmdlet), arg, word })
      pending = undefined
      continue
    }
    const { kind, value } = readParameter(arg, cmdlet)
    if (kind === undefined) asks.push(`the parameter ${word.text} of ${name} is not known here`)
    if (value) sorted.push({ kind: valueKind(kind), arg: value, word })
    pending = value || kind === 'switch' ? undefined : valueKind(kind)
  }
  return sorted
}

function kindAt(position: number, { positions = ['text'] }: Cmdlet): ValueKind {
  return positions[Math.min(position, positions.length - 1)] ?? 'text'
}

// What an unknown parameter takes may be a path.
function valueKind(kind: ValueKind | 'switch' | undefined): ValueKind {
  if (kind === undefined) return 'read'
  return kind === 'switch' ? 'text' : kind
}

function isParameter(word: Word): boolean {
  return !word.isQuoted && dashes.test(word.text) && /[A-Za-z?]/.test(word.text[1] ?? '')
}

function isSplat(arg: Arg): boolean {
  return /^@\w/.test(arg.text) && !arg.values
}

interface GivenParameter {
  /** Undefined: not in the table. */
  readonly kind: ValueKind | 'switch' | undefined
  /** Of `-Name:value`. */
  readonly value?: Arg
}

function readParameter(arg: Arg, cmdlet: Cmdlet): GivenParameter {
  const [, name = '', value] = /^.([A-Za-z?]\w*)(?::([\s\S]*))?$/.exec(arg.text) ?? []
  const kind = parameterKind(cmdlet, name)
  return value === undefined || value === '' ? { kind } : { kind, value: cutValue(arg, value) }
}

function cutValue(arg: Arg, value: string): Arg {
  return arg.values ? { ...arg, text: value, values: [value], start: value } : arg
}

// Files that a listing gives lie in the folders that it lists.
function isListed(before: readonly Element[]): boolean {
  const passes = new Set(['Where-Object', 'Select-Object', 'Sort-Object', 'Get-Unique'])
  return before.every((element, index) => {
    if (element.kind !== 'command') return false
    const name = canonicalName(element.words[0]?.text ?? '') ?? ''
    return index === 0 ? name === 'Get-ChildItem' || name === 'Get-Item' : passes.has(name)
  })
}

function runScriptWord(word: Word, arg: Arg, asks: string[], site: Site, world: JudgeWorld): void {
  // Its blocks were walked with the command's words; a name of a property is no script.
  if (word.isBlock) return
  if (!arg.values) {
    asks.push(`the script in ${word.text} can't be known: ${arg.unknown}`)
    return
  }
  runText(arg.values[0] ?? '', site, world)
}

/** A text that PowerShell runs. */
function runText(text: string, site: Site, world: JudgeWorld): void {
  try {
    walkScript(parsePowershell(text), { ...site, depth: site.depth + 1 }, world)
  } catch (error) {
    if (!(error instanceof PowershellSyntaxError)) throw error
    world.facts.addDoubt(text, `a script in it can't be read: ${error.message}`)
  }
}

const shells = /^(pwsh|powershell)(-preview)?(\.exe)?$/i

function judgeProgram(written: string, words: readonly Word[], site: Site, world: JudgeWorld): Judged {
  const args = words.map(word => toArg(word, world))
  const bare = baseName(written.replaceAll('\\', '/')).replace(/\.exe$/i, '')
  const asks: string[] = []
  if (shells.test(bare)) runNestedShell(args, asks, site, world)
  if (/^(cmd|wsl|wscript|cscript|mshta|rundll32|regsvr32)$/i.test(bare))
    asks.push(`what ${bare} runs is not followed here`)
  for (const arg of args) if (isSplat(arg)) asks.push(arg.unknown ?? '')
  const { fact } = judgeCommand([literalArg(written), ...args], site, world, asks)
  const spellings = [bare, bare.toLowerCase()].map(name => [name, ...args.map(arg => arg.text)].join(' '))
  const denyPatterns = [...new Set([...fact.denyPatterns, ...spellings])].filter(each => each !== fact.pattern)
  replaceFact(world.facts, fact, {
    ...fact,
    denyPatterns,
    isReadOnly: fact.isReadOnly && lookupProgram(bare) !== undefined,
  })
  return { fact: world.facts.commands.at(-1) ?? fact }
}

function replaceFact(facts: Facts, old: CommandFact, fresh: CommandFact): void {
  const at = facts.commands.indexOf(old)
  if (at >= 0) facts.commands[at] = fresh
}

// pwsh -Command TEXT, -EncodedCommand BASE64, -File PATH.
function runNestedShell(args: readonly Arg[], asks: string[], site: Site, world: JudgeWorld): void {
  const at = args.findIndex(arg => /^[-/](c|co|com|comm|comma|comman|command)$/i.test(arg.text))
  const encoded = args.findIndex(arg => /^[-/](e|ec|en|enc|enco|encod|encode|encoded\w*)$/i.test(arg.text))
  if (encoded >= 0) {
    const value = args[encoded + 1]?.values?.[0]
    if (value === undefined) asks.push('the encoded command is not known beforehand')
    else
      runText(
        Buffer.from(value, 'base64').toString('utf16le'),
        { ...site, wrappers: [...site.wrappers, 'pwsh'] },
        world,
      )
    return
  }
  if (at < 0) {
    asks.push('it runs a script that is not looked into')
    return
  }
  const rest = args.slice(at + 1)
  const unknown = rest.find(arg => !arg.values)
  if (unknown) asks.push(`the commands in ${unknown.text} can't be known: ${unknown.unknown}`)
  else runText(rest.map(arg => arg.text).join(' '), { ...site, wrappers: [...site.wrappers, 'pwsh'] }, world)
}

function addUnknownCommand(command: Command, first: Word | undefined, world: JudgeWorld): CommandFact {
  const arg = first && toArg(first, world)
  const reason = first?.isBlock
    ? 'a script block is called'
    : `which command it runs can't be known: ${arg?.unknown ?? 'it is not written out'}`
  return addFact(command, [reason], world)
}

function addScriptFile(command: Command, path: string, world: JudgeWorld): CommandFact {
  return addFact(command, [`it runs ${path} in its own scope, and what stands in there is not looked into`], world)
}

function addFact(command: Command, asks: readonly string[], world: JudgeWorld): CommandFact {
  const args = command.words.map(word => toArg(word, world))
  const [name = literalArg('')] = args
  const fact: CommandFact = {
    args,
    pattern: command.text,
    denyPatterns: spellOtherwise(canonicalName(name.text) ?? name.text, name.text, args.slice(1)),
    asks,
    isShown: false,
    isReadOnly: false,
    network: 'unknown',
    wrappers: [],
  }
  world.facts.addCommand(fact)
  return fact
}

function spellOtherwise(name: string, written: string, args: readonly Arg[]): readonly string[] {
  const rest = args.map(arg => arg.text)
  const names = [name.toLowerCase(), written, written.toLowerCase(), baseName(written.replaceAll('\\', '/'))]
  return [...new Set(names)].filter(each => each !== name).map(each => [each, ...rest].join(' ').trim())
}

const fileProvider = /^(?:[\w.]+\\)?filesystem::/i
const provider = /^(?:[A-Za-z][\w.]*\\)?([A-Za-z]\w+)::?/

function addPath(
  arg: Arg,
  effect: 'read' | 'write',
  text: string,
  site: Site,
  world: JudgeWorld,
  asks?: string[],
): void {
  const doubt = (reason: string) => void (asks ? asks.push(reason) : world.facts.addDoubt(text, reason))
  const values = arg.values?.map(value => value.replace(fileProvider, ''))
  const named = values?.find(value => provider.test(value) && !/^https?:/i.test(value))
  if (named !== undefined) doubt(`${named} is no file but something that ${provider.exec(named)?.[1]} gives`)
  else addWindowsPath({ ...arg, values }, { effect, doubt }, site, world)
}

function foldersOf(arg: Arg, site: Site, world: JudgeWorld): readonly string[] {
  if (!arg.values) return []
  return arg.values.flatMap(value =>
    site.cwds.map(cwd => world.workspace.resolve(value.replaceAll('\\', '/'), cwd).real),
  )
}

function toArg(word: Word, world: JudgeWorld): Arg {
  const unknown = word.pieces.find(piece => piece.value === undefined)
  const value = word.pieces
    .map(piece => piece.value ?? piece.text)
    .join('')
    .replaceAll(homeMark, world.workspace.home)
  if (!unknown) return { ...literalArg(value), isLiteral: true }
  return unknownArg(word.text, unknown.reason ?? 'it is not written out')
}
