import type { Answer } from './step.ts'

/** A server-sent event, as text without its closing blank line. */
export type ServerEvent = string

export interface Protocol {
  readonly name: 'chat' | 'responses' | 'anthropic' | 'google'
  /** The events of one answer, in order. */
  events(answer: Answer): ServerEvent[]
  /** The event that tells of an error in mid-stream. */
  errorEvent(message: string, code: string | undefined, status: number | undefined): ServerEvent
  /** The body of an HTTP error. */
  errorBody(message: string, code: string | undefined, status: number): unknown
  /** How many turns of the assistant the request holds. */
  countTurns(body: RequestBody): number
}

export interface RequestBody {
  readonly model?: string
  readonly messages?: readonly RequestItem[]
  readonly input?: string | readonly RequestItem[]
  readonly contents?: readonly RequestItem[]
  readonly tools?: readonly unknown[]
  readonly [key: string]: unknown
}

interface RequestItem {
  readonly role?: string
  readonly type?: string
  readonly [key: string]: unknown
}

const data = (value: unknown): ServerEvent => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}`
const named = (event: { readonly type: string; readonly [key: string]: unknown }): ServerEvent =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}`

// Runs of the assistant's own items, as one turn may be several items.
function countRuns(items: readonly RequestItem[], isOwn: (item: RequestItem) => boolean): number {
  return items.filter((item, index) => isOwn(item) && !(index > 0 && isOwn(items[index - 1] ?? {}))).length
}

const chat: Protocol = {
  name: 'chat',
  events({ id, model, text, reasoning, calls, usage, finish }) {
    const chunk = (delta: unknown, finishReason: string | null = null) =>
      data({
        id,
        object: 'chat.completion.chunk',
        created: 0,
        model,
        choices: [{ index: 0, delta, finish_reason: finishReason }],
      })
    const reasons = {
      stop: calls.length > 0 ? 'tool_calls' : 'stop',
      length: 'length',
      'content-filter': 'content_filter',
    }
    return [
      chunk({ role: 'assistant', content: '' }),
      ...reasoning.map(piece => chunk({ reasoning_content: piece })),
      ...text.map(piece => chunk({ content: piece })),
      ...calls.flatMap((call, index) => {
        const half = Math.ceil(call.args.length / 2)
        const start = {
          index,
          id: call.id,
          type: 'function',
          function: { name: call.tool, arguments: call.args.slice(0, half) },
        }
        return [
          chunk({ tool_calls: [start] }),
          chunk({ tool_calls: [{ index, function: { arguments: call.args.slice(half) } }] }),
        ]
      }),
      chunk({}, reasons[finish]),
      data({
        id,
        object: 'chat.completion.chunk',
        created: 0,
        model,
        choices: [],
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
          prompt_tokens_details: { cached_tokens: usage.cacheRead },
          completion_tokens_details: { reasoning_tokens: usage.reasoning },
        },
      }),
      data('[DONE]'),
    ]
  },
  errorEvent: (message, code, status) =>
    data({ error: { message, type: code ?? 'server_error', code: status ?? null, param: null } }),
  errorBody: (message, code) => ({ error: { message, type: code ?? 'server_error', code: code ?? null, param: null } }),
  countTurns: body => countRuns(body.messages ?? [], item => item.role === 'assistant'),
}

const responses: Protocol = {
  name: 'responses',
  events({ id, model, text, reasoning, calls, usage, finish }) {
    const events: ServerEvent[] = []
    let sequence = 0
    const add = (type: string, fields: Record<string, unknown>) =>
      events.push(named({ type, sequence_number: sequence++, ...fields }))
    const output: unknown[] = []
    const response = (status: string) => ({
      id: `resp_${id}`,
      object: 'response',
      created_at: 0,
      status,
      model,
      output,
    })
    add('response.created', { response: response('in_progress') })
    add('response.in_progress', { response: response('in_progress') })
    const addItem = (
      opened: object,
      closed: object,
      between: (at: { item_id: unknown; output_index: number }) => void,
    ) => {
      const at = { item_id: (closed as { id: string }).id, output_index: output.length }
      add('response.output_item.added', { output_index: at.output_index, item: opened })
      between(at)
      add('response.output_item.done', { output_index: at.output_index, item: closed })
      output.push(closed)
    }
    if (reasoning.length > 0) {
      const item = { type: 'reasoning', id: `rs_${id}`, summary: [], encrypted_content: 'sealed' }
      addItem(
        { ...item, encrypted_content: null },
        { ...item, summary: [{ type: 'summary_text', text: reasoning.join('') }] },
        at => {
          const place = { ...at, summary_index: 0 }
          add('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } })
          for (const delta of reasoning) add('response.reasoning_summary_text.delta', { ...place, delta })
          add('response.reasoning_summary_text.done', { ...place, text: reasoning.join('') })
          add('response.reasoning_summary_part.done', {
            ...place,
            part: { type: 'summary_text', text: reasoning.join('') },
          })
        },
      )
    }
    if (text.length > 0) {
      const item = { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed' }
      const part = { type: 'output_text', text: text.join(''), annotations: [] }
      addItem({ ...item, status: 'in_progress', content: [] }, { ...item, content: [part] }, at => {
        const place = { ...at, content_index: 0 }
        add('response.content_part.added', { ...place, part: { ...part, text: '' } })
        for (const delta of text) add('response.output_text.delta', { ...place, delta })
        add('response.output_text.done', { ...place, text: part.text })
        add('response.content_part.done', { ...place, part })
      })
    }
    for (const call of calls) {
      const item = {
        type: 'function_call',
        id: `fc_${call.id}`,
        call_id: call.id,
        name: call.tool,
        status: 'completed',
      }
      addItem({ ...item, status: 'in_progress', arguments: '' }, { ...item, arguments: call.args }, at => {
        const half = Math.ceil(call.args.length / 2)
        add('response.function_call_arguments.delta', { ...at, delta: call.args.slice(0, half) })
        add('response.function_call_arguments.delta', { ...at, delta: call.args.slice(half) })
        add('response.function_call_arguments.done', { ...at, arguments: call.args })
      })
    }
    const whole = finish === 'stop'
    const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter'
    add(whole ? 'response.completed' : 'response.incomplete', {
      response: {
        ...response(whole ? 'completed' : 'incomplete'),
        incomplete_details: whole ? null : { reason },
        usage: {
          input_tokens: usage.input,
          input_tokens_details: { cached_tokens: usage.cacheRead },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: usage.reasoning },
          total_tokens: usage.input + usage.output,
        },
      },
    })
    return events
  },
  errorEvent: (message, code) =>
    named({
      type: 'response.failed',
      sequence_number: 99,
      response: {
        id: 'resp_failed',
        object: 'response',
        status: 'failed',
        error: { code: code ?? 'server_error', message },
      },
    }),
  errorBody: chat.errorBody,
  countTurns: body =>
    countRuns(
      Array.isArray(body.input) ? body.input : [],
      item => item.role === 'assistant' || /^(reasoning|function_call)$/.test(item.type ?? ''),
    ),
}

const anthropic: Protocol = {
  name: 'anthropic',
  events({ id, model, text, reasoning, calls, usage, finish }) {
    const input = {
      input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation_input_tokens: usage.cacheWrite,
    }
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...input, output_tokens: 1 },
    }
    const events: ServerEvent[] = [named({ type: 'message_start', message }), named({ type: 'ping' })]
    let index = 0
    const addBlock = (block: object, deltas: readonly object[]) => {
      events.push(named({ type: 'content_block_start', index, content_block: block }))
      for (const delta of deltas) events.push(named({ type: 'content_block_delta', index, delta }))
      events.push(named({ type: 'content_block_stop', index }))
      index++
    }
    if (reasoning.length > 0) {
      addBlock({ type: 'thinking', thinking: '', signature: '' }, [
        ...reasoning.map(thinking => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: `signed_${id}` },
      ])
    }
    if (text.length > 0)
      addBlock(
        { type: 'text', text: '' },
        text.map(piece => ({ type: 'text_delta', text: piece })),
      )
    for (const call of calls) {
      const half = Math.ceil(call.args.length / 2)
      addBlock({ type: 'tool_use', id: call.id, name: call.tool, input: {} }, [
        { type: 'input_json_delta', partial_json: call.args.slice(0, half) },
        { type: 'input_json_delta', partial_json: call.args.slice(half) },
      ])
    }
    const reasons = {
      stop: calls.length > 0 ? 'tool_use' : 'end_turn',
      length: 'max_tokens',
      'content-filter': 'refusal',
    }
    const output = {
      output_tokens: usage.output,
      ...(usage.reasoning > 0 && { output_tokens_details: { thinking_tokens: usage.reasoning } }),
    }
    events.push(
      named({
        type: 'message_delta',
        delta: { stop_reason: reasons[finish], stop_sequence: null },
        usage: { ...input, ...output },
      }),
      named({ type: 'message_stop' }),
    )
    return events
  },
  errorEvent: (message, code) => named({ type: 'error', error: { type: code ?? 'api_error', message } }),
  errorBody: (message, code) => ({ type: 'error', error: { type: code ?? 'api_error', message } }),
  countTurns: body => countRuns(body.messages ?? [], item => item.role === 'assistant'),
}

const google: Protocol = {
  name: 'google',
  events({ id, model, text, reasoning, calls, usage, finish }) {
    const reasons = { stop: 'STOP', length: 'MAX_TOKENS', 'content-filter': 'SAFETY' }
    const chunk = (parts: readonly object[], more: object = {}) =>
      data({
        candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
        modelVersion: model,
        responseId: id,
      })
    const bodies = [
      ...reasoning.map(piece => chunk([{ text: piece, thought: true }])),
      ...text.map(piece => chunk([{ text: piece }])),
      ...calls.map((call, index) =>
        chunk([
          {
            functionCall: { id: call.id, name: call.tool, args: JSON.parse(call.args) },
            ...(index === 0 && { thoughtSignature: `signed_${id}` }),
          },
        ]),
      ),
    ]
    return [
      ...bodies,
      data({
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] }, finishReason: reasons[finish] }],
        modelVersion: model,
        responseId: id,
        usageMetadata: {
          promptTokenCount: usage.input,
          cachedContentTokenCount: usage.cacheRead,
          candidatesTokenCount: usage.output - usage.reasoning,
          thoughtsTokenCount: usage.reasoning,
          totalTokenCount: usage.input + usage.output,
        },
      }),
    ]
  },
  errorEvent: (message, code, status) => data({ error: { code: status ?? 500, message, status: code ?? 'INTERNAL' } }),
  errorBody: (message, code, status) => ({ error: { code: status, message, status: code ?? 'INTERNAL' } }),
  countTurns: body => countRuns(body.contents ?? [], item => item.role === 'model'),
}

/** The protocol that a path belongs to; only its end counts. */
export function resolveProtocol(path: string): Protocol | undefined {
  if (path.endsWith('/chat/completions')) return chat
  if (path.endsWith('/responses')) return responses
  if (path.endsWith('/messages')) return anthropic
  if (/:streamGenerateContent$/.test(path)) return google
  return undefined
}
