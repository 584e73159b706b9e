// One simple command: what its program would do with its words, and what else it starts.
import { type Arg, joinArgs, soleValue } from './arg.ts'
import { followCd, isCdName } from './cd.ts'
import type { CommandFact } from './facts.ts'
import { isDevice, resolvePaths } from './paths.ts'
import { baseName, lookupProgram } from './programs/index.ts'
import { findNetworkUse, type NetworkUse } from './programs/network.ts'
import { parseOptions } from './programs/parse-options.ts'
import {
  ask,
  type Call,
  type Findings,
  type GivenOption,
  type OperandKind,
  type Program,
  type Stdin,
} from './programs/program.ts'
import type { JudgeWorld, Site } from './world.ts'

export interface Judgement {
  readonly fact: CommandFact
  /** Folders that may be current once it succeeded, where it changes them. */
  readonly cwds?: readonly string[]
}

const maxDepth = 16

/** Judges one command; its own fact and those of what it starts are added to the facts. */
export function judgeCommand(
  args: readonly Arg[],
  site: Site,
  world: JudgeWorld,
  asks: readonly string[] = [],
): Judgement {
  const found = createFindings()
  for (const reason of asks) ask(found, reason)
  const program = findProgramOf(args, found)
  const before = world.facts.commands.length
  let cwds: readonly string[] | undefined
  if (site.depth > maxDepth || !world.facts.spend()) ask(found, 'commands in it are nested too deep to be followed')
  else {
    if (asksVersion(args)) found.readOnly = true
    else if (program) inspectProgram(args, program, site.stdin, found)
    else found.maybePaths.push(...args.slice(1).filter(arg => !isPlainOption(arg)))
    addProgramPath(args[0], found)
    addPaths(found, site, world)
    cwds = runInner(args, found, site, world)
    if (isCdName(args[0]?.text ?? '')) cwds = followCd(args, site, world, found)
  }
  const inner = world.facts.commands.slice(before)
  const isReadOnly = found.readOnly && found.asks.length === 0 && inner.every(command => command.isReadOnly)
  const fact: CommandFact = {
    args,
    pattern: joinArgs(args),
    denyPatterns: spellOtherwise(args, found),
    asks: found.asks,
    // Nothing else is in doubt, and each word is there to be read.
    isShown: found.showsCode && found.asks.length === 1 && args.every(isPlainWord),
    isReadOnly,
    network: findNetwork(args, isReadOnly, inner.length > 0 && !found.elsewhere),
    wrappers: site.wrappers,
  }
  world.facts.addCommand(fact)
  return { fact, cwds }
}

function isPlainWord(arg: Arg): boolean {
  return arg.isLiteral && soleValue(arg) !== undefined && !arg.isHidden
}

// Of what starts others, those are judged.
function findNetwork(args: readonly Arg[], isReadOnly: boolean, startsOthers: boolean): NetworkUse {
  const use = findNetworkUse(args, isReadOnly)
  return use === 'unknown' && startsOthers ? 'no' : use
}

function createFindings(): Findings {
  return {
    asks: [],
    reads: [],
    writes: [],
    maybePaths: [],
    scripts: [],
    commands: [],
    denyPatterns: [],
    readOnly: false,
    showsCode: false,
  }
}

function findProgramOf(args: readonly Arg[], found: Findings): Program | undefined {
  const [word] = args
  if (!word?.isLiteral || !word.values) {
    ask(found, `which program it runs can't be known: ${word?.unknown ?? `${word?.text} is not written out`}`)
  }
  const name = word && (soleValue(word) ?? '')
  return name ? lookupProgram(name) : undefined
}

function inspectProgram(
  args: readonly Arg[],
  program: Program,
  stdin: Stdin,
  found: Findings,
  path = args[0]?.text ?? '',
): void {
  const words = args.slice(1)
  const parsed = parseOptions(words, program)
  const call = createCall(path, words, parsed.options, parsed.operands, stdin)
  const sub = findSubcommand(program, call)
  found.readOnly =
    (program.readOnly ?? false) && (!program.subcommands || sub !== undefined || call.operands.length === 0)
  applyOptions(call, found)
  found.maybePaths.push(...parsed.loose)
  if (parsed.maybeOptions.length > 0 && hasRiskyOptions(program)) {
    ask(found, `${parsed.maybeOptions[0]?.text} may turn out to be an option of ${path}`)
  }
  if (!program.subcommands) applyOperands(call, program, found)
  else if (!sub) found.maybePaths.push(...call.operands)
  program.inspect?.(call, found)
  if (sub) inspectSubcommand(call, sub, stdin, found, path)
  else if (program.subcommands && call.options.some(option => option.isUnknown) && call.operands.length > 0) {
    askAboutLeadingOptions(call, program, found)
  }
}

// `docker --new-option x run …`: what follows may be one of the subcommands that run something.
function askAboutLeadingOptions(call: Call, program: Program, found: Findings): void {
  const names = Object.keys(program.subcommands ?? {})
  if (call.operands.some(arg => names.includes(arg.text)))
    ask(found, `an option of ${call.name} before its subcommand is not known here`)
}

function inspectSubcommand(call: Call, sub: Program, stdin: Stdin, found: Findings, path: string): void {
  const readOnly = found.readOnly
  inspectProgram(call.operands, sub, stdin, found, `${path} ${call.operands[0]?.text}`)
  found.readOnly &&= readOnly
}

function findSubcommand(program: Program, call: Call): Program | undefined {
  const name = soleValue(call.operands[0])
  return name !== undefined && program.subcommands && Object.hasOwn(program.subcommands, name)
    ? program.subcommands[name]
    : undefined
}

function createCall(
  name: string,
  args: readonly Arg[],
  options: readonly GivenOption[],
  operands: readonly Arg[],
  stdin: Stdin,
): Call {
  return {
    name,
    args,
    options,
    operands,
    stdin,
    has(names) {
      const wanted = names.split(' ')
      return options.some(option => wanted.includes(option.name))
    },
  }
}

function applyOptions(call: Call, found: Findings): void {
  for (const { kind, name, value } of call.options) {
    if (kind === 'ask') ask(found, `${call.name} ${name} runs or loads what the command does not show`)
    else if (kind === 'code') addCode(call, name, value, found)
    else if (kind === 'writes') found.readOnly = false
    else if (value && kind === 'read') found.reads.push(value)
    else if (value && kind === 'write') found.writes.push(value)
    else if (value && kind === 'script') found.scripts.push(value)
  }
}

const versioned = new Set(
  'node npm pnpm yarn bun deno python python2 python3 pip pip3 ruby gem perl php java javac go rustc cargo rustup gcc g++ clang cmake make git docker podman kubectl gh tsc eslint prettier jest vitest terraform uv poetry bash zsh jq rg'.split(
    ' ',
  ),
)

// `node --version`: it only says which it is.
function asksVersion(args: readonly Arg[]): boolean {
  const [name, option] = args
  return args.length === 2 && versioned.has(soleValue(name) ?? '') && /^(--version|-V)$/.test(soleValue(option) ?? '')
}

function addCode(call: Call, name: string, value: Arg | undefined, found: Findings): void {
  if (value && soleValue(value) !== undefined && !value.isGlob) found.showsCode = true
  ask(found, `${call.name} ${name} runs code, which only a rule for just this code allows`)
}

function applyOperands(call: Call, program: Program, found: Findings): void {
  const kinds = program.operands ?? ['any']
  const skips = program.withoutFirst !== undefined && call.has(program.withoutFirst)
  call.operands.forEach((arg, index) => {
    const kind: OperandKind = kinds[Math.min(index + (skips ? 1 : 0), kinds.length - 1)] ?? 'any'
    if (kind === 'read') found.reads.push(arg)
    else if (kind === 'write') found.writes.push(arg)
    else if (kind === 'any') found.maybePaths.push(arg)
  })
}

const riskyKinds = ['ask', 'script', 'code', 'write', 'writes', 'read'] as const

function hasRiskyOptions(program: Program): boolean {
  return riskyKinds.some(kind => program.options?.[kind] !== undefined)
}

// `-x`, `--long`, `+x` without a value that could be a path.
function isPlainOption(arg: Arg): boolean {
  return arg.values !== undefined && /^[-+][^/~]*$/.test(arg.start) && !arg.start.includes('..')
}

const systemFolder = /^\/(usr\/)?(local\/)?s?bin\/[^/]+$/

// A program that is named by a path is a file that is run, whatever its name makes one think.
function addProgramPath(word: Arg | undefined, found: Findings): void {
  if (!word?.values || !/\/|^~/.test(word.start) || systemFolder.test(word.start)) return
  found.reads.push(word)
  found.readOnly = false
}

function addPaths(found: Findings, site: Site, world: JudgeWorld): void {
  if (site.elsewhere) return
  for (const arg of found.reads) addPath(arg, 'read', found, site, world)
  for (const arg of found.writes) {
    if (addPath(arg, 'write', found, site, world)) found.readOnly = false
  }
  for (const arg of found.maybePaths) addMaybePath(arg, found, site, world)
}

/** Looking up a path costs about as much as this many steps of the walk. */
const pathSteps = 20

/** Adds where a word leads, and says whether it leads to anything that is kept. */
function addPath(arg: Arg, effect: 'read' | 'write', found: Findings, site: Site, world: JudgeWorld): boolean {
  if (arg.isHidden && arg.values) return effect === 'write'
  if (!world.facts.spend(pathSteps)) return true
  const outcome = resolvePaths(arg, site.cwds, effect, world)
  if (outcome.unknown) ask(found, outcome.unknown)
  for (const path of outcome.paths) if (!isDevice(path.real)) world.facts.addPath(path)
  return outcome.unknown !== undefined || outcome.paths.length > 0
}

// Nothing says that it is a path: only where it would lead out does it count.
function addMaybePath(arg: Arg, found: Findings, site: Site, world: JudgeWorld): void {
  if ((arg.isHidden && arg.values) || !world.facts.spend(pathSteps)) return
  const outcome = resolvePaths(arg, site.cwds, 'read', world)
  if (outcome.unknown) ask(found, outcome.unknown)
  for (const path of outcome.paths) if (!path.inside) world.facts.addPath(path)
}

const changesFolder = new Set(['command', 'builtin'])

function runInner(args: readonly Arg[], found: Findings, site: Site, world: JudgeWorld): readonly string[] | undefined {
  const name = args[0]?.text ?? ''
  const inner: Site = {
    ...site,
    depth: site.depth + 1,
    elsewhere: site.elsewhere || found.elsewhere === true,
    wrappers: [...site.wrappers, name],
  }
  let cwds: readonly string[] | undefined
  for (const script of found.scripts) {
    const after = runScriptOf(script, found, inner, world)
    if (name === 'eval' && after) cwds = [...new Set([...(cwds ?? []), ...after])]
  }
  for (const command of found.commands) {
    const judged = judgeCommand(command, inner, world)
    if (changesFolder.has(name)) cwds = judged.cwds
  }
  return cwds
}

function runScriptOf(script: Arg, found: Findings, site: Site, world: JudgeWorld): readonly string[] | undefined {
  const text = soleValue(script)
  if (text === undefined || script.isGlob) {
    ask(found, `the commands in ${script.text || 'it'} can't be known: ${script.unknown ?? 'they can be several'}`)
    return undefined
  }
  return text.trim() === '' ? undefined : world.runScript(text, site)
}

const maxSpellings = 16

/** The same command under other names: without its folder, without options before its subcommand. */
function spellOtherwise(args: readonly Arg[], found: Findings): readonly string[] {
  const [word, ...rest] = args
  if (!word) return found.denyPatterns
  const name = baseName(word.text)
  const spellings = new Set(found.denyPatterns)
  if (name !== word.text) spellings.add([name, ...textsOf(rest)].join(' '))
  for (const spelling of withoutLeadingOptions(name, textsOf(rest))) spellings.add(spelling)
  return [...spellings]
}

function textsOf(args: readonly Arg[]): readonly string[] {
  return args.flatMap(arg => (arg.isHidden ? [] : [arg.text]))
}

// `npm --registry x publish` is spelled `npm x publish` and `npm publish` too: a value can't be told from a subcommand.
function withoutLeadingOptions(name: string, words: readonly string[]): readonly string[] {
  const spellings: string[] = []
  for (let at = 0; at < words.length && spellings.length < maxSpellings; at++) {
    const isOption = words[at]?.startsWith('-')
    if (at > 0 && !isOption) spellings.push([name, ...words.slice(at)].join(' '))
    if (!isOption && !(at > 0 && words[at - 1]?.startsWith('-'))) break
  }
  return spellings
}
