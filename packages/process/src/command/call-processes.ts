import { sandboxVariable } from '../sandbox/policy.ts'
import { listListeningPorts } from '../table/listening-ports.ts'
import {
  hasProcessTable,
  holdsOpen,
  isThread,
  listProcesses,
  type ProcessFacts,
  readCommandLine,
  readInnerPids,
  readLastPid,
  readProcess,
  readVariable,
} from '../table/process-table.ts'
import { listTokens, markerVariable } from './call-marker.ts'

/** How the processes of one call are known. */
export interface CallIdentity {
  /** Pid of its shell, which is also the id of its process group and of its session. */
  readonly shellPid: number
  /** When the shell started, in clock ticks since boot; nothing older belongs to the call. */
  readonly startTicks: number
  /** The same on the monotonic clock. */
  readonly startedAtMs: number
  readonly token: string
}

/** A process that outlived its call. */
export interface Leftover {
  /** By which commands can signal it: in a sandbox that they share, the pid that it has in there. */
  readonly pid: number
  readonly command: string
  /** TCP ports that it listens on. */
  readonly listeningPorts: readonly number[]
}

/** All live processes of the call: its group, its session, those that carry its token, and their descendants. */
export function findCallProcesses(call: CallIdentity): ProcessFacts[] {
  return selectProcesses(listProcesses(), call.startTicks, isMemberOf(call))
}

/**
 * As `findCallProcesses`, right after the shell's exit and nearly for free: pids are given out in order, so after a
 * short call only those between the shell's and the newest can be its children. `heldPath` is the output that somebody
 * still holds open: one who has cleared its environment and left the session is found by it.
 */
export function findLeftovers(call: CallIdentity, heldPath?: string): ProcessFacts[] {
  const isMember = isMemberOf(call)
  const isHolder = (pid: number) => heldPath !== undefined && holdsOpen(pid, heldPath)
  return selectProcesses(listCandidates(call), call.startTicks, found => isMember(found) || isHolder(found.pid))
}

/** `isRoot` says which are meant; their descendants come with them. Our own process never does. */
export function selectProcesses(
  candidates: readonly ProcessFacts[],
  startTicks: number,
  isRoot: (candidate: ProcessFacts) => boolean,
): ProcessFacts[] {
  const young = candidates.filter(found => {
    return found.startTicks >= startTicks && found.pid !== process.pid && !isSandboxInit(found)
  })
  const chosen = new Set(young.filter(isRoot))
  for (let before = -1; before !== chosen.size; ) {
    before = chosen.size
    const pids = new Set([...chosen].map(({ pid }) => pid))
    for (const candidate of young) if (pids.has(candidate.parentPid)) chosen.add(candidate)
  }
  return [...chosen]
}

/** What a person or a model is to know of it. */
export function describeLeftover(found: ProcessFacts): Leftover {
  const isShared = readVariable(found.pid, sandboxVariable) === 'shared'
  const pid = (isShared && readInnerPids(found.pid).at(-1)) || found.pid
  return { pid, command: readCommandLine(found), listeningPorts: listListeningPorts(found.pid) }
}

// The first process of a sandbox of its own waits for all others there, and ends with the last of them.
function isSandboxInit({ pid, name }: ProcessFacts): boolean {
  return name === 'bwrap' && readInnerPids(pid).at(-1) === 1
}

function isMemberOf({ shellPid, token }: CallIdentity): (candidate: ProcessFacts) => boolean {
  return ({ pid, groupId, sessionId }) =>
    groupId === shellPid || sessionId === shellPid || listTokens(readVariable(pid, markerVariable)).includes(token)
}

// Pids start over from the lowest when they run out. Within a second that can't lead past the shell's pid again.
const orderHoldsMs = 1000
const fewPids = 64

function listCandidates({ shellPid, startedAtMs }: CallIdentity): ProcessFacts[] {
  if (!hasProcessTable) return []
  const lastPid = readLastPid()
  const isOrderKnown = lastPid !== undefined && lastPid >= shellPid && performance.now() - startedAtMs < orderHoldsMs
  if (!isOrderKnown) return listProcesses()
  if (lastPid - shellPid > fewPids) return listProcesses().filter(({ pid }) => pid > shellPid && pid <= lastPid)
  return Array.from({ length: lastPid - shellPid }, (_, index) => shellPid + 1 + index).flatMap(readNonThread)
}

function readNonThread(pid: number): readonly ProcessFacts[] {
  const found = readProcess(pid)
  return found && !isThread(pid) ? [found] : []
}
