import { type Arg, soleValue } from '../arg.ts'
import { findAssignmentRisk } from '../assignments.ts'
import { ask, type Call, type Findings, type OptionKind, type Program } from './program.ts'

export interface WrapperSpec {
  readonly options?: Partial<Readonly<Record<OptionKind, string>>>
  /** Operands before the inner command (timeout's duration). */
  readonly skip?: number
  /** `NAME=value` words before the inner command set variables. */
  readonly assigns?: boolean
  /** Adds nothing of its own: it is harmless when its inner command is. */
  readonly transparent?: boolean
  /** The rest is one text for a shell. */
  readonly shellText?: boolean
  /** The inner command runs on another machine or in a container. */
  readonly elsewhere?: boolean
  readonly reason?: string
  readonly inspect?: (call: Call, found: Findings) => void
}

/** A program that starts the command in its words: both are judged. An option it isn't known for is asked. */
export function wrapper(spec: WrapperSpec): Program {
  return {
    options: spec.options,
    optionsFirst: true,
    operands: ['text'],
    readOnly: spec.transparent,
    inspect(call, found) {
      spec.inspect?.(call, found)
      if (spec.reason) ask(found, spec.reason)
      if (spec.elsewhere) found.elsewhere = true
      const unknown = call.options.find(option => option.isUnknown)
      if (unknown) addUnknownOption(call, found, unknown.name)
      const skipped = call.operands.slice(spec.skip ?? 0)
      const inner = spec.assigns ? dropAssignments(skipped, found) : skipped
      if (inner.length > 0) addInner(inner, found, spec)
      else found.readOnly = false
    },
  }
}

// Its value may have been taken for the command: every later word is tried against what is denied.
function addUnknownOption(call: Call, found: Findings, name: string): void {
  ask(found, `${call.name} ${name} is not known here, so what it runs can't be told for sure`)
  const texts = call.args.map(arg => arg.text)
  for (let at = 0; at < Math.min(texts.length, 12); at++) found.denyPatterns.push(texts.slice(at).join(' '))
}

function addInner(inner: readonly Arg[], found: Findings, spec: WrapperSpec): void {
  if (!spec.shellText) return void found.commands.push(inner)
  found.scripts.push(joinScript(inner))
}

/** The words as one script, as `eval`, `ssh` and `watch` put them together. */
export function joinScript(args: readonly Arg[]): Arg {
  const unknown = args.find(arg => soleValue(arg) === undefined || arg.isGlob)
  const text = args.map(arg => arg.text).join(' ')
  return unknown
    ? {
        text,
        values: undefined,
        unknown: unknown.unknown ?? 'it can have several values',
        isGlob: false,
        isLiteral: false,
        start: '',
      }
    : { text, values: [text], isGlob: false, isLiteral: true, start: text }
}

/** The words after leading `NAME=value` ones; those that change what runs are asked. */
function dropAssignments(args: readonly Arg[], found: Findings): readonly Arg[] {
  // For env whatever holds a `=` is one.
  const first = args.findIndex(arg => !/^[^=]+=/.test(arg.start))
  const count = first === -1 ? args.length : first
  for (const arg of args.slice(0, count)) {
    const name = arg.start.slice(0, arg.start.indexOf('='))
    const risk = findAssignmentRisk(name, soleValue(arg)?.slice(name.length + 1))
    if (risk) ask(found, risk)
    else if (!/^[A-Za-z_]\w*$/.test(name)) ask(found, `whether ${arg.text} is a variable or a command can't be known`)
  }
  return args.slice(count)
}
