import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandEnd } from '@deckhand/process'
import { describeDuration } from './describe-facts.ts'
import { describeShellOutcome } from './describe-shell-outcome.ts'
import type { ShellOutcome } from './shell-outcome.ts'
import type { StateFacts } from './state-facts.ts'

const noChange: StateFacts = { isLost: false, newOptions: [], hasOldErrexit: false, leftOut: [] }

type Changes = Partial<Omit<ShellOutcome, 'run'>> & { end?: CommandEnd; leftovers?: ShellOutcome['run']['leftovers'] }

function describe({ end = { kind: 'exited', code: 0 }, leftovers, ...changes }: Changes): string {
  const outcome: ShellOutcome = {
    command: 'npm test',
    run: { end, durationMs: 3214, leftovers: leftovers ?? { known: true, processes: [] }, isOneStream: true },
    view: { kind: 'none' },
    pipeFailures: [],
    withheld: [],
    timeoutMs: 120_000,
    maxTimeoutMs: 600_000,
    ...changes,
  }
  return describeShellOutcome(outcome, () => 'k3f9q2')
}

test('shell.untrusted_fencing: the output stands in its fence, the facts below it', () => {
  assert.equal(
    describe({
      view: { kind: 'whole', text: '1 failing' },
      end: { kind: 'exited', code: 1 },
      state: { ...noChange, cwd: 'src' },
    }),
    '<output of="npm test" fence="k3f9q2">\n1 failing\n</output fence="k3f9q2">\nexit 1 · 3.2 s · cwd src (stays for the next call)',
  )
})

const stop = { signals: ['SIGTERM', 'SIGKILL'], survivors: [] } as const
const cases: readonly (readonly [string, Changes, string])[] = [
  ['no output', {}, 'exit 0 · no output · 3.2 s'],
  [
    'shell.benign_exit: a benign code',
    { end: { kind: 'exited', code: 1 }, benign: 'grep found no match' },
    'exit 1: grep found no match; not a failure · no output · 3.2 s',
  ],
  ['a missing command', { end: { kind: 'exited', code: 127 } }, 'exit 127: command not found · no output · 3.2 s'],
  [
    'what can not be run',
    { end: { kind: 'exited', code: 126 } },
    'exit 126: found, but not a program that can be run · no output · 3.2 s',
  ],
  [
    'shell.signal_honesty: a shell killed by SIGKILL',
    { end: { kind: 'killed', signal: 'SIGKILL' } },
    'killed by SIGKILL (exit 137), often sent by the system when memory runs out · no output · 3.2 s',
  ],
  [
    'shell.signal_honesty: a child killed by SIGKILL',
    { end: { kind: 'exited', code: 137 } },
    'exit 137: usually a command killed by SIGKILL, often sent by the system when memory runs out · no output · 3.2 s',
  ],
  [
    'shell.signal_honesty: a child that crashed',
    { end: { kind: 'exited', code: 139 } },
    'exit 139: usually a command killed by SIGSEGV, a crash · no output · 3.2 s',
  ],
  ['a code of a program above 128', { end: { kind: 'exited', code: 200 } }, 'exit 200 · no output · 3.2 s'],
  [
    'shell.sigterm_escalation: a timeout',
    { end: { kind: 'timed-out', timeoutMs: 120_000, stop } },
    'timed out after 120 s: sent SIGTERM, then SIGKILL; survivors: none. Raise timeoutMs (at most 600000), or start it with background true and wait for it with job wait · no output · 3.2 s',
  ],
  [
    'a timeout at the cap, with a survivor',
    {
      end: {
        kind: 'timed-out',
        timeoutMs: 600_000,
        stop: { ...stop, survivors: [{ pid: 7, command: 'dd if=/dev/sr0', listeningPorts: [] }] },
      },
      timeoutMs: 600_000,
      cappedFromMs: 900_000,
    },
    'timed out after 600 s: sent SIGTERM, then SIGKILL; survivors: dd if=/dev/sr0 (pid 7). Start it with background true and wait for it with job wait · no output · 3.2 s · timeoutMs 900000 was capped: at most 600000 (600 s)',
  ],
  [
    'core.cancel: a cancel',
    { end: { kind: 'cancelled', reason: new Error('x'), stop: { signals: ['SIGTERM'], survivors: [] } } },
    'cancelled by the user: sent SIGTERM; survivors: none · no output · 3.2 s',
  ],
  [
    'a flood',
    { end: { kind: 'capped', maxBytes: 2 * 1024 ** 3, stop: { signals: ['SIGTERM'], survivors: [] } } },
    'ended as it printed more than 2.00 GB: sent SIGTERM; survivors: none · no output · 3.2 s',
  ],
  [
    'what is left running',
    {
      leftovers: {
        known: true,
        processes: [
          { pid: 4242, command: 'node server.js', listeningPorts: [3000] },
          { pid: 4243, command: 'sleep 60', listeningPorts: [] },
        ],
      },
    },
    'exit 0 · no output · 3.2 s · still running: node server.js (pid 4242), listening on 3000; sleep 60 (pid 4243) (ended when Deckhand ends; what it prints here is dropped)',
  ],
  [
    'shell.persistent: a folder for one call',
    { state: { ...noChange, workdir: 'src' } },
    'exit 0 · no output · 3.2 s · cwd src (for this call)',
  ],
  [
    'shell.persistent: a state that is lost',
    { state: { ...noChange, isLost: true } },
    'exit 0 · no output · 3.2 s · cd and variables of this call are not kept; the next starts as this one did',
  ],
  [
    'shell.persistent: a folder that is gone',
    { state: { ...noChange, vanished: 'old' } },
    'exit 0 · no output · 3.2 s · old does not exist any more, so it ran in the workspace',
  ],
  [
    'shell.persistent: options that stay',
    { state: { ...noChange, newOptions: ['errexit', 'nounset'] } },
    'exit 0 · no output · 3.2 s · set -o errexit nounset stays on for the next call',
  ],
  [
    'shell.persistent: an option of an earlier call that ended this one',
    { end: { kind: 'exited', code: 1 }, state: { ...noChange, hasOldErrexit: true } },
    'exit 1 · no output · 3.2 s · set -e is on since an earlier call: the first command that fails ends a call',
  ],
  [
    'core.sandbox: what was left out outside the sandbox',
    { state: { ...noChange, leftOut: ['ls', 'PATH'] } },
    'exit 0 · no output · 3.2 s · outside the sandbox without what commands in it had set: ls, PATH',
  ],
  [
    'shell.signal_honesty: a failure that a pipe hides',
    {
      pipeFailures: [
        { name: 'cargo', place: 1, code: 101 },
        { name: undefined, place: 2, code: 3 },
      ],
    },
    'exit 0 · cargo, the first command of the pipe, failed with exit 101; the second command of the pipe failed with exit 3 · no output · 3.2 s',
  ],
]

for (const [title, changes, expected] of cases)
  test(`${title} is told`, () => assert.equal(describe(changes), expected))

test('durations are short and true', () => {
  assert.deepEqual([0.2, 8.4, 999, 3214, 59_960, 120_000, 725_000].map(describeDuration), [
    '1 ms',
    '8 ms',
    '999 ms',
    '3.2 s',
    '60 s',
    '120 s',
    '12 min 5 s',
  ])
})
