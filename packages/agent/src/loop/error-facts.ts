import { DeckhandError, type ErrorFacts, messageOf, ProviderError } from '@deckhand/core'

/** An error as it is stored and printed. A provider's has OpenCode's shape (`APIError`). */
export function toErrorFacts(error: unknown): ErrorFacts {
  if (error instanceof ProviderError) {
    const { status, retryable, body, url, provider, model } = error.facts
    return {
      name: 'APIError',
      data: {
        message: error.message,
        code: error.code,
        providerID: provider,
        modelID: model,
        ...(status !== undefined && { statusCode: status }),
        isRetryable: retryable,
        ...(body !== undefined && { responseBody: body }),
        ...(url !== undefined && { metadata: { url } }),
      },
    }
  }
  if (error instanceof DeckhandError)
    return { name: error.name, data: { ...error.data, code: error.code, message: error.message } }
  return { name: 'UnknownError', data: { message: messageOf(error) } }
}
