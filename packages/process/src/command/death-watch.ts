import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { sparedName } from '../channel/fifo-pool.ts'
import { markerVariable } from './call-marker.ts'

/** A small process beside ours that cleans up when ours dies without a word (kill -9, a crash, lack of memory). */
export interface DeathWatch {
  /** Starts it; again and again is fine. `folder` is removed when we die. */
  start(folder: string | undefined): void
  /** Dismisses it: all is in order. Twice is fine. */
  stop(): Promise<void>
}

// Waits for a word from us. At the end of its input without one, we are dead: what carries our mark is ended (SIGTERM, a
// second of grace, SIGKILL), but for jobs that are to outlive us, and the FIFOs are removed. Where there is no /proc nothing can be found by its mark.
const script = `
read -r word && exit
marks() { grep -lzsE "^${markerVariable}=(.*:)?$1" /proc/[0-9]*/environ | sed 's/[^0-9]//g'; }
spared=
[ ! -s "$2/${sparedName}" ] || spared=$(sed 's/[.]/[.]/g' "$2/${sparedName}" | paste -sd '|')
for signal in TERM 0 0 0 0 KILL KILL KILL; do
  pids=$(marks "$1[.]")
  [ -z "$spared" ] || for kept in $(marks "($spared)(:|$)"); do
    pids=$(for pid in $pids; do [ "$pid" = "$kept" ] || echo "$pid"; done)
  done
  [ -n "$pids" ] || break
  kill -$signal $pids 2>/dev/null
  sleep 0.2
done
[ -z "$2" ] || rm -rf "$2"
`

/** Makes the watch of a run; `runID` is what the marks of its commands begin with. */
export function createDeathWatch(runID: string): DeathWatch {
  let watch: ChildProcess | undefined
  return {
    start(folder = '') {
      watch ??= startWatch(runID, folder)
    },
    async stop() {
      if (!watch || watch.exitCode !== null || watch.signalCode !== null || watch.pid === undefined) return
      watch.ref()
      watch.stdin?.end('all in order\n')
      await once(watch, 'exit')
    },
  }
}

function startWatch(runID: string, folder: string): ChildProcess {
  const watch = spawn('sh', ['-c', script, 'deckhand-death-watch', runID, folder], {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    // A session of its own, so that what ends us (Ctrl-C, a closed terminal) does not end it.
    detached: true,
  })
  // Without it all works, but for the cleaning up after a sudden death.
  watch.on('error', () => undefined)
  watch.stdin?.on('error', () => undefined)
  watch.unref()
  if (watch.stdin && 'unref' in watch.stdin && typeof watch.stdin.unref === 'function') watch.stdin.unref()
  return watch
}
