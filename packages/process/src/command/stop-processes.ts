import { setTimeout as sleep } from 'node:timers/promises'
import { hasProcessTable, isAlive, isGroupAlive, type ProcessFacts } from '../table/process-table.ts'

export type StopSignal = 'SIGTERM' | 'SIGKILL'

/** How a stop went. */
export interface StopFacts {
  /** What was sent, in order; empty when nothing was alive any more. */
  readonly signals: readonly StopSignal[]
  /** Alive after all of it. */
  readonly survivors: readonly ProcessFacts[]
}

export interface StopOptions {
  /** Looks who is there to be stopped, anew each time: processes start others while they are being stopped. */
  find(): readonly ProcessFacts[]
  /** A process group to be signalled as one. Only done while one of those found is in it, so that it is surely ours. */
  readonly groupId?: number
  /** How long SIGTERM may take to work; then SIGKILL. */
  readonly graceMs: number
}

/** SIGKILL works at once, but for a process that waits in the kernel (a dead network disk). */
const killWaitMs = 600

/**
 * Ends processes: SIGTERM, a grace time that ends as soon as all are gone, SIGKILL, and a last look who survived.
 * Each is told by pid and start time just before it is signalled. Where processes can't be listed, the group is
 * signalled as it is. Never throws.
 */
export async function stopProcesses({ find, groupId, graceMs }: StopOptions): Promise<StopFacts> {
  const signals: StopSignal[] = []
  const steps: readonly [StopSignal, number][] = [
    ['SIGTERM', graceMs],
    ['SIGKILL', killWaitMs],
  ]
  for (const [signal, waitMs] of steps) {
    const found = find()
    if (!isAnyoneThere(found, groupId)) break
    signals.push(signal)
    sendSignal(signal, found, groupId)
    await waitUntilGone(find, found, groupId, waitMs)
  }
  return { signals, survivors: find() }
}

function isAnyoneThere(found: readonly ProcessFacts[], groupId: number | undefined): boolean {
  return found.length > 0 || (!hasProcessTable && groupId !== undefined && isGroupAlive(groupId))
}

function sendSignal(signal: StopSignal, found: readonly ProcessFacts[], groupId: number | undefined): void {
  const isGroupOurs = !hasProcessTable || found.some(member => member.groupId === groupId)
  if (groupId !== undefined && isGroupOurs) {
    sendTo(-groupId, signal)
    // One that was stopped (SIGSTOP) takes SIGTERM only once it goes on.
    if (signal === 'SIGTERM') sendTo(-groupId, 'SIGCONT')
  }
  for (const member of found) if (member.groupId !== groupId && isAlive(member)) sendTo(member.pid, signal)
}

async function waitUntilGone(
  find: StopOptions['find'],
  found: readonly ProcessFacts[],
  groupId: number | undefined,
  waitMs: number,
): Promise<void> {
  const deadline = performance.now() + waitMs
  for (let delayMs = 2; performance.now() < deadline; delayMs = Math.min(25, delayMs * 2)) {
    await sleep(delayMs)
    found = found.filter(isAlive)
    if (found.length === 0) found = find()
    if (!isAnyoneThere(found, groupId)) return
  }
}

// Nobody there (ESRCH) is as good as done; one that is not ours to signal (EPERM, a setuid program) shows as a survivor.
function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
