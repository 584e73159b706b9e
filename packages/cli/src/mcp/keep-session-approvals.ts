import { type Approval, type ApprovalStore, randomText } from '@deckhand/core'

/**
 * The same store, but for approvals of the session: these are kept in memory, as an MCP session has no record that
 * could be gone on with, and what it leaves in the store would hold for nothing.
 */
export function keepSessionApprovals(store: ApprovalStore): ApprovalStore {
  const own: Approval[] = []
  return {
    listApprovals: async filter => [...(await store.listApprovals(filter)), ...own],
    async addApproval(approval) {
      if (approval.scope !== 'session') return store.addApproval(approval)
      const kept = { ...approval, id: `apr_${randomText(16)}` }
      own.push(kept)
      return kept
    },
    revokeApproval: id => store.revokeApproval(id),
  }
}
