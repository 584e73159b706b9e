import type { PermissionKey, Rule, RuleAction } from './rule.ts'

const defaults: readonly (readonly [PermissionKey, RuleAction])[] = [
  ['read', 'allow'],
  ['glob', 'allow'],
  ['grep', 'allow'],
  ['todo', 'allow'],
  ['edit', 'ask'],
  ['shell', 'ask'],
  ['external_directory', 'ask'],
  ['network', 'ask'],
  ['outside_sandbox', 'ask'],
  ['doom_loop', 'ask'],
]

/**
 * What holds where no rule of a person does; they come first in the list of rules, as the last match wins.
 * What no rule names at all is asked too. They never take back what is known to be harmless.
 */
export const builtinRules: readonly Rule[] = defaults.map(([permission, action]) => ({
  permission,
  pattern: '*',
  action,
  source: 'built-in',
}))
