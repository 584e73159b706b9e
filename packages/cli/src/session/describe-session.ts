import type { MessageWithParts, Part, Session, StoredEvent, ToolPart } from '@deckhand/core'
import { describeCall } from '../terminal/describe-tool.ts'
import { describeEnd } from '../terminal/describe-turn.ts'
import { neutralise, oneLine } from '../terminal/neutralise.ts'

/** A session as text for a person: who said what, each call with all that the model was told, how each turn ended. */
export function describeSession(
  session: Session,
  messages: readonly MessageWithParts[],
  events: readonly StoredEvent[],
): string {
  const head = [
    `${session.id}  ${oneLine(session.title)}`,
    `folder ${oneLine(session.directory)}`,
    `started ${new Date(session.time.created).toISOString()}`,
  ]
  const ends = events.flatMap(({ event }) => (event.type === 'turn.ended' ? [describeEnd(event.outcome)] : []))
  const turns = messages
    .map(({ info, parts }) => describeMessage(info.role, parts, session.directory))
    .filter(text => text !== '')
  return `${[...head, '', ...turns, ends.length > 0 ? `turns: ${ends.join('; ')}` : 'no turn has ended'].join('\n')}\n`
}

function describeMessage(role: 'user' | 'assistant', parts: readonly Part[], directory: string): string {
  const texts = parts.map(part => describePart(part, directory)).filter(text => text !== '')
  return texts.length === 0 ? '' : `${role === 'user' ? '> ' : ''}${texts.join('\n')}\n`
}

function describePart(part: Part, directory: string): string {
  switch (part.type) {
    case 'text':
      return neutralise(part.text) + (part.interrupted ? ' [cut here]' : '')
    case 'reasoning':
      return part.text === '' ? '' : indent(`(thought) ${neutralise(part.text)}`)
    case 'file':
      return `[file ${neutralise(part.filename)}, ${part.mime}]`
    case 'tool':
      return describeTool(part, directory)
    case 'step-start':
    case 'step-finish':
      return ''
  }
}

function describeTool(part: ToolPart, directory: string): string {
  const { state } = part
  const call = `● ${describeCall(part, directory)}`
  if (state.status === 'completed') return `${call}\n${indent(neutralise(state.output))}`
  return state.status === 'error'
    ? `${call}\n${indent(`failed: ${neutralise(state.error)}`)}`
    : `${call}\n${indent('(no result)')}`
}

function indent(text: string): string {
  return text
    .split('\n')
    .map(line => (line === '' ? '' : `  ${line}`))
    .join('\n')
}
