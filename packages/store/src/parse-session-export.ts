import { isId, messageOf, SessionError, type SessionEvent, type SessionExport } from '@deckhand/core'
import { z } from 'zod'

/**
 * Checks an export whole: its form, that its events belong to its session, and that their numbers run from 1 without
 * gaps. Fields that are not known are kept. Throws SessionError `invalid-import`, which names the place.
 */
export function parseSessionExport(data: unknown): SessionExport {
  refuseOtherFormat(data)
  const parsed = sessionExport.safeParse(data)
  if (!parsed.success) throw createImportError(describeIssue(parsed.error), parsed.error)
  // The schema checks what the store and the readers of sessions rely on; its type is wider than the real one.
  const result = parsed.data as unknown as SessionExport
  result.events.forEach((stored, index) => {
    const problem = findMisplacement(result, stored, index)
    if (problem) throw createImportError(`events.${index}${problem}`)
  })
  return result
}

function refuseOtherFormat(data: unknown): void {
  const { format, version } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
  if (format !== 'deckhand-session') throw createImportError('format: it must be "deckhand-session"')
  if (typeof version === 'number' && version > 1)
    throw createImportError(`version: it is ${version}, this program knows 1. Update Deckhand`)
}

function findMisplacement(
  { session }: SessionExport,
  { seq, sessionID, event }: SessionExport['events'][number],
  index: number,
): string | undefined {
  if (seq !== index + 1) return `.seq: it must be ${index + 1}, it is ${seq}`
  if (sessionID !== session.id || (ownerOf(event) ?? session.id) !== session.id)
    return ': it belongs to another session'
  if ((event.type === 'session.created') !== (index === 0))
    return '.event.type: "session.created" must be the first event, and only the first'
  return undefined
}

function ownerOf(event: SessionEvent): string | undefined {
  if (event.type === 'session.created') return event.session.id
  if (event.type === 'message.updated') return event.message.sessionID
  return event.type === 'part.updated' ? event.part.sessionID : undefined
}

function createImportError(problem: string, cause?: unknown): SessionError {
  return new SessionError(
    'invalid-import',
    `This is not a session that Deckhand exported: ${problem}. Nothing was imported.`,
    { problem },
    { cause },
  )
}

function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues
  if (!issue) return messageOf(error)
  const place = issue.path.join('.') || 'the file'
  // Zod says only "Invalid input" where the field that tells the kinds apart has none of the known values.
  return `${place}: ${issue.code === 'invalid_union' ? 'this kind is not known' : issue.message}`
}

const id = (kind: 'session' | 'message' | 'part') =>
  z.string().refine(text => isId(kind, text), `it must be an id of a ${kind}`)
// Sums of counts and times stay within what a number and a date can hold: one absurd value must not break lists.
const count = z.number().int().min(0).max(1e12)
const cost = z.number().min(0).max(1e9)
const time = z.number().int().min(0).max(8.64e15)
const record = z.record(z.string(), z.unknown())
const span = z.looseObject({ start: time, end: time })
const started = z.looseObject({ start: time })
const tokens = z.looseObject({
  total: count,
  input: count,
  output: count,
  reasoning: count,
  cache: z.looseObject({ read: count, write: count }),
})
const model = z.looseObject({ providerID: z.string(), modelID: z.string() })
const errorFacts = z.looseObject({ name: z.string(), data: z.looseObject({ message: z.string() }) })

const session = z.looseObject({
  id: id('session'),
  title: z.string(),
  directory: z.string(),
  parentID: id('session').optional(),
  model: model.optional(),
  time: z.looseObject({ created: time, updated: time }),
})

const attachment = z.looseObject({ mime: z.string(), filename: z.string().optional(), url: z.string() })
const toolState = z.discriminatedUnion('status', [
  z.looseObject({ status: z.literal('pending'), input: z.unknown(), time: started }),
  z.looseObject({
    status: z.literal('running'),
    input: z.unknown(),
    title: z.string().optional(),
    metadata: record.optional(),
    time: started,
  }),
  z.looseObject({
    status: z.literal('completed'),
    input: z.unknown(),
    output: z.string(),
    title: z.string(),
    metadata: record,
    attachments: z.array(attachment).optional(),
    time: span,
  }),
  z.looseObject({
    status: z.literal('error'),
    input: z.unknown(),
    error: z.string(),
    metadata: record.optional(),
    time: span,
  }),
])
const owned = {
  id: id('part'),
  sessionID: id('session'),
  messageID: id('message'),
  metadata: z.record(z.string(), record).optional(),
}
const part = z.discriminatedUnion('type', [
  z.looseObject({ ...owned, type: z.enum(['text', 'reasoning']), text: z.string(), time: span }),
  z.looseObject({ ...owned, type: z.literal('file'), mime: z.string(), filename: z.string(), url: z.string() }),
  z.looseObject({ ...owned, type: z.literal('tool'), tool: z.string(), callID: z.string(), state: toolState }),
  z.looseObject({ ...owned, type: z.literal('step-start') }),
  z.looseObject({ ...owned, type: z.literal('step-finish'), reason: z.string(), tokens, cost }),
])
const owner = {
  id: id('message'),
  sessionID: id('session'),
  agent: z.string(),
  model,
  time: z.looseObject({ created: time, completed: time.optional() }),
}
const message = z.discriminatedUnion('role', [
  z.looseObject({ ...owner, role: z.literal('user') }),
  z.looseObject({
    ...owner,
    role: z.literal('assistant'),
    tokens,
    cost,
    finish: z.string().optional(),
    error: errorFacts.optional(),
  }),
])

const question = z.looseObject({
  tool: z.string(),
  callID: z.string(),
  title: z.string(),
  parts: z.array(z.looseObject({ permission: z.string(), pattern: z.string(), effect: z.string() })),
})
const outcome = z.looseObject({
  reason: z.string(),
  text: z.string(),
  tokens,
  cost,
  steps: count,
  unanswered: count,
  error: errorFacts.optional(),
})
const event = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('session.created'), session }),
  z.looseObject({
    type: z.literal('session.updated'),
    changes: z.looseObject({
      title: z.string().optional(),
      model: model.optional(),
      directory: z.string().optional(),
    }),
  }),
  z.looseObject({ type: z.literal('message.updated'), message }),
  z.looseObject({ type: z.literal('part.updated'), part }),
  z.looseObject({ type: z.literal('permission.asked'), id: z.string(), question }),
  z.looseObject({
    type: z.literal('permission.answered'),
    id: z.string(),
    answer: z.looseObject({ reply: z.string() }),
  }),
  z.looseObject({
    type: z.literal('retry'),
    attempt: count,
    maxAttempts: count,
    delayMs: z.number().min(0),
    error: errorFacts,
  }),
  z.looseObject({ type: z.literal('notice'), code: z.string(), message: z.string() }),
  z.looseObject({ type: z.literal('turn.started'), turnID: z.string() }),
  z.looseObject({ type: z.literal('turn.ended'), turnID: z.string(), outcome }),
])

const sessionExport = z.object({
  format: z.literal('deckhand-session'),
  version: z.literal(1),
  session,
  events: z.array(z.looseObject({ sessionID: id('session'), seq: count, time, event })).min(1),
})
