import { spawn } from 'node:child_process'
import { closeSync, constants, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A small process that writes the output of a job into its log, whatever becomes of us. */
export interface LogKeeper {
  /** Resolves when nobody holds the output any more and all of it is in the log. */
  readonly ended: Promise<void>
}

export interface KeeperPlan {
  /** Is appended to, and made where it is missing; readable by its owner only. */
  readonly logPath: string
  /** No more than this is written into it; what follows is dropped. */
  readonly maxBytes: number
}

// It ends with the output. When the log takes no more (a full disk, the limit) it goes on reading, so that no program is
// held up; cat's own words on the reason are written over the blanks of the problem file, for which a full disk has room.
const script = `trap '' HUP INT TERM XFSZ; ulimit -f "$1"; cat || exec cat > /dev/null`

/**
 * Starts it. It takes over `reader`, the read end of a FIFO, which is closed here. Throws the system's error when the
 * log can't be made.
 */
export function startLogKeeper(reader: number, { logPath, maxBytes }: KeeperPlan): LogKeeper {
  const files: number[] = [reader]
  try {
    mkdirSync(dirname(logPath), { recursive: true, mode: 0o700 })
    const log = openSync(logPath, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600)
    files.push(log)
    writeFileSync(problemPath(logPath), ' '.repeat(blanks), { mode: 0o600 })
    const problem = openSync(problemPath(logPath), 'r+')
    files.push(problem)
    const child = spawn('sh', ['-c', script, 'deckhand-log-keeper', String(Math.ceil(maxBytes / 512))], {
      cwd: '/',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
      stdio: [reader, log, problem],
      // A session of its own, so that what ends us (Ctrl-C, a closed terminal) does not end it.
      detached: true,
    })
    child.unref()
    return {
      ended: new Promise(resolve => {
        child.on('error', () => resolve())
        child.on('exit', () => resolve())
      }),
    }
  } finally {
    for (const file of files) closeSync(file)
  }
}

const blanks = 512

/** Why the log of a job does not go on, in the system's words; undefined while all is well. */
export function readLogProblem(logPath: string): string | undefined {
  try {
    const words = readFileSync(problemPath(logPath), 'utf8').trim().split('\n')[0] ?? ''
    return words.split(': ').at(-1) || undefined
  } catch {
    return undefined
  }
}

/** Where that is kept, beside the log. */
function problemPath(logPath: string): string {
  return `${logPath}.problem`
}
