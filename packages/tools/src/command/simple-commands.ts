// The walk over a script: every simple command that could run, with the folders that may be current when it does.

import type {
  ArithmeticExpression,
  Assignment,
  Command,
  CommandNode,
  ParameterExpansionPart,
  ParsedScript,
  Pipeline,
  Redirection,
  Script,
  Statement,
  SyntaxNode,
  Word,
} from 'unbash'
import { type Arg, literalArg, soleValue, unknownArg } from './arg.ts'
import { arithmeticLeaves, findArithmeticRisk, findLeafRisk } from './arithmetic.ts'
import { findAssignmentRisk } from './assignments.ts'
import type { EarlierDefinitions } from './definitions.ts'
import type { Facts, WrittenCommand } from './facts.ts'
import { judgeCommand } from './judge.ts'
import { isListing, passesListing } from './listing.ts'
import { parseCommand, type Unbash } from './parse.ts'
import { isKnownName } from './programs/index.ts'
import type { Stdin } from './programs/program.ts'
import { followRedirections, type RedirectionOutcome } from './redirections.ts'
import { Variables } from './variables.ts'
import { resolveWord, type Variable, type WordScope } from './word-args.ts'
import type { JudgeWorld, PathWorld, Site } from './world.ts'

/** What is so at one place of a script. */
interface State {
  /** Every folder that may be the current one. */
  readonly cwds: readonly string[]
  /** Variables that were surely set before, and functions that were surely defined: `name()`. */
  readonly assigned: ReadonlySet<string>
}

/** What is so after a command: when it succeeded, and when it failed. */
interface Flow {
  readonly ok: State
  readonly bad: State
}

/** Where a node stands, apart from its state. */
type Place = Omit<Site, 'cwds'>

const topPlace: Place = { stdin: { kind: 'none' }, depth: 0, elsewhere: false, wrappers: [] }

export interface ScriptWalkOptions extends PathWorld {
  readonly unbash: Unbash
  readonly facts: Facts
  /** Variables that are set before. */
  readonly environment: Readonly<Record<string, string>>
  /** What earlier commands of the same shell have defined. */
  readonly definitions: EarlierDefinitions
}

const maxScriptDepth = 12

/** Walks a script and adds every command, path and doubt to the facts. */
export function collectSimpleCommands(script: ParsedScript, cwd: string, options: ScriptWalkOptions): void {
  const walk = new ScriptWalk(options)
  walk.start(script, cwd)
}

class ScriptWalk {
  readonly #options: ScriptWalkOptions
  readonly #facts: Facts
  readonly #variables = new Variables()
  readonly #world: JudgeWorld
  readonly #functions = new Map<string, Set<SyntaxNode>>()
  readonly #running = new Set<SyntaxNode>()
  readonly #called = new Map<SyntaxNode, Map<string, Flow>>()
  #assigned: ReadonlySet<string> = new Set()

  constructor(options: ScriptWalkOptions) {
    this.#options = options
    this.#facts = options.facts
    this.#world = {
      workspace: options.workspace,
      folders: options.folders,
      facts: options.facts,
      visited: new Set(),
      runScript: (text, site) => this.#runText(text, site),
    }
  }

  start(script: Script, cwd: string): void {
    const { functions } = this.#options.definitions
    for (const [name, body] of functions) {
      this.#functions.set(name, new Set([body]))
      this.#variables.collect(body, this.#options.unbash)
    }
    this.#variables.collect(script, this.#options.unbash)
    this.#walkList(
      script.commands,
      { cwds: [cwd], assigned: new Set([...functions.keys()].map(functionKey)) },
      topPlace,
    )
  }

  // A script in a script: of eval, sh -c, a trap, a here-document that a shell reads.
  #runText(text: string, site: Site): readonly string[] {
    if (site.depth > maxScriptDepth) {
      this.#facts.addDoubt(text, 'scripts in it are nested too deep to be followed')
      return site.cwds
    }
    const { script, problem } = parseCommand(text, this.#options.unbash)
    if (problem) this.#facts.addDoubt(text, `a script in it can't be read: ${problem}`)
    if (!script) return site.cwds
    if (script.commands.length === 0) return site.cwds
    this.#variables.collect(script, this.#options.unbash)
    const state = { cwds: site.cwds, assigned: this.#assigned }
    const flow = this.#walkList(script.commands, state, site)
    return merge(flow.ok, flow.bad).cwds
  }

  #walkList(statements: readonly Statement[], state: State, place: Place): Flow {
    let flow: Flow = { ok: state, bad: state }
    for (const statement of statements) {
      const before = merge(flow.ok, flow.bad)
      const after = this.#walkNode(statement.command, before, place)
      flow = statement.background ? { ok: before, bad: before } : after
    }
    return flow
  }

  #walkNode(node: Statement['command'] | CommandNode | SyntaxNode, state: State, place: Place): Flow {
    if (!this.#facts.spend()) return { ok: state, bad: state }
    switch (node.type) {
      case 'Command':
        return this.#walkCommand(node, state, place)
      case 'AndOr':
        return this.#walkAndOr(node, state, place)
      case 'Pipeline':
        return this.#walkPipeline(node, state, place)
      case 'Redirected':
        return this.#walkRedirected(node, state, place)
      case 'CompoundList':
      case 'Script':
        return this.#walkList(node.commands, state, place)
      case 'BraceGroup':
        return this.#walkList(node.body.commands, state, place)
      case 'Subshell':
        this.#walkList(node.body.commands, state, place)
        return same(state)
      case 'If':
        return this.#walkIf(node, state, place)
      case 'While':
        return this.#walkLoop(state, start => {
          const clause = this.#walkList(node.clause.commands, start, place)
          return this.#walkList(node.body.commands, merge(clause.ok, clause.bad), place)
        })
      case 'For':
      case 'Select':
        return this.#walkFor(node, state, place)
      case 'ArithmeticFor':
        for (const part of [node.initialize, node.test, node.update]) if (part) this.#checkArithmetic(part, state)
        return this.#walkLoop(state, start => this.#walkList(node.body.commands, start, place))
      case 'Case':
        return this.#walkCase(node, state, place)
      case 'Function':
        return this.#define(node.name.value, node.body, state, place)
      case 'Coproc':
        if (node.name) this.#checkName(node.name.value, node.name.text)
        this.#walkNode(node.body, state, { ...place, stdin: { kind: 'pipe', isListing: false } })
        return same(state)
      case 'TestCommand':
        this.#scan(node.expression, state)
        return same(state)
      case 'ArithmeticCommand':
        if (node.expression) this.#checkArithmetic(node.expression, state)
        return same(state)
      default:
        this.#scan(node, state)
        return same(state)
    }
  }

  #walkAndOr(node: Extract<SyntaxNode, { type: 'AndOr' }>, state: State, place: Place): Flow {
    let flow: Flow | undefined
    node.commands.forEach((command, index) => {
      if (!flow) flow = this.#walkNode(command, state, place)
      else if (node.operators[index - 1] === '&&') {
        const next = this.#walkNode(command, flow.ok, place)
        flow = { ok: next.ok, bad: merge(flow.bad, next.bad) }
      } else {
        const next = this.#walkNode(command, flow.bad, place)
        flow = { ok: merge(flow.ok, next.ok), bad: next.bad }
      }
    })
    return flow ?? same(state)
  }

  // Each stage of a longer pipeline runs in a shell of its own.
  #walkPipeline(node: Pipeline, state: State, place: Place): Flow {
    let stdin = place.stdin
    let flow = same(state)
    for (const command of node.commands) {
      flow = this.#walkNode(command, state, { ...place, stdin })
      stdin = { kind: 'pipe', isListing: this.#printsListing(command, stdin, state) }
    }
    if (node.commands.length > 1) return same(state)
    const negations = node.prefixes.filter(prefix => prefix.type === 'Negation').length
    return negations % 2 === 1 ? { ok: flow.bad, bad: flow.ok } : flow
  }

  #printsListing(node: CommandNode, stdin: Stdin, state: State): boolean {
    if (node.type !== 'Command') return false
    const args = this.#resolveArgs(node, state)
    if (isListing(args)) return true
    return stdin.kind === 'pipe' && stdin.isListing && passesListing(args)
  }

  #walkRedirected(node: Extract<SyntaxNode, { type: 'Redirected' }>, state: State, place: Place): Flow {
    const outcome = this.#redirect(node.redirects, state, place)
    for (const reason of outcome.asks) this.#facts.addDoubt(describeNode(node.redirects[0]), reason)
    const before = this.#facts.commands.length
    const flow = this.#walkNode(node.command, state, { ...place, stdin: outcome.stdin ?? place.stdin })
    if (outcome.writes) {
      const inner = this.#facts.commands.slice(before)
      for (const command of inner) command.isReadOnly = false
      if (inner.length === 0) this.#facts.addDoubt(describeNode(node.redirects[0]), 'it writes a file')
    }
    return flow
  }

  #walkIf(node: Extract<SyntaxNode, { type: 'If' }>, state: State, place: Place): Flow {
    const ends: State[] = []
    let clause = this.#walkList(node.clause.commands, state, place)
    ends.push(join(this.#walkList(node.then.commands, clause.ok, place)))
    for (const branch of node.elif) {
      clause = this.#walkList(branch.clause.commands, clause.bad, place)
      ends.push(join(this.#walkList(branch.then.commands, clause.ok, place)))
    }
    ends.push(node.else ? join(this.#walkList(node.else.commands, clause.bad, place)) : clause.bad)
    return same(ends.reduce(merge))
  }

  #walkFor(node: Extract<SyntaxNode, { type: 'For' | 'Select' }>, state: State, place: Place): Flow {
    this.#scan(node.name, state)
    for (const word of node.wordlist ?? []) this.#scan(word, state)
    const name = node.name.value
    this.#checkName(name, name)
    const risk = findAssignmentRisk(name)
    if (risk) this.#facts.addDoubt(`for ${name}`, risk)
    const inBody = (start: State) => ({ cwds: start.cwds, assigned: new Set([...start.assigned, name]) })
    return this.#walkLoop(state, start => this.#walkList(node.body.commands, inBody(start), place))
  }

  // The folder that one round ends in is where the next may start.
  #walkLoop(state: State, round: (start: State) => Flow): Flow {
    let start = state
    for (let times = 0; times < 3; times++) {
      const end = join(round(start))
      const next = merge(start, end)
      if (next.cwds.length === start.cwds.length) return same({ cwds: next.cwds, assigned: state.assigned })
      start = { cwds: next.cwds, assigned: state.assigned }
    }
    this.#facts.addDoubt('cd', 'the current folder changes with each round of a loop')
    return same(start)
  }

  #walkCase(node: Extract<SyntaxNode, { type: 'Case' }>, state: State, place: Place): Flow {
    this.#scan(node.word, state)
    let end = state
    for (const item of node.items) {
      for (const pattern of item.pattern) this.#scan(pattern, state)
      // `;&` falls through into the next body.
      end = merge(end, join(this.#walkList(item.body.commands, end, place)))
    }
    return same(end)
  }

  #define(name: string, body: SyntaxNode, state: State, place: Place): Flow {
    if (isKnownName(name) || /^command_not_found_handle$|[/]/.test(name)) {
      this.#facts.addDoubt(`${name}()`, `it gives the name ${name} another meaning`)
    }
    const bodies = this.#functions.get(name) ?? new Set()
    bodies.add(body)
    this.#functions.set(name, bodies)
    this.#callBody(body, state, place)
    return same({ cwds: state.cwds, assigned: new Set([...state.assigned, functionKey(name)]) })
  }

  #callBody(body: SyntaxNode, state: State, place: Place): Flow {
    if (this.#running.has(body)) return same(state)
    const key = `${place.stdin.kind} ${state.cwds.join('\n')}`
    const calls = this.#called.get(body) ?? new Map<string, Flow>()
    this.#called.set(body, calls)
    const known = calls.get(key)
    if (known) return known
    this.#running.add(body)
    const flow = this.#walkNode(body, state, place)
    this.#running.delete(body)
    calls.set(key, flow)
    return flow
  }

  #walkCommand(command: Command, state: State, place: Place): Flow {
    for (const child of [...command.prefix, ...command.suffix]) this.#scan(child, state)
    if (command.name) this.#scan(command.name, state)
    const assignments = command.prefix.filter(child => child.type === 'Assignment')
    const isRead = command.name?.value === 'read'
    // For `read` alone it says where a line is cut, and is gone afterwards.
    const lasting = assignments.filter(assignment => !(isRead && assignment.name === 'IFS'))
    const asks = lasting.flatMap(assignment => this.#findRisk(assignment))
    const redirection = this.#redirect(command.redirects, state, place)
    asks.push(...redirection.asks)
    const args = this.#resolveArgs(command, state)
    if (args[0]?.text === 'let') for (const arg of command.args) if (arg.type === 'Word') this.#checkWord(arg)
    if (args.length === 0) return this.#walkBare(command, assignments, asks, redirection, state)
    return this.#run(args, describeWritten(command, assignments), asks, redirection, state, place)
  }

  // Assignments or redirections alone.
  #walkBare(
    command: Command,
    assignments: readonly Assignment[],
    asks: readonly string[],
    redirection: RedirectionOutcome,
    state: State,
  ): Flow {
    const text = [...assignments.map(assignment => assignment.text), ...command.redirects.map(describeNode)].join(' ')
    for (const reason of asks) this.#facts.addDoubt(text, reason)
    if (redirection.writes && asks.length === 0) this.#facts.addDoubt(text, 'it makes or empties a file')
    const names = assignments.map(assignment => assignment.name)
    return same({ cwds: state.cwds, assigned: new Set([...state.assigned, ...names]) })
  }

  #run(
    args: readonly Arg[],
    written: WrittenCommand,
    asks: readonly string[],
    redirection: RedirectionOutcome,
    state: State,
    place: Place,
  ): Flow {
    const stdin = redirection.stdin ?? place.stdin
    const name = args[0]?.isLiteral ? soleValue(args[0]) : undefined
    const bodies = name === undefined ? undefined : this.#functions.get(name)
    if (name !== undefined && this.#isRenamed(name)) asks = [...asks, `an earlier command gave ${name} another meaning`]
    // A function that is surely there is judged by its body; else the name may be a program's after all.
    const isFunction = name !== undefined && state.assigned.has(functionKey(name)) && !this.#variables.mayUndefine
    if (bodies && isFunction && asks.length === 0 && !redirection.writes) {
      return this.#callAll(bodies, state, { ...place, stdin })
    }
    this.#assigned = state.assigned
    const site: Site = { ...place, cwds: state.cwds, stdin }
    const { fact, cwds } = judgeCommand(args, site, this.#world, asks)
    fact.written = written
    if (redirection.writes) fact.isReadOnly = false
    const after = bodies ? join(this.#callAll(bodies, state, { ...place, stdin })) : state
    return { ok: cwds ? { ...after, cwds } : after, bad: merge(after, state) }
  }

  // By an earlier command: an alias, or a function with the name of a program.
  #isRenamed(name: string): boolean {
    const { functions, opaque } = this.#options.definitions
    return opaque.has(name) || (functions.has(name) && isKnownName(name))
  }

  #callAll(bodies: ReadonlySet<SyntaxNode>, state: State, place: Place): Flow {
    return [...bodies]
      .map(body => this.#callBody(body, state, place))
      .reduce((a, b) => ({ ok: merge(a.ok, b.ok), bad: merge(a.bad, b.bad) }))
  }

  #redirect(redirections: readonly Redirection[], state: State, place: Place): RedirectionOutcome {
    if (redirections.length === 0) return noRedirection
    for (const redirection of redirections) this.#scan(redirection, state)
    const site: Site = { ...place, cwds: state.cwds }
    return followRedirections(redirections, site, this.#scope(state), this.#world)
  }

  #resolveArgs(command: Command, state: State): readonly Arg[] {
    const scope = this.#scope(state)
    const words = command.name ? resolveWord(command.name, scope) : []
    return [
      ...words,
      ...command.args.flatMap(arg => (arg.type === 'Word' ? resolveWord(arg, scope) : [assignmentArg(arg, scope)])),
    ]
  }

  #scope(state: State): WordScope {
    const { environment } = this.#options
    return {
      lookup: (name): Variable | undefined => {
        if (state.assigned.has(name)) return this.#variables.valuesOf(name)
        if (this.#variables.isSet(name)) return undefined
        if (name === 'HOME') return { values: [this.#options.workspace.home], isGlob: false }
        if (name === 'PWD') return { values: state.cwds, isGlob: false }
        const value = Object.hasOwn(environment, name) ? environment[name] : undefined
        return value === undefined || shellsOwn.test(name) ? undefined : { values: [value], isGlob: false }
      },
    }
  }

  #findRisk(assignment: Assignment): readonly string[] {
    const value = assignment.value.type === 'Word' ? assignment.value.value : undefined
    const risk = findAssignmentRisk(assignment.name.replace(/\[.*/s, ''), value)
    return risk ? [risk] : []
  }

  #checkName(name: string, text: string): void {
    const risk = findAssignmentRisk(name)
    if (risk) this.#facts.addDoubt(text, risk)
  }

  /** Looks through words for what runs when they are expanded: substitutions, evaluated indexes, prompts. */
  #scan(node: SyntaxNode, state: State): void {
    if (!this.#facts.spend()) return
    switch (node.type) {
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion':
        if (node.script) this.#walkList(node.script.commands, state, topPlace)
        return
      case 'ArithmeticExpansion':
        if (node.expression) this.#checkArithmetic(node.expression, state)
        return
      case 'ParameterExpansion':
        this.#checkParameter(node)
        break
      case 'Assignment':
        if (node.index) this.#checkIndex(node.name, node.index)
        break
      case 'TestBinary':
        if (/^-(eq|ne|lt|le|gt|ge)$/.test(node.operator))
          for (const word of [node.left, node.right]) this.#checkWord(word)
        break
      case 'TestUnary':
        if (/^-[vR]$/.test(node.operator) && (node.operand.parts || node.operand.value.includes('['))) {
          this.#facts.addDoubt(node.operand.text, 'the index of an array is evaluated, and may run a command')
        }
        break
      case 'FileDescriptorVariable':
        return this.#checkName(node.name, node.name)
      default:
        break
    }
    this.#options.unbash.forEachChild(node, child => this.#scan(child, state))
  }

  #checkArithmetic(expression: ArithmeticExpression, state: State): void {
    for (const leaf of arithmeticLeaves(expression)) {
      const risk = findLeafRisk(leaf, this.#variables)
      if (risk) this.#facts.addDoubt(leaf.type === 'ArithmeticWord' ? leaf.value : leaf.text, risk)
    }
    this.#checkAssigned(expression)
    this.#scan(expression, state)
  }

  #checkAssigned(expression: ArithmeticExpression): void {
    if (
      expression.type === 'ArithmeticBinary' &&
      /=$/.test(expression.operator) &&
      !/^([=!<>]=)$/.test(expression.operator)
    ) {
      for (const leaf of arithmeticLeaves(expression.left)) {
        if (leaf.type === 'ArithmeticWord') this.#checkName(leaf.value.replace(/\[.*/s, ''), leaf.value)
      }
    }
  }

  #checkParameter(node: ParameterExpansionPart): void {
    const { operation, parameter, prefix, index } = node
    if (prefix === '!' && operation?.type !== 'Names' && !(index && /^[@*]$/.test(index.value))) {
      this.#facts.addDoubt(node.text, 'it takes the name of a variable from another one, and may run what stands in it')
    }
    if (operation?.type === 'Transform' && operation.operand.text.includes('P')) {
      this.#facts.addDoubt(node.text, 'it expands a value as a prompt, which may run commands')
    }
    if (operation?.type === 'Unknown') this.#facts.addDoubt(node.text, 'what it does is not known here')
    if (operation?.type === 'Default' && operation.operator.endsWith('=')) this.#checkName(parameter, node.text)
    if (operation?.type === 'Slice')
      for (const word of [operation.offset, operation.length]) if (word) this.#checkWord(word)
    if (index) this.#checkIndex(parameter, index)
  }

  #checkIndex(name: string, index: Word): void {
    if (!/^[@*]$/.test(index.value) && !this.#variables.isAssociative(name)) this.#checkWord(index)
  }

  #checkWord(word: Word): void {
    const risk = findArithmeticRisk(word.value, word.parts, this.#variables)
    if (risk) this.#facts.addDoubt(word.text, risk)
  }
}

function describeWritten(command: Command, assignments: readonly Assignment[]): WrittenCommand {
  const { pos, end, redirects } = command
  return {
    start: pos,
    end,
    assignments: assignments.map(({ text }) => text),
    redirections: redirects.map(describeNode),
  }
}

/** What bash sets anew, or computes. */
const shellsOwn =
  /^(_|IFS|PPID|U?ID|EUID|SHLVL|RANDOM|SRANDOM|SECONDS|LINENO|OLDPWD|OPT(ARG|IND)|REPLY|BASH\w*|EPOCH\w*|HIST\w*|COLUMNS|LINES|PS[0-4])$/

function functionKey(name: string): string {
  return `${name}()`
}

const noRedirection: RedirectionOutcome = { asks: [], writes: false }

// `export NAME=value` and its like: one word, whose value may be known.
function assignmentArg(assignment: Assignment, scope: WordScope): Arg {
  if (assignment.value.type !== 'Word') return { ...literalArg(assignment.text), isLiteral: false }
  const operator = assignment.append ? '+=' : '='
  const start = `${assignment.name}${operator}`
  const [value, ...more] = resolveWord(assignment.value, scope)
  if (!value?.values || more.length > 0)
    return unknownArg(assignment.text, value?.unknown ?? 'it has several values', start)
  return {
    ...value,
    text: start + value.text,
    values: value.values.map(text => start + text),
    start: start + value.start,
    isGlob: false,
  }
}

function describeNode(node: SyntaxNode | undefined): string {
  if (!node) return ''
  if (node.type !== 'Redirect') return node.type === 'HereDoc' ? '<<' : '<<<'
  return `${node.operator} ${node.target?.text ?? ''}`
}

function same(state: State): Flow {
  return { ok: state, bad: state }
}

function join(flow: Flow): State {
  return merge(flow.ok, flow.bad)
}

function merge(a: State, b: State): State {
  if (a === b) return a
  return {
    cwds: a.cwds === b.cwds ? a.cwds : [...new Set([...a.cwds, ...b.cwds])],
    assigned: a.assigned === b.assigned ? a.assigned : a.assigned.intersection(b.assigned),
  }
}
