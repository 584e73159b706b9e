import { DeckhandError, messageOf } from '@deckhand/core'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

/** What the client is told of a bug of ours; the whole of it, with its stack, goes to the person at stderr. */
export function createBugError(error: unknown, where: string, tell: (line: string) => void): ProtocolError {
  tell(`a bug of Deckhand ${where}: ${error instanceof Error ? error.stack : String(error)}`)
  return new ProtocolError(
    ProtocolErrorCode.InternalError,
    `Deckhand itself failed in this call (${messageOf(error)}). This is a bug of Deckhand, not of the call; what the call did is not known.`,
  )
}

/** The same for a request that has no result with words for the model; an error of the user's setup keeps its words. */
export function createRequestError(error: unknown, where: string, tell: (line: string) => void): ProtocolError {
  if (error instanceof DeckhandError) return new ProtocolError(ProtocolErrorCode.InternalError, error.message)
  return createBugError(error, where, tell)
}
