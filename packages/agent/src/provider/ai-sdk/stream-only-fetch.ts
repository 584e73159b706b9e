import type { WholeAnswer } from './to-error.ts'

const maxChars = 64 * 1024

/**
 * A fetch that throws `createError(answer)` when a success is no stream: the sign-in page of a proxy, or an error in
 * JSON with status 200. The AI SDK would take both for an empty answer. A stream under a wrong name passes.
 */
export function createStreamOnlyFetch(base: typeof fetch, createError: (answer: WholeAnswer) => Error): typeof fetch {
  return async (input, init) => {
    const response = await base(input, init)
    const contentType = readContentType(response)
    if (!response.ok || !response.body || !/^(text\/html|application\/json)$/.test(contentType)) return response
    const reader = response.body.getReader()
    const { value: first } = await reader.read()
    if (isStream(first)) return new Response(continueBody(first, reader), { status: 200, headers: response.headers })
    throw createError({ contentType, body: await readRest(first, reader), url: String(input) })
  }
}

function readContentType(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

function isStream(chunk: Uint8Array | undefined): chunk is Uint8Array {
  return /^\s*(data|event|id|retry)?:/.test(new TextDecoder().decode(chunk?.subarray(0, 64)))
}

function continueBody(first: Uint8Array, reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: controller => controller.enqueue(first),
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: reason => reader.cancel(reason),
  })
}

async function readRest(
  first: Uint8Array | undefined,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = decoder.decode(first, { stream: true })
  while (text.length < maxChars) {
    const { done, value } = await reader.read()
    if (done) return text
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return text
}
