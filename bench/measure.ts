// Times whole processes: wall clock, processor time and peak memory, from outside.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface Measure {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakMiB: number
  readonly exitCode: number | null
  readonly stdout: string
}

export interface MeasureOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Ends it with SIGKILL; a bench must not hang. */
  readonly timeoutMs?: number
}

const clockTicksPerSecond = 100

/** Runs a program to its end. Memory is the kernel's own high-water mark, read every few milliseconds while it lives. */
export function measureProcess(argv: readonly [string, ...string[]], options: MeasureOptions = {}): Promise<Measure> {
  const [file, ...args] = argv
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const peak = watchPeak(child.pid ?? 0)
    const killer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 120_000)
    let stdout = ''
    let stderr = ''
    let wallMs = 0
    child.stdout.on('data', chunk => {
      if (stdout.length < 1e6) stdout += chunk
    })
    child.stderr.on('data', chunk => {
      if (stderr.length < 1e5) stderr += chunk
    })
    child.on('error', reject)
    child.on('exit', () => {
      wallMs = performance.now() - start
    })
    child.on('close', exitCode => {
      clearTimeout(killer)
      const { peakMiB, cpuMs } = peak.stop()
      resolve({ wallMs, cpuMs, peakMiB, exitCode, stdout: stdout === '' ? stderr : stdout })
    })
  })
}

function watchPeak(pid: number): { stop(): { peakMiB: number; cpuMs: number } } {
  let peakKiB = 0
  let cpuMs = 0
  const look = () => {
    try {
      peakKiB = Math.max(peakKiB, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0))
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      cpuMs = ((Number(fields[11]) + Number(fields[12])) * 1000) / clockTicksPerSecond
    } catch {
      // It has ended; what was seen last counts.
    }
  }
  const timer = setInterval(look, 4)
  return {
    stop() {
      clearInterval(timer)
      return { peakMiB: peakKiB / 1024, cpuMs }
    },
  }
}

/** The middle of several numbers. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export interface MeasuredProgram {
  readonly argv: readonly [string, ...string[]]
  readonly options?: MeasureOptions
  /** Before each round, not measured: clears away what the round before left. */
  before?(): void
}

/**
 * Runs several programs in turn, round after round, so that a busy moment of the machine falls on all of them alike;
 * one round before is not counted. Gives the middle of each figure. Throws when a program fails: what ends early is
 * soon done.
 */
export async function compareProcesses<Name extends string>(
  programs: Readonly<Record<Name, MeasuredProgram>>,
  rounds: number,
): Promise<Record<Name, Measure>> {
  const names = Object.keys(programs) as Name[]
  const all = new Map<Name, Measure[]>(names.map(name => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const { argv, options, before } = programs[name]
      before?.()
      const measure = await measureProcess(argv, options)
      if (measure.exitCode !== 0)
        throw new Error(`${argv.join(' ')} ended with ${measure.exitCode}: ${measure.stdout.slice(-1000)}`)
      if (round > 0) all.get(name)?.push(measure)
    }
  }
  return Object.fromEntries(names.map(name => [name, middle(all.get(name) ?? [])])) as Record<Name, Measure>
}

function middle(measures: readonly Measure[]): Measure {
  return {
    wallMs: median(measures.map(({ wallMs }) => wallMs)),
    cpuMs: median(measures.map(({ cpuMs }) => cpuMs)),
    peakMiB: median(measures.map(({ peakMiB }) => peakMiB)),
    exitCode: 0,
    stdout: measures.at(-1)?.stdout ?? '',
  }
}
