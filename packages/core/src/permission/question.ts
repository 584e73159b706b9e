import type { PermissionKey, RuleAction } from './rule.ts'

/** What one part of an action would do, so that modes can judge it. */
export type Effect = 'read' | 'write' | 'execute'

/**
 * One thing that a tool wants to do: one path, one simple command, one directory outside the workspace.
 * A question has at least one part; an empty one is refused as a bug, never taken for "allowed".
 */
export interface PermissionPart {
  readonly permission: PermissionKey
  /** What rules are matched against, whole. */
  readonly pattern: string
  /** Other spellings that rules which deny or ask match too, such as the base name of a program. Allow rules never do. */
  readonly denyPatterns?: readonly string[]
  readonly effect: Effect
  /** Asked at least, whatever a rule allows (a word that can't be known, a secret, …), and why. */
  readonly floor?: {
    readonly action: 'ask'
    readonly reason: string
    /** All that is in doubt stands in the pattern: a rule for just this pattern, without wildcards, allows it. */
    readonly isShown?: boolean
  }
  /** Needs no question where no rule says otherwise, since it is known to only read inside the workspace. */
  readonly harmless?: boolean
  /** A sandbox keeps what it does inside the workspace: mode `workspace` lets it run without a question. */
  readonly contained?: boolean
  /** The patterns that "always" would store, narrowest useful. Absent or empty: "always" is not offered for it. */
  readonly always?: readonly string[]
}

/** What is put before a person (or the rules): "may the tool do these things?" */
export interface PermissionQuestion {
  readonly tool: string
  readonly callID: string
  /** One line: the command, the path. */
  readonly title: string
  readonly parts: readonly PermissionPart[]
  /** For the person who decides: a diff, the working directory. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** The rules' judgement of one part. */
export interface PartVerdict {
  readonly part: PermissionPart
  readonly action: RuleAction
  /** In words: which rule of which file, or what can't be known. */
  readonly reason: string
  /** Of a denied part: was it a rule, or the mode? */
  readonly denial?: 'rule' | 'mode'
}

/** The strictest over all parts, with the reason of each. */
export interface Verdict {
  readonly action: RuleAction
  readonly parts: readonly PartVerdict[]
}

/** What a person, or a stand-in for one, answered. */
export type PermissionAnswer =
  | { readonly reply: 'once'; readonly by: string }
  | {
      readonly reply: 'always'
      readonly by: string
      readonly scope: 'session' | 'project' | 'user'
      /** As the person edited them; absent: those that were offered. Each must match a part that was asked. */
      readonly rules?: readonly { readonly permission: PermissionKey; readonly pattern: string }[]
    }
  | { readonly reply: 'reject'; readonly by: string; readonly words?: string }
  /** Nobody could be asked (headless), nobody answered in time, or the call was cancelled while it waited. */
  | { readonly reply: 'unanswered'; readonly why: 'nobody-to-ask' | 'expired' | 'cancelled' }
