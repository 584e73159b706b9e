/** What the model server answers to one request. Everything is optional; `{}` is an empty answer. */
export interface ServerStep {
  /** A list is sent piece by piece; one text in pieces of 400 characters. */
  readonly text?: string | readonly string[]
  readonly reasoning?: string
  /** More than one: parallel calls. `args` as a string is sent as it is, so it can be broken JSON. */
  readonly calls?: readonly ServerCall[]
  readonly usage?: ServerUsage
  readonly finish?: 'stop' | 'length' | 'content-filter'

  /** An HTTP error instead of an answer. */
  readonly fail?: ServerFailure

  /** The connection is cut before a word. */
  readonly drop?: boolean
  /** Before the headers of the answer. */
  readonly delayMs?: number
  /** Between the headers and the first event. */
  readonly firstByteDelayMs?: number
  /** Between two events. */
  readonly eventDelayMs?: number

  /** After this many events (0: after the headers) … the connection is cut, … */
  readonly cutAfter?: number
  /** … an error event comes, in the protocol's own form, and the stream ends, … */
  readonly errorAfter?: {
    readonly events: number
    readonly message: string
    readonly code?: string
    readonly status?: number
  }
  /** … bytes come that are in no protocol, and the stream goes on, … */
  readonly garbageAfter?: number
  /** … nothing comes any more, and the connection stays open, … */
  readonly silentAfter?: number
  /** … the stream ends as if all were well. */
  readonly endAfter?: number
  /** The connection stays open after the last event. */
  readonly keepOpen?: boolean
  /** An answer in one piece, with status 200, whatever it is. */
  readonly whole?: { readonly contentType: string; readonly body: string }
}

export interface ServerCall {
  readonly tool: string
  readonly args: unknown
  readonly id?: string
}

export interface ServerUsage {
  /** All input tokens, cached ones among them. */
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  /** Part of `output`. */
  readonly reasoning?: number
}

export interface ServerFailure {
  readonly status: number
  readonly message?: string
  readonly code?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Instead of the protocol's own form. */
  readonly body?: string
}

/** A step with nothing left open, as the protocols write it. */
export interface Answer {
  readonly id: string
  readonly model: string
  readonly text: readonly string[]
  readonly reasoning: readonly string[]
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly args: string }[]
  readonly usage: Required<ServerUsage>
  readonly finish: 'stop' | 'length' | 'content-filter'
}

/** Fills what a step leaves open. Ids hold the request's number, so that no two answers share one. */
export function completeStep(step: ServerStep, request: number, model: string): Answer {
  return {
    id: `answer_${request}`,
    model,
    text: typeof step.text === 'string' ? cutInPieces(step.text) : (step.text ?? []),
    reasoning: cutInPieces(step.reasoning ?? ''),
    calls: (step.calls ?? []).map(({ tool, args, id }, index) => ({
      id: id ?? `call_r${request}_${index + 1}`,
      tool,
      args: typeof args === 'string' ? args : JSON.stringify(args),
    })),
    usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0, ...step.usage },
    finish: step.finish ?? 'stop',
  }
}

function cutInPieces(text: string): string[] {
  return text.match(/[\s\S]{1,400}/gu) ?? []
}
