import type { ToolResult } from '@deckhand/core'
import type { Job, JobFacts } from '@deckhand/process'
import { describeJob } from './describe-job.ts'
import { findCharacterEnd } from './job-log.ts'
import { type ShownBytes, viewLog } from './view-log.ts'

/** What is new in the log since a position, and how the job is. */
export function describeNews(job: Job, from: number, limits: ShownBytes, words: readonly string[]): ToolResult {
  const facts = job.facts()
  const to = Math.max(from, findCharacterEnd(facts.logPath, facts.bytes))
  const text = viewLog(facts, { from, to }, limits)
  return describeResult(job, facts, text, [...words, to === from ? 'nothing new' : '', `cursor ${to}`], to)
}

/** A text from its log, and a line of facts. */
export function describeResult(
  job: Job,
  facts: JobFacts,
  text: string,
  words: readonly string[],
  cursor = facts.bytes,
): ToolResult {
  const line = [...words, describeJob(facts, job.listProcesses(), Date.now())].filter(word => word !== '').join(' · ')
  return {
    title: `${job.id}: ${oneLine(facts.command)}`,
    output: text === '' ? line : `${text}\n${line}`,
    metadata: { ...describeFacts(facts), cursor },
  }
}

/** The facts of a job for programs and screens. */
export function describeFacts({ id, command, pid, bytes, end, startedAt, endedAt, logPath }: JobFacts) {
  return { id, command, pid, bytes, running: end === undefined, end, startedAt, endedAt, outputPath: logPath }
}

const mostCommandChars = 200

/** A command on one line, at most 200 characters of it. */
export function oneLine(command: string): string {
  const line = command.replace(/\s+/g, ' ').trim()
  return line.length > mostCommandChars ? `${line.slice(0, mostCommandChars)}…` : line
}
