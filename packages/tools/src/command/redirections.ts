import type { HereDoc, Redirect, Redirection } from 'unbash'
import { type Arg, literalArg, soleValue, unknownArg } from './arg.ts'
import { findAssignmentRisk } from './assignments.ts'
import { isDevice, resolvePaths } from './paths.ts'
import type { Stdin } from './programs/program.ts'
import { resolveWord, type WordScope } from './word-args.ts'
import type { JudgeWorld, Site } from './world.ts'

/** What redirections do. */
export interface RedirectionOutcome {
  readonly asks: readonly string[]
  /** Something is written that is kept. */
  readonly writes: boolean
  /** The standard input, where one of them sets it. */
  readonly stdin?: Stdin
}

/** Follows the redirections of one command; the files they open are added to the facts. */
export function followRedirections(
  redirections: readonly Redirection[],
  site: Site,
  scope: WordScope,
  world: JudgeWorld,
): RedirectionOutcome {
  const asks: string[] = []
  let writes = false
  let stdin: Stdin | undefined
  for (const redirection of redirections) {
    const { descriptor } = redirection
    const risk = descriptor?.type === 'FileDescriptorVariable' && findAssignmentRisk(descriptor.name)
    if (risk) asks.push(risk)
    const file = redirection.type === 'Redirect' ? openFile(redirection, site, scope, world) : {}
    if (file.unknown) asks.push(file.unknown)
    writes ||= file.effect === 'write' && file.isKept === true
    const isStdin = descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 0)
    if (isStdin) stdin = stdinOf(redirection, scope) ?? stdin
  }
  return { asks, writes, stdin }
}

function stdinOf(redirection: Redirection, scope: WordScope): Stdin | undefined {
  if (redirection.type === 'HereDoc') return { kind: 'text', text: bodyOf(redirection) }
  if (redirection.type === 'HereString') return { kind: 'text', text: hereString(redirection.target, scope) }
  return redirection.operator.startsWith('<') ? { kind: 'file' } : undefined
}

interface OpenedFile {
  readonly effect?: 'read' | 'write'
  readonly isKept?: boolean
  readonly unknown?: string
}

function openFile(redirect: Redirect, site: Site, scope: WordScope, world: JudgeWorld): OpenedFile {
  const effect = redirect.operator === '<' || redirect.operator === '<&' ? 'read' : 'write'
  const args = redirect.target ? resolveWord(redirect.target, scope) : []
  const [arg] = args
  if (!arg || args.length > 1) return { effect, isKept: true, unknown: 'a redirection goes to several files' }
  if (redirect.operator.endsWith('&') && /^(\d+-?|-)$/.test(soleValue(arg) ?? '')) return {}
  // bash takes the dash for the end of the redirection, and the rest for a word of the command.
  if (redirect.operator.endsWith('&') && arg.start.startsWith('-'))
    return { effect, isKept: true, unknown: `what ${redirect.operator} ${arg.text} does can't be known` }
  if (site.elsewhere) return { effect, isKept: true }
  if (arg.isGlob)
    return { effect, isKept: true, unknown: `the file ${arg.text} of a redirection can't be known: it has wildcards` }
  const { paths, unknown } = resolvePaths(arg, site.cwds, effect, world)
  const kept = paths.filter(path => !isDevice(path.real))
  for (const path of kept) world.facts.addPath(path)
  return { effect, isKept: kept.length > 0 || unknown !== undefined, unknown }
}

// Only a body whose expansions are none is a known text.
function bodyOf({ body }: HereDoc): Arg {
  if (!body.parts) return literalArg(body.text)
  const isPlain = body.parts.every(part => part.type === 'Literal')
  if (!isPlain) return unknownArg('the here-document', 'it has expansions')
  return literalArg(body.parts.map(part => (part.type === 'Literal' ? part.value : '')).join(''))
}

function hereString(target: Parameters<typeof resolveWord>[0] | undefined, scope: WordScope): Arg {
  const args = target ? resolveWord(target, scope) : []
  const [arg] = args
  return arg && args.length === 1 && !arg.isGlob ? arg : unknownArg('the here-string', 'it has expansions')
}
