import type { PermissionMode } from './mode.ts'
import type { PartVerdict, PermissionPart, PermissionQuestion, Verdict } from './question.ts'
import type { Rule, RuleAction, RuleSource } from './rule.ts'
import { strictness } from './strictness.ts'
import { matchesWildcard } from './wildcard.ts'

/**
 * Judges a question by rules (in order, later ones win) and mode: the strictest over its parts.
 * Pure. Throws on a question without parts: nothing to judge is never "allowed".
 */
export function evaluateQuestion(
  question: Pick<PermissionQuestion, 'parts'>,
  rules: readonly Rule[],
  mode: PermissionMode,
): Verdict {
  if (question.parts.length === 0) throw new Error('A permission question without parts can not be judged.')
  const byKey = new Map<string, readonly Rule[]>()
  const parts = question.parts.map(part => evaluatePart(part, rulesFor(part, rules, byKey), mode))
  return { action: strictest(parts.map(part => part.action)), parts }
}

// Thousands of parts share a few keys; rules of other keys are left out once.
function rulesFor(part: PermissionPart, rules: readonly Rule[], byKey: Map<string, readonly Rule[]>): readonly Rule[] {
  const known = byKey.get(part.permission)
  if (known) return known
  const found = rules.filter(rule => matchesWildcard(rule.permission, part.permission))
  byKey.set(part.permission, found)
  return found
}

function evaluatePart(part: PermissionPart, rules: readonly Rule[], mode: PermissionMode): PartVerdict {
  const match = rules.findLast(rule => matchesWildcard(rule.pattern, part.pattern))
  const denying = findDenial(part, rules, match)
  if (denying) return { part, action: 'deny', reason: describeRule(denying), denial: 'rule' }
  if (mode === 'plan' && !isReading(part)) {
    return { part, action: 'deny', reason: 'mode plan only reads', denial: 'mode' }
  }
  if (mode === 'auto') return { part, action: 'allow', reason: 'mode auto runs all that is not denied' }
  if (mode === 'workspace' && part.contained && !isAskedByPerson(part, rules, match)) {
    return { part, action: 'allow', reason: 'mode workspace runs what stays inside the workspace' }
  }
  if (part.floor && !isAllowedAsShown(part, match)) return { part, action: 'ask', reason: part.floor.reason }
  if (part.harmless && (!match || match.source === 'built-in')) {
    return { part, action: 'allow', reason: describeHarmless(part) }
  }
  if (!match) return { part, action: 'ask', reason: 'no rule says otherwise' }
  // Who answered "always" saw this very spelling.
  const asking = match.action === 'allow' && match.source !== 'session' ? findSpelling(part, rules, 'ask') : undefined
  if (asking) return { part, action: 'ask', reason: describeRule(asking) }
  return { part, action: match.action, reason: describeRule(match) }
}

function isAllowedAsShown({ floor, pattern }: PermissionPart, match: Rule | undefined): boolean {
  return floor?.isShown === true && match?.action === 'allow' && match.pattern === pattern && !/[*?]/.test(pattern)
}

// What a person wants to be asked about is asked, whatever contains it.
function isAskedByPerson(part: PermissionPart, rules: readonly Rule[], match: Rule | undefined): boolean {
  if (match?.action === 'ask') return match.source !== 'built-in'
  return findSpelling(part, rules, 'ask') !== undefined
}

// A command's name says little about what it does, so plan mode runs only what is known to be harmless.
function isReading(part: PermissionPart): boolean {
  if (part.permission === 'shell') return part.harmless === true && part.floor === undefined
  return part.effect === 'read'
}

const deniers: readonly RuleSource[] = ['built-in', 'mode', 'user', 'project', 'session']

/**
 * The rule that denies the part, if one does: the last match, or the last match of any one source (what the user denies
 * no project allows), or a match of another spelling of what would be done.
 */
function findDenial(part: PermissionPart, rules: readonly Rule[], match: Rule | undefined): Rule | undefined {
  if (!rules.some(rule => rule.action === 'deny')) return undefined
  if (match?.action === 'deny') return match
  return findDenialOfOneSource(part, rules) ?? findSpelling(part, rules, 'deny')
}

function findDenialOfOneSource(part: PermissionPart, rules: readonly Rule[]): Rule | undefined {
  return deniers
    .map(source => rules.findLast(rule => rule.source === source && matchesWildcard(rule.pattern, part.pattern)))
    .find(rule => rule?.action === 'deny')
}

/**
 * The rule that denies or asks another spelling of the part. A rule that matches the part as it stands too was already
 * weighed, and overruled by a later one.
 */
function findSpelling(part: PermissionPart, rules: readonly Rule[], action: 'deny' | 'ask'): Rule | undefined {
  for (const spelling of part.denyPatterns ?? []) {
    const last = rules.findLast(rule => matchesWildcard(rule.pattern, spelling))
    if (last?.action === action && !matchesWildcard(last.pattern, part.pattern)) return last
  }
  return undefined
}

function strictest(actions: readonly RuleAction[]): RuleAction {
  return actions.reduce((worst, action) => (strictness[action] > strictness[worst] ? action : worst), 'allow')
}

function describeHarmless(part: PermissionPart): string {
  return part.effect === 'read' ? 'it only reads' : 'no rule is against it'
}

/** In words: which rule, and from where. */
export function describeRule(rule: Rule): string {
  if (rule.source === 'built-in' && rule.action === 'ask') return 'no rule allows it'
  const where = rule.origin ? ` (${rule.origin})` : rule.source === 'built-in' ? ' (built in)' : ` (${rule.source})`
  return `the rule ${rule.permission}: ${JSON.stringify(rule.pattern)} is ${rule.action}${where}`
}
