import { setTimeout as sleep } from 'node:timers/promises'
import { ToolFailure, type ToolResult } from '@deckhand/core'
import type { Job, JobFacts } from '@deckhand/process'
import { planContainment } from '../shell/containment.ts'
import { describeNews } from './describe-result.ts'
import type { JobCall } from './job-call.ts'
import { encodeKey } from './keys.ts'
import { hasOutputAfter, waitForJob } from './wait-for-job.ts'

const defaultWriteMs = 5000
// How long the job may take to answer what was written, and how long it may rest before its answer counts as whole.
const answerMs = 500
const restMs = 100

/** Writes to the input of a job, and tells what it printed in answer. */
export async function writeInput(job: Job, call: JobCall): Promise<ToolResult> {
  const { input, setup, context } = call
  const facts = job.facts()
  const target = requireInput(job, facts)
  const keys = (input.keys ?? []).map(encodeKey).join('')
  const text = `${input.text ?? ''}${job.terminal ? keys : keys.replaceAll('\r', '\n')}`
  if (text === '' && !input.eof)
    throw new ToolFailure('invalid-input', 'job write needs text, keys or eof; nothing was written.')
  if (!job.terminal && /[\x00-\x08\x0b-\x1f]/.test(keys.replaceAll('\r', '')))
    throw new ToolFailure(
      'invalid-input',
      `${job.id} has no terminal, so such keys mean nothing to it; nothing was written. For ctrl-c use job signal SIGINT, for ctrl-d eof.`,
    )
  await askToWrite(text, facts, call)
  const timeout = AbortSignal.timeout(input.timeoutMs ?? defaultWriteMs)
  const bytes = Buffer.from(text)
  const { taken, isClosed } = await target.write(bytes, AbortSignal.any([context.signal, timeout]))
  context.signal.throwIfAborted()
  if (input.eof && taken === bytes.length) target.end()
  await waitForAnswer(job, facts.bytes, context.signal)
  return describeNews(
    job,
    facts.bytes,
    setup.limits,
    describeWritten(bytes.length, taken, isClosed, input.eof ?? false),
  )
}

function requireInput(job: Job, { end, isFound, hasStdin }: JobFacts) {
  if (end) throw new ToolFailure('invalid-input', `${job.id} has ended; nothing was written.`)
  if (job.input) return job.input
  const why =
    isFound && hasStdin ? 'was started by an earlier run of Deckhand, and its input is closed' : 'has no input'
  throw new ToolFailure('invalid-input', `${job.id} ${why}; nothing was written. Start it with stdin or tty.`)
}

// What is written to a shell or an interpreter is run by it.
async function askToWrite(text: string, { id, command, cwd, request }: JobFacts, call: JobCall): Promise<void> {
  const { setup, context } = call
  const line = text.trim()
  if (line === '') return
  const state = setup.shells.open('main').state
  const parts = await setup.assess(line, cwd, state)
  const { containment, workspace } = setup
  const isContained = containment !== undefined && request?.isContained === true
  const asked = isContained ? (await planContainment(parts, { ...containment, workspace }, context)).parts : parts
  await context.ask({ title: `write to ${id} (${command}): ${line}`, parts: asked, metadata: { cwd, job: id } })
}

function describeWritten(length: number, taken: number, isClosed: boolean, eof: boolean): readonly string[] {
  if (isClosed) return [`its input is closed: of ${length} bytes it took ${taken}`]
  if (taken < length) return [`of ${length} bytes it took ${taken}: it does not read on`]
  return [length === 0 ? '' : `${length} bytes were written`, eof ? 'its input is at its end' : '']
}

async function waitForAnswer(job: Job, from: number, signal: AbortSignal): Promise<void> {
  await waitForJob(job, hasOutputAfter(from), { timeoutMs: answerMs, signal })
  const deadline = performance.now() + answerMs
  for (let before = -1; before !== job.facts().bytes && performance.now() < deadline; ) {
    before = job.facts().bytes
    await sleep(restMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
