import type { OutputChannel } from '../channel/output-channel.ts'
import {
  hasProcessTable,
  isAlive,
  isGroupAlive,
  listProcesses,
  type ProcessFacts,
  readVariable,
} from '../table/process-table.ts'
import { isOfRun, listTokens, markerVariable } from './call-marker.ts'
import { describeLeftover, type Leftover, selectProcesses } from './call-processes.ts'
import type { StartedCall } from './command-call.ts'
import type { RunResources } from './run-resources.ts'
import { stopProcesses } from './stop-processes.ts'

/** What became of what was left running. */
export interface EndedLeftovers {
  readonly ended: readonly Leftover[]
  /** Alive after SIGKILL, or not ours to end. */
  readonly survivors: readonly Leftover[]
}

/** Remembers what the calls of one run left running, and keeps its output flowing. */
export interface LeftoverLedger {
  add(call: StartedCall, processes: readonly ProcessFacts[], channel: OutputChannel): void
  list(): readonly Leftover[]
  end(graceMs: number): Promise<EndedLeftovers>
  /** Stops following the outputs. */
  close(): void
}

export function createLeftoverLedger({ runID, isJob }: Pick<RunResources, 'runID' | 'isJob'>): LeftoverLedger {
  const channels = new Set<OutputChannel>()
  const groups = new Set<number>()
  let processes: ProcessFacts[] = []
  let firstTicks = Number.POSITIVE_INFINITY

  // By their marks too, so that what the known ones have started since is found.
  function find(): ProcessFacts[] {
    if (groups.size === 0) return []
    const known = new Set(processes.filter(isAlive).map(({ pid }) => pid))
    const isOurs = ({ pid }: ProcessFacts) => {
      const tokens = listTokens(readVariable(pid, markerVariable))
      return !tokens.some(isJob) && (known.has(pid) || tokens.some(token => isOfRun(token, runID)))
    }
    return selectProcesses(listProcesses(), firstTicks, isOurs)
  }

  async function endGroups(graceMs: number): Promise<void> {
    const alive = [...groups].filter(isGroupAlive)
    await Promise.all(alive.map(groupId => stopProcesses({ find: () => [], groupId, graceMs })))
  }

  return {
    add({ identity }, found, channel) {
      channels.add(channel)
      groups.add(identity.shellPid)
      processes.push(...found)
      firstTicks = Math.min(firstTicks, identity.startTicks)
    },
    list: () => find().map(describeLeftover),
    async end(graceMs) {
      const before = find().map(describeLeftover)
      if (hasProcessTable) processes = [...(await stopProcesses({ find, graceMs })).survivors]
      else await endGroups(graceMs)
      const alive = new Set(processes.map(({ pid }) => pid))
      if (alive.size === 0) groups.clear()
      return { ended: before.filter(({ pid }) => !alive.has(pid)), survivors: processes.map(describeLeftover) }
    },
    close() {
      for (const channel of channels) channel.close()
      channels.clear()
    },
  }
}
