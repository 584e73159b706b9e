/**
 * How much is decided without a person:
 * `plan`: reads only, everything else is denied. `ask`: what rules don't allow and is not known to be harmless is asked.
 * `workspace`: as `ask` until the sandbox is there (it then lets contained commands run). `auto`: all but what is denied.
 * Deny rules hold in each.
 */
export type PermissionMode = 'plan' | 'ask' | 'workspace' | 'auto'

export const permissionModes: readonly PermissionMode[] = ['plan', 'ask', 'workspace', 'auto']
