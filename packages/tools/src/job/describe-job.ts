import type { JobEnd, JobFacts, Leftover } from '@deckhand/process'
import { describeSize } from '../output/describe-size.ts'
import { describeDuration, describeProcess, exitCodeOf } from '../shell/describe-facts.ts'

/** The facts of a job in one line, each only where it is true. */
export function describeJob(facts: JobFacts, processes: readonly Leftover[], now: number): string {
  const { id, end, endedAt, startedAt, bytes, logProblem, isFound, isTerminal } = facts
  const age = describeDuration((endedAt ?? now) - startedAt)
  return [
    `${id} ${end ? describeJobEnd(end) : 'is running'}`,
    end ? `it ran ${age}` : `for ${age}`,
    isTerminal ? 'on a terminal' : '',
    isFound ? 'started by an earlier run of Deckhand' : '',
    bytes === 0 ? 'no output' : `${describeSize(bytes)} of output`,
    logProblem === undefined ? '' : `its log does not go on (${logProblem})`,
    describeProcesses(facts, processes),
  ]
    .filter(words => words !== '')
    .join(' · ')
}

/** How it ended, as the end of a sentence that begins with its id. */
function describeJobEnd(end: JobEnd): string {
  switch (end.kind) {
    case 'exited':
      return `ended: exit ${end.code}`
    case 'killed':
      return `was killed by ${end.signal} (exit ${exitCodeOf(end.signal)})`
    case 'stopped': {
      const sent = end.signals.join(', then ')
      const alive = end.survivors.length === 0 ? '' : `; still alive: pid ${end.survivors.join(', ')}`
      return `${stopCauses[end.cause]} (sent ${sent}${end.code === undefined ? '' : `; exit ${end.code}`}${alive})`
    }
    case 'not-started':
      return 'did not start: its sandbox could not be set up; nothing was run'
    case 'unseen':
      return 'ended while Deckhand was not there to see how'
  }
}

const stopCauses = {
  request: 'was stopped',
  'session-end': 'was ended with Deckhand',
  'log-limit': 'was ended as it printed more than its log may hold',
  'memory-limit': 'was ended as it took more memory than it may',
} as const

function describeProcesses({ end, pid }: JobFacts, processes: readonly Leftover[]): string {
  if (end) {
    const left = processes.map(describeProcess).join('; ')
    return left === '' ? '' : `still running: ${left}; job stop ends it`
  }
  const ports = [...new Set(processes.flatMap(({ listeningPorts }) => listeningPorts))]
  return `pid ${pid}${ports.length === 0 ? '' : ` · listening on ${ports.join(', ')}`}`
}
