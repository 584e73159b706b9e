import type { Clock } from '@deckhand/core'
import type { InputRequest } from '@modelcontextprotocol/server'

/**
 * The questions of one call to a client that takes no requests: they go out together as the call's result for now, and
 * their answers come in with the next round, when the client sends the call again.
 */
export interface Rounds {
  /** Gives the answer as the client sent it, unchecked; undefined when it sent none, or none in time. */
  ask(request: InputRequest, timeoutMs: number, signal?: AbortSignal): Promise<unknown>
  /** Resolves once there is something to ask, with all of it by key. */
  next(): Promise<Readonly<Record<string, InputRequest>>>
  /** Settles what was given out by `next`. */
  answer(answers: Readonly<Record<string, unknown>>): void
  /** Settles all that waits: nobody will answer. */
  giveUp(): void
}

interface Question {
  readonly request: InputRequest
  readonly settle: (answer: unknown) => void
  isOut: boolean
}

/** Makes the rounds of one call. */
export function createRounds(clock: Clock): Rounds {
  const questions = new Map<string, Question>()
  let asked = Promise.withResolvers<void>()
  let count = 0

  return {
    ask(request, timeoutMs, signal) {
      const key = `question-${++count}`
      const answered = Promise.withResolvers<unknown>()
      const over = new AbortController()
      const settle = (answer: unknown) => {
        questions.delete(key)
        over.abort()
        answered.resolve(answer)
      }
      questions.set(key, { request, settle, isOut: false })
      signal?.addEventListener('abort', () => settle(undefined), { signal: over.signal })
      clock.sleep(timeoutMs, over.signal).then(
        () => settle(undefined),
        () => undefined,
      )
      asked.resolve()
      return answered.promise
    },
    async next() {
      while (questions.size === 0) {
        asked = Promise.withResolvers()
        await asked.promise
      }
      for (const question of questions.values()) question.isOut = true
      return Object.fromEntries([...questions].map(([key, { request }]) => [key, request]))
    },
    answer(answers) {
      const out = [...questions].filter(([, question]) => question.isOut)
      for (const [key, { settle }] of out) settle(Object.hasOwn(answers, key) ? answers[key] : undefined)
    },
    giveUp() {
      for (const { settle } of [...questions.values()]) settle(undefined)
    },
  }
}
