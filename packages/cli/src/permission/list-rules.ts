// `deckhand permission list`: all that is decided beforehand, in the order in which it counts.
import type { Approval, Rule } from '@deckhand/core'
import type { CliContext } from '../cli-context.ts'
import { withStore } from '../open-store.ts'
import { resolveRules } from '../run/agent-choice.ts'
import { resolveFolder } from '../run/request.ts'
import { neutralise, oneLine } from '../terminal/neutralise.ts'
import { describeApproval, describeRuleLine } from './describe-rules.ts'
import { loadTrustedConfig } from './project-trust.ts'

export interface ListOptions {
  readonly dir?: string
  readonly agent?: string
  readonly json?: boolean
}

/** What is decided beforehand in a folder. */
export interface ListedRules {
  readonly directory: string
  /** Of the configuration: the last match wins. */
  readonly rules: readonly Rule[]
  /** Stored ones that hold in the folder; they come after all rules. */
  readonly approvals: readonly Approval[]
  /** Stored ones of other folders, and of sessions. */
  readonly elsewhere: readonly Approval[]
  readonly notices: readonly string[]
}

/** Prints the rules that hold in a folder, then what is stored. */
export async function listRules({ dir = '.', agent, json }: ListOptions, context: CliContext): Promise<void> {
  const directory = resolveFolder(dir, context.cwd)
  const { stdout } = context
  const listed = await withStore(context, async store => {
    const loaded = await loadTrustedConfig(directory, { store }, context)
    const { notices } = loaded
    const rules = resolveRules(agent, loaded)
    const approvals = await store.listApprovals({ directory })
    const held = new Set(approvals.map(({ id }) => id))
    const elsewhere = (await store.listApprovals()).filter(({ id }) => !held.has(id))
    return { directory, rules, approvals, elsewhere, notices }
  })
  stdout.write(json ? `${JSON.stringify(listed, null, 2)}\n` : describeListedRules(listed))
}

/** For a person. */
export function describeListedRules({ directory, rules, approvals, elsewhere, notices }: ListedRules): string {
  const stored =
    approvals.length === 0
      ? ['Nothing has been stored for this folder by "always" or "deckhand permission allow".']
      : ['Stored, and after all rules:', ...indent(approvals.map(describeApproval))]
  const sections = [
    [`Rules in ${oneLine(directory)}, the last match wins:`, ...indent(rules.map(describeRuleLine).map(oneLine))],
    stored,
    ...(elsewhere.length > 0
      ? [['Stored for other folders and sessions:', ...indent(elsewhere.map(describeApproval))]]
      : []),
    ...(notices.length > 0 ? [notices.map(neutralise)] : []),
  ]
  return `${sections.map(section => section.join('\n')).join('\n\n')}\n`
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map(line => `  ${line}`)
}
