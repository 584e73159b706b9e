import type { PermissionID } from '../id.ts'
import type { PermissionAnswer, PermissionQuestion, Verdict } from './question.ts'

/** A question that waits for its answer. */
export interface PendingQuestion {
  readonly id: PermissionID
  readonly question: PermissionQuestion
  readonly verdict: Verdict
}

interface Waiting extends PendingQuestion {
  readonly settle: (answer: PermissionAnswer) => void
}

/** The questions that wait, so that any way in (terminal, chat, web, a new rule, the clock) can answer them. */
export class PendingQuestions {
  readonly #waiting = new Map<PermissionID, Waiting>()

  /** Waits for the answer; the first one counts. */
  open(pending: PendingQuestion): Promise<PermissionAnswer> {
    return new Promise(resolve => {
      this.#waiting.set(pending.id, { ...pending, settle: resolve })
    })
  }

  /** False when no such question waits (any more): it was answered, ran out of time, or never was. */
  answer(id: PermissionID, answer: PermissionAnswer): boolean {
    const waiting = this.#waiting.get(id)
    if (!waiting) return false
    this.#waiting.delete(id)
    waiting.settle(answer)
    return true
  }

  /** Oldest first. */
  list(): readonly PendingQuestion[] {
    return [...this.#waiting.values()].map(({ id, question, verdict }) => ({ id, question, verdict }))
  }
}
