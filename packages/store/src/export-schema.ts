import { isId, messageOf, SessionError, type SessionExport } from '@deckhand/core'
import { z } from 'zod'

const id = (kind: 'session' | 'message' | 'part') =>
  z.string().refine(text => isId(kind, text), `must be an id of a ${kind}`)
const count = z.number().int().nonnegative()
const tokens = z.looseObject({
  total: count,
  input: count,
  output: count,
  reasoning: count,
  cache: z.looseObject({ read: count, write: count }),
})
const session = z.looseObject({
  id: id('session'),
  title: z.string(),
  directory: z.string(),
  time: z.looseObject({ created: count, updated: count }),
})
const owned = { id: id('part'), sessionID: id('session'), messageID: id('message') }
const toolState = z.discriminatedUnion('status', [
  z.looseObject({ status: z.enum(['pending', 'running']), input: z.unknown(), time: z.looseObject({ start: count }) }),
  z.looseObject({
    status: z.literal('completed'),
    input: z.unknown(),
    output: z.string(),
    title: z.string(),
    metadata: z.looseObject({}),
  }),
  z.looseObject({ status: z.literal('error'), input: z.unknown(), error: z.string() }),
])
const part = z.discriminatedUnion('type', [
  z.looseObject({ ...owned, type: z.enum(['text', 'reasoning']), text: z.string() }),
  z.looseObject({ ...owned, type: z.literal('file'), mime: z.string(), filename: z.string(), url: z.string() }),
  z.looseObject({ ...owned, type: z.literal('tool'), tool: z.string(), callID: z.string(), state: toolState }),
  z.looseObject({ ...owned, type: z.literal('step-start') }),
  z.looseObject({ ...owned, type: z.literal('step-finish'), reason: z.string(), tokens, cost: z.number() }),
])
const message = z.discriminatedUnion('role', [
  z.looseObject({
    id: id('message'),
    sessionID: id('session'),
    role: z.literal('user'),
    time: z.looseObject({ created: count }),
  }),
  z.looseObject({
    id: id('message'),
    sessionID: id('session'),
    role: z.literal('assistant'),
    time: z.looseObject({ created: count }),
    tokens,
    cost: z.number(),
  }),
])
const event = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('session.created'), session }),
  z.looseObject({ type: z.literal('message.updated'), message }),
  z.looseObject({ type: z.literal('part.updated'), part }),
  z.looseObject({
    type: z.enum([
      'session.updated',
      'permission.asked',
      'permission.answered',
      'retry',
      'notice',
      'turn.started',
      'turn.ended',
    ]),
  }),
])
const exported = z.object({
  format: z.literal('deckhand-session'),
  version: z.literal(1),
  session,
  events: z.array(z.object({ sessionID: id('session'), seq: count, time: count, event })).min(1),
})

/**
 * Checks an export whole: its form, that its events belong to its session and that their numbers run from 1 without
 * gaps. Throws SessionError `invalid-import`, which names the place.
 */
export function parseSessionExport(data: unknown): SessionExport {
  const parsed = exported.safeParse(data)
  if (!parsed.success) throw invalid(describeIssue(parsed.error))
  const result = parsed.data as unknown as SessionExport
  const { id: sessionID } = result.session
  result.events.forEach((stored, index) => {
    if (stored.seq !== index + 1) throw invalid(`events.${index}.seq must be ${index + 1}, it is ${stored.seq}`)
    const inner = ownerOf(stored.event)
    if (stored.sessionID !== sessionID || inner !== sessionID)
      throw invalid(`events.${index} belongs to another session`)
    if ((stored.event.type === 'session.created') !== (index === 0))
      throw invalid(`events.${index}: "session.created" must be the first event, and no other`)
  })
  return result

  function ownerOf(inner: SessionExport['events'][number]['event']): string {
    if (inner.type === 'session.created') return inner.session.id
    if (inner.type === 'message.updated') return inner.message.sessionID
    return inner.type === 'part.updated' ? inner.part.sessionID : sessionID
  }
}

function invalid(what: string): SessionError {
  return new SessionError(
    'invalid-import',
    `This is not a session that Deckhand exported: ${what}. Nothing was imported.`,
  )
}

function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues
  if (!issue) return messageOf(error)
  const place = issue.path.join('.')
  return place === '' ? issue.message : `${place}: ${issue.message}`
}
