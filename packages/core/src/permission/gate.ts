import type { Clock } from '../clock.ts'
import { messageOf, StoreError, UsageError } from '../error.ts'
import { createId, type PermissionID, type SessionID } from '../id.ts'
import type { Approval, ApprovalStore } from '../store/approval-store.ts'
import type { VerdictRecord } from '../store/audit-store.ts'
import { findAlwaysProblem, offerAlways } from './always.ts'
import { createAnswerDenial, createVerdictDenial } from './describe-denial.ts'
import { evaluateQuestion } from './evaluate.ts'
import type { PermissionMode } from './mode.ts'
import { type PendingQuestion, PendingQuestions } from './pending.ts'
import type { PermissionAnswer, PermissionQuestion, Verdict } from './question.ts'
import type { Rule } from './rule.ts'
import { createVerdictRecord } from './verdict-record.ts'

/**
 * Asks a person. The signal aborts when the question is settled another way (a new rule, expiry, cancel): then take the
 * question off the screen; what is returned or thrown afterwards is dropped.
 */
export type PermissionAnswerer = (
  id: PermissionID,
  question: PermissionQuestion,
  verdict: Verdict,
  signal: AbortSignal,
) => Promise<PermissionAnswer>

/** For runs without a person: each question is answered at once, with a no that says so. */
export const nobodyToAsk: PermissionAnswerer = async () => ({ reply: 'unanswered', why: 'nobody-to-ask' })

export interface PermissionGateOptions {
  /** Built-in rules first, then those of the user, then the project's: the last match wins. */
  readonly rules: readonly Rule[]
  readonly mode: PermissionMode
  readonly answerer: PermissionAnswerer
  /** Where "always" is kept and found again; without it, it holds for as long as the gate lives. */
  readonly approvals?: ApprovalPlace
  /** Awaited before anyone is asked. May throw: then nobody is asked and the check fails with it. */
  readonly onAsked?: (id: PermissionID, question: PermissionQuestion, verdict: Verdict) => void | Promise<void>
  /** Once for each question that was told to `onAsked`, also when it expired or was cancelled. */
  readonly onAnswered?: (id: PermissionID, answer: PermissionAnswer) => void | Promise<void>
  /**
   * Awaited for each verdict of `check`, with its answer, before the tool acts: for the audit log. May throw: then the
   * check fails, so nothing is done that is not in the log.
   */
  readonly onVerdict?: (record: VerdictRecord) => void | Promise<void>
  readonly clock: Clock
  /** A question that waits longer is answered "nobody answered in time"; without it, it waits until it is cancelled. */
  readonly expiryMs?: number
}

export interface ApprovalPlace {
  readonly store: ApprovalStore
  readonly sessionID: SessionID
  readonly directory: string
}

/** The one way to permission: tools ask here before they do anything. */
export interface PermissionGate {
  /** Returns once all parts are allowed; throws PermissionDenied otherwise, or the signal's reason when it aborts. */
  check(question: PermissionQuestion, signal: AbortSignal): Promise<void>
  /** What the rules and the mode say by now, without a question to anyone; for a choice between two ways. */
  evaluate(question: Pick<PermissionQuestion, 'parts'>): Promise<Verdict>
  /**
   * Answers a question from outside the answerer (chat, web). False when it does not wait any more. Throws UsageError
   * for an "always" with a rule that answers nothing of it: then it goes on waiting.
   */
  answer(id: PermissionID, answer: PermissionAnswer): boolean
  pending(): readonly PendingQuestion[]
}

/** Makes a gate for one session. */
export function createPermissionGate(options: PermissionGateOptions): PermissionGate {
  const pending = new PendingQuestions()
  const memory: Rule[] = []

  async function currentRules(): Promise<readonly Rule[]> {
    const { approvals } = options
    if (!approvals) return [...options.rules, ...memory]
    const { sessionID, directory } = approvals
    const stored = await approvals.store.listApprovals({ sessionID, directory })
    return [...options.rules, ...stored.map(toApprovalRule)]
  }

  async function evaluate(question: Pick<PermissionQuestion, 'parts'>): Promise<Verdict> {
    return evaluateQuestion(question, await currentRules(), options.mode)
  }

  async function check(question: PermissionQuestion, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const verdict = await evaluate(question)
    if (verdict.action !== 'ask') await record(question, verdict)
    if (verdict.action === 'deny') throw createVerdictDenial(question, verdict)
    if (verdict.action === 'allow') return
    const answer = await ask(question, verdict, signal)
    signal.throwIfAborted()
    const denial = createAnswerDenial(question, verdict, answer)
    if (denial) throw denial
  }

  async function ask(question: PermissionQuestion, verdict: Verdict, signal: AbortSignal): Promise<PermissionAnswer> {
    const id = createId('permission', options.clock.now())
    await options.onAsked?.(id, question, verdict)
    const answered = pending.open({ id, question, verdict })
    const settled = new AbortController()
    const failure = collectAnswers({ id, question, verdict, signal, settled })
    const answer = await answered
    settled.abort()
    await options.onAnswered?.(id, answer)
    await record(question, verdict, answer)
    if (failure.error) throw failure.error.cause
    if (answer.reply === 'always') await keep(verdict, answer)
    return answer
  }

  async function record(question: PermissionQuestion, verdict: Verdict, answer?: PermissionAnswer): Promise<void> {
    const { onVerdict, approvals, clock, mode } = options
    if (!onVerdict) return
    const place = { time: clock.now(), sessionID: approvals?.sessionID ?? '', mode }
    try {
      await onVerdict(createVerdictRecord(question, verdict, answer, place))
    } catch (error) {
      throw createUnrecordedError(error)
    }
  }

  // Whatever comes first settles the question: the person, the clock, or a cancel.
  function collectAnswers({ id, question, verdict, signal, settled }: Asking): { error?: { readonly cause: unknown } } {
    const outcome: { error?: { readonly cause: unknown } } = {}
    const cancel = () => pending.answer(id, { reply: 'unanswered', why: 'cancelled' })
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true, signal: settled.signal })
    const asked = async () => {
      const answer = await options.answerer(id, question, verdict, settled.signal)
      refuseWrongRules(verdict, answer)
      return answer
    }
    asked().then(
      answer => pending.answer(id, answer),
      (cause: unknown) => {
        if (settled.signal.aborted) return
        outcome.error = { cause }
        cancel()
      },
    )
    if (options.expiryMs !== undefined) {
      options.clock.sleep(options.expiryMs, settled.signal).then(
        () => pending.answer(id, { reply: 'unanswered', why: 'expired' }),
        () => undefined,
      )
    }
    return outcome
  }

  async function keep(verdict: Verdict, answer: Extract<PermissionAnswer, { reply: 'always' }>): Promise<void> {
    for (const { permission, pattern } of answer.rules ?? offerAlways(verdict)) {
      const approval: Omit<Approval, 'id'> = {
        permission,
        pattern,
        action: 'allow',
        scope: answer.scope,
        subject: subjectOf(answer.scope, options.approvals),
        createdAt: options.clock.now(),
        createdBy: answer.by,
      }
      if (options.approvals) await options.approvals.store.addApproval(approval)
      else memory.push(toApprovalRule(approval))
    }
    await settleOthers(answer.by)
  }

  // A rule just made answers whatever else waits and asks for no more than it allows.
  async function settleOthers(by: string): Promise<void> {
    const rules = await currentRules()
    for (const { id, question } of pending.list()) {
      const verdict = evaluateQuestion(question, rules, options.mode)
      if (verdict.action === 'allow') pending.answer(id, { reply: 'once', by })
    }
  }

  function answer(id: PermissionID, given: PermissionAnswer): boolean {
    const asked = pending.list().find(each => each.id === id)
    if (!asked) return false
    refuseWrongRules(asked.verdict, given)
    return pending.answer(id, given)
  }

  return { check, evaluate, answer, pending: () => pending.list() }
}

function refuseWrongRules(verdict: Verdict, answer: PermissionAnswer): void {
  const rules = answer.reply === 'always' ? (answer.rules ?? []) : []
  const problem = rules.map(rule => findAlwaysProblem(rule, verdict)).find(found => found !== undefined)
  if (problem) throw new UsageError(`"always" can't store that: ${problem}. Nothing was stored or done.`)
}

function createUnrecordedError(cause: unknown): StoreError {
  const code = cause instanceof StoreError ? cause.code : 'io'
  return new StoreError(
    code,
    `Nothing was done, as the decision about it could not be written to the audit log: ${messageOf(cause)}`,
    {},
    { cause },
  )
}

interface Asking extends PendingQuestion {
  readonly signal: AbortSignal
  readonly settled: AbortController
}

function subjectOf(scope: Approval['scope'], place: ApprovalPlace | undefined): string {
  if (scope === 'session') return place?.sessionID ?? ''
  return scope === 'project' ? (place?.directory ?? '') : ''
}

/** A stored approval as the rule that it is; those come after all others. */
export function toApprovalRule(approval: Omit<Approval, 'id'>): Rule {
  const { permission, pattern, action, createdBy, scope } = approval
  return { permission, pattern, action, source: 'session', origin: `approved by ${createdBy}, ${scope}` }
}
