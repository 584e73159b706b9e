import { readFileSync } from 'node:fs'
import { listTokens, markerVariable } from '../command/call-marker.ts'
import { selectProcesses } from '../command/call-processes.ts'
import { isProcessAlive, listProcesses, type ProcessFacts, readVariable } from '../table/process-table.ts'
import type { JobRecord } from './job-record.ts'

type Identity = Pick<JobRecord, 'pid' | 'startTicks' | 'bootID' | 'token'>

/** Names this boot of the machine: start times and pids of another one mean nothing here. */
export function readBootID(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/** Is the job's own shell alive: this very process, not another one with its pid? */
export function isShellAlive({ pid, startTicks, bootID }: Identity): boolean {
  return bootID === readBootID() && isProcessAlive(pid, startTicks)
}

/**
 * All live processes of a job. Its process group and session count only as long as its shell lives: their number may
 * be another's after that. Then only the mark in the environment says whose a process is.
 */
export function findJobProcesses(job: Identity): ProcessFacts[] {
  if (job.bootID !== readBootID()) return []
  const isGroupSure = isShellAlive(job)
  return selectProcesses(listProcesses(), job.startTicks, ({ pid, groupId, sessionId }) => {
    if (isGroupSure && (groupId === job.pid || sessionId === job.pid)) return true
    return listTokens(readVariable(pid, markerVariable)).includes(job.token)
  })
}

/** Bytes of memory that the processes hold, by the kernel's count; what they share is counted for each. */
export function measureMemory(processes: readonly ProcessFacts[]): number {
  return processes.reduce((bytes, { pid }) => bytes + readResidentBytes(pid), 0)
}

function readResidentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}
