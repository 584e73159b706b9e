import { type Approval, UsageError } from '@deckhand/core'
import type { CliContext } from '../cli-context.ts'
import { withStore } from '../open-store.ts'
import { oneLine } from '../terminal/neutralise.ts'

/** `permission list`. */
export async function listApprovals({ json }: { json?: boolean }, context: CliContext): Promise<void> {
  const approvals = await withStore(context, store => store.listApprovals())
  context.stdout.write(json ? `${JSON.stringify(approvals, null, 2)}\n` : describeApprovals(approvals))
}

/** One line each. A pattern is made from what a model wanted to do, so it is foreign text. */
export function describeApprovals(approvals: readonly Approval[]): string {
  if (approvals.length === 0) return 'Nothing has been approved with "always".\n'
  return approvals
    .map(({ id, permission, pattern, action, scope, subject, createdAt, createdBy }) => {
      const where = scope === 'user' ? 'everywhere' : `${scope} ${oneLine(subject)}`
      return `${id}  ${action} ${permission}: ${oneLine(pattern)}  (${where}; ${oneLine(createdBy)}, ${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')})\n`
    })
    .join('')
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
