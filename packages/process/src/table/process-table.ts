import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process as the system lists it. `pid` with `startTicks` names one process for good; a pid alone is used again. */
export interface ProcessFacts {
  readonly pid: number
  readonly parentPid: number
  readonly groupId: number
  readonly sessionId: number
  /** When it started, in clock ticks since boot. */
  readonly startTicks: number
  /** As the kernel writes it: R runs or waits for a processor, D waits for a disk, S sleeps, T is stopped. */
  readonly state: string
  /** Its name as the kernel keeps it, at most 15 characters. */
  readonly name: string
}

/** Can processes be looked up here? Only where /proc is Linux's; elsewhere the functions of this file find nothing. */
export const hasProcessTable = process.platform === 'linux' && existsSync('/proc/self/stat')

/** The process, or undefined when there is none, or only its zombie. */
export function readProcess(pid: number): ProcessFacts | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  const facts = parseStat(stat)
  return facts.state === 'Z' || facts.state === 'X' ? undefined : facts
}

/** When the process started, in clock ticks since boot, also of a zombie; 0 where that can't be known. */
export function readStartTicks(pid: number): number {
  const stat = readText(`/proc/${pid}/stat`)
  return stat === undefined ? 0 : parseStat(stat).startTicks
}

/** All live processes that are to be seen. */
export function listProcesses(): ProcessFacts[] {
  return listPids().flatMap(pid => readProcess(pid) ?? [])
}

/** Does the process with this pid and start still live? Where there is no /proc, any process with the pid counts. */
export function isProcessAlive(pid: number, startTicks: number): boolean {
  return hasProcessTable ? readProcess(pid)?.startTicks === startTicks : isPidTaken(pid)
}

/** Is there any process with this pid, ours or not, a zombie too? A negative number is a process group's. */
export function isPidTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // There is one, but not ours.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Is this very process alive (not another one with its pid, not its zombie)? */
export function isAlive({ pid, startTicks }: ProcessFacts): boolean {
  return readProcess(pid)?.startTicks === startTicks
}

/** Is the number that of a thread inside a process, and not of the process? The system answers for both. */
export function isThread(pid: number): boolean {
  const processId = /^Tgid:\t(\d+)$/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1]
  return processId !== undefined && Number(processId) !== pid
}

/** The pids that the process has in namespaces inside ours, outermost first; empty for one that is in ours. */
export function readInnerPids(pid: number): readonly number[] {
  const pids = /^NSpid:\t(.+)$/m
    .exec(readText(`/proc/${pid}/status`) ?? '')?.[1]
    ?.split('\t')
    .map(Number)
  return pids?.slice(1) ?? []
}

/** Does the process have this file open? */
export function holdsOpen(pid: number, path: string): boolean {
  try {
    const folder = `/proc/${pid}/fd`
    return readdirSync(folder).some(fd => readlinkSync(`${folder}/${fd}`) === path)
  } catch {
    return false
  }
}

/** Is any process in the group? A zombie counts. */
export function isGroupAlive(groupId: number): boolean {
  return isPidTaken(-groupId)
}

/** Its command line as `joinWords` shows it; its name where there is none. */
export function readCommandLine({ pid, name }: ProcessFacts): string {
  const words = readText(`/proc/${pid}/cmdline`)?.replace(/\0+$/, '').split('\0')
  return (words && joinWords(words)) || name
}

/** The words of a command on one line, at most 200 characters. */
export function joinWords(words: readonly string[]): string {
  const line = words.join(' ').replace(/\s+/g, ' ')
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}

/** The value of a variable that the process was started with. Undefined also when we may not look. */
export function readVariable(pid: number, name: string): string | undefined {
  const start = `${name}=`
  return readText(`/proc/${pid}/environ`)
    ?.split('\0')
    .find(entry => entry.startsWith(start))
    ?.slice(start.length)
}

/** The pid that was given out last, or undefined where the kernel does not say (or says nothing sensible). */
export function readLastPid(): number | undefined {
  const pid = Number(readText('/proc/loadavg')?.trim().split(' ').at(-1))
  return pid > 0 ? pid : undefined
}

function listPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

// Fields count from behind the name, which stands in brackets and may hold brackets and blanks itself.
function parseStat(stat: string): ProcessFacts {
  const open = stat.indexOf('(')
  const close = stat.lastIndexOf(')')
  const fields = stat.slice(close + 2).split(' ')
  const [state = ''] = fields
  const field = (index: number) => Number(fields[index])
  return {
    state,
    pid: Number(stat.slice(0, open)),
    parentPid: field(1),
    groupId: field(2),
    sessionId: field(3),
    startTicks: field(19),
    name: stat.slice(open + 1, close),
  }
}

// A process may end between two looks, or belong to somebody else: then there is nothing to read.
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
