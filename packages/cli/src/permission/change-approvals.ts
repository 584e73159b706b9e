// `deckhand permission allow | deny | revoke`: rules that are stored beside the configuration.
import {
  type Approval,
  type ApprovalScope,
  evaluateQuestion,
  expandHomePattern,
  findPermission,
  type PermissionKey,
  permissionKeys,
  type Store,
  toApprovalRule,
  UsageError,
} from '@deckhand/core'
import type { CliContext } from '../cli-context.ts'
import { withStore } from '../open-store.ts'
import { resolveRules } from '../run/agent-choice.ts'
import { resolveFolder } from '../run/request.ts'
import { oneLine } from '../terminal/neutralise.ts'
import { describeScope } from './describe-rules.ts'
import { loadTrustedConfig } from './project-trust.ts'

export interface StoreRuleOptions {
  readonly scope?: ApprovalScope
  readonly session?: string
  readonly dir?: string
}

/** Stores a rule. Throws UsageError for a permission that is none, an empty pattern, or a scope without its subject. */
export async function storeRule(
  action: 'allow' | 'deny',
  [name, typed]: readonly [string, string],
  options: StoreRuleOptions,
  context: CliContext,
): Promise<void> {
  const permission = parsePermission(name)
  const pattern = expandHomePattern(permission, parsePattern(typed), context.home)
  await withStore(context, async store => {
    const { scope, subject } = await findSubject(options, store, context)
    const approval = await store.addApproval({
      permission,
      pattern,
      action,
      scope,
      subject,
      createdAt: context.clock.now(),
      createdBy: 'command line',
    })
    context.stdout.write(
      `Stored ${approval.id}: ${action} ${permission}: ${oneLine(pattern)}  (${describeScope(approval)})\n`,
    )
    const overruled = action === 'allow' ? await findOverruling(approval, store, options, context) : undefined
    if (overruled) context.stdout.write(`It does not count as it stands: ${oneLine(overruled)}.\n`)
  })
}

function parsePermission(name: string): PermissionKey {
  const permission = findPermission(name)
  if (permission === undefined)
    throw new UsageError(
      `"${name}" is no permission. Use one of ${permissionKeys.join(', ')}, or mcp:SERVER:TOOL. For a command it is shell: deckhand permission allow shell "npm test *"`,
    )
  return permission
}

function parsePattern(typed: string): string {
  if (typed.trim() === '')
    throw new UsageError('The pattern is empty, and would match nothing. Give what is meant, or "*" for all of it.')
  return typed
}

async function findSubject(
  { scope = 'project', session, dir = '.' }: StoreRuleOptions,
  store: Store,
  { cwd }: CliContext,
): Promise<Pick<Approval, 'scope' | 'subject'>> {
  if (scope !== 'session' && session !== undefined)
    throw new UsageError(`--session names a session, and the scope is ${scope}. Use --scope session, or leave it out.`)
  if (scope === 'user') return { scope, subject: '' }
  if (scope === 'project') return { scope, subject: resolveFolder(dir, cwd) }
  if (session === undefined)
    throw new UsageError('--scope session needs --session ID. "deckhand session list" shows them.')
  const found = (await store.list()).find(({ id }) => id === session)
  if (!found)
    throw new UsageError(`There is no session ${session}. "deckhand session list" shows those that there are.`)
  return { scope, subject: found.id }
}

// A rule that denies is not overruled by what is stored.
async function findOverruling(
  { permission, pattern }: Approval,
  store: Store,
  { dir = '.', session }: StoreRuleOptions,
  context: CliContext,
): Promise<string | undefined> {
  const directory = resolveFolder(dir, context.cwd)
  const rules = resolveRules(undefined, await loadTrustedConfig(directory, { store }, context))
  const stored = await store.listApprovals({ directory, sessionID: session })
  const all = [...rules, ...stored.map(toApprovalRule)]
  const { action, parts } = evaluateQuestion({ parts: [{ permission, pattern, effect: 'execute' }] }, all, 'ask')
  return action === 'allow' ? undefined : parts[0]?.reason
}

/** `permission revoke`: all that are named; the unknown ones are told at the end, and the exit code says so. */
export async function revokeApprovals(ids: readonly string[], context: CliContext): Promise<void> {
  await withStore(context, async store => {
    const unknown: string[] = []
    for (const id of ids) {
      if (await store.revokeApproval(id)) context.stdout.write(`Revoked ${id}\n`)
      else unknown.push(id)
    }
    if (unknown.length > 0)
      throw new UsageError(
        `There is no approval ${unknown.join(', ')}. "deckhand permission list" shows those that there are.`,
      )
  })
}
