// What a line of `run --format json` may be, checked at run time. OpenCode's lines are among them.
import { z } from 'zod'

const span = z.looseObject({ start: z.number(), end: z.number() })
const started = z.looseObject({ start: z.number() })
const facts = z.record(z.string(), z.unknown())

const tokens = z.looseObject({
  total: z.number(),
  input: z.number(),
  output: z.number(),
  reasoning: z.number(),
  cache: z.looseObject({ read: z.number(), write: z.number() }),
})

const endedState = z.discriminatedUnion('status', [
  z.looseObject({
    status: z.literal('completed'),
    input: z.unknown(),
    output: z.string(),
    title: z.string(),
    metadata: facts,
    time: span,
  }),
  z.looseObject({ status: z.literal('error'), input: z.unknown(), error: z.string(), time: span }),
])

const openState = z.looseObject({ status: z.enum(['pending', 'running']), input: z.unknown(), time: started })

function part<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject({
    id: z.string().startsWith('prt_'),
    messageID: z.string().startsWith('msg_'),
    sessionID: z.string().startsWith('ses_'),
    ...shape,
  })
}

const toolPart = { type: z.literal('tool'), tool: z.string(), callID: z.string() }

const errorFacts = z.looseObject({ name: z.string(), data: z.looseObject({ message: z.string() }) })

function line<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.looseObject({ type: z.literal(type), timestamp: z.number(), sessionID: z.string(), ...shape })
}

/** Every line, of ours and of OpenCode 1.18. More fields may stand anywhere; readers pass over what they don't know. */
export const lineSchema = z.discriminatedUnion('type', [
  line('session.start', {
    directory: z.string(),
    title: z.string(),
    model: z.looseObject({ providerID: z.string(), modelID: z.string() }),
    mode: z.string(),
  }),
  line('step_start', { part: part({ type: z.literal('step-start') }) }),
  line('text', { part: part({ type: z.literal('text'), text: z.string(), time: span }) }),
  line('text.interrupted', {
    part: part({ type: z.literal('text'), text: z.string(), time: span, interrupted: z.literal(true) }),
  }),
  line('reasoning', { part: part({ type: z.literal('reasoning'), text: z.string(), time: span }) }),
  line('tool.start', { part: part({ ...toolPart, state: openState }) }),
  line('tool_use', { part: part({ ...toolPart, state: endedState }) }),
  line('step_finish', {
    part: part({ type: z.literal('step-finish'), reason: z.string(), tokens, cost: z.number() }),
  }),
  line('retry', { attempt: z.number(), maxAttempts: z.number(), delayMs: z.number(), error: errorFacts }),
  line('permission', {
    id: z.string().startsWith('per_'),
    tool: z.string(),
    callID: z.string(),
    title: z.string(),
    parts: z.array(z.looseObject({ permission: z.string(), pattern: z.string() })),
    answer: z.looseObject({ reply: z.enum(['once', 'always', 'reject', 'unanswered']) }).optional(),
  }),
  line('notice', { code: z.string(), message: z.string() }),
  line('session.idle', {
    reason: z.enum(['done', 'step-limit', 'time-limit', 'doom-loop', 'output-limit', 'cancelled']),
    exitCode: z.number(),
    text: z.string(),
    tokens,
    cost: z.number(),
    steps: z.number(),
    unanswered: z.number(),
  }),
  line('error', { error: errorFacts }),
])
