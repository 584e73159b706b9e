import type { RuleAction } from './rule.ts'

/** The order of actions: the larger number wins. */
export const strictness: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 }
