import { createId, type MessageWithParts, type ModelRef, type Part, type SessionID } from '@deckhand/core'

/** What a person's message is made of. */
export type PromptPart =
  | { readonly type: 'text'; readonly text: string; readonly synthetic?: boolean }
  /** `url` is a data URL. */
  | { readonly type: 'file'; readonly mime: string; readonly filename: string; readonly url: string }

/** Makes the user message of a turn with its parts. */
export function createUserMessage(
  prompt: readonly PromptPart[],
  { sessionID, agent, model, now }: { sessionID: SessionID; agent: string; model: ModelRef; now: number },
): MessageWithParts {
  const messageID = createId('message')
  const parts = prompt.map((part): Part => {
    const base = { id: createId('part'), sessionID, messageID }
    return part.type === 'text' ? { ...base, ...part, time: { start: now, end: now } } : { ...base, ...part }
  })
  return { info: { id: messageID, sessionID, role: 'user', agent, model, time: { created: now } }, parts }
}
