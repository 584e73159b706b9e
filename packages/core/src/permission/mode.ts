/**
 * How much is decided without a person:
 * `plan`: reads only, everything else is denied. `ask`: what rules don't allow and is not known to be harmless is asked.
 * `workspace`: as `ask`, and what the sandbox keeps inside the workspace runs without a question; where there is no
 * sandbox nothing is contained, so `ask` takes its place. `auto`: all but what is denied.
 * Deny rules hold in each.
 */
export type PermissionMode = 'plan' | 'ask' | 'workspace' | 'auto'

export const permissionModes: readonly PermissionMode[] = ['plan', 'ask', 'workspace', 'auto']
