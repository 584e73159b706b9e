import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LiveEvent } from '@deckhand/agent'
import {
  type MessageID,
  noTokens,
  type Part,
  type PartID,
  type PermissionAnswer,
  type PermissionID,
  type PermissionQuestion,
  type SessionEvent,
  type SessionID,
  type ToolState,
  type TurnOutcome,
} from '@deckhand/core'
import { createTextRenderer, type TextRenderer, type TextRendererOptions } from './text-renderer.ts'

const sessionID = 'ses_00000001' as SessionID
const base = { sessionID, messageID: 'msg_00000001' as MessageID }
const time = { start: 1000, end: 2500 }
const model = { providerID: 'script', modelID: 'a.yaml' }
const header = { sessionID, directory: '/w', title: 'Fix it', model, mode: 'ask' }
const usage = { text: '', tokens: noTokens, cost: 0, steps: 1, unanswered: 0 }
const done: TurnOutcome = { ...usage, reason: 'done' }

interface Picture {
  /** Everything, as on a terminal. */
  all: string
  answer: string
  notes: string
  /** Time goes on. */
  pass(ms: number): void
}

/** What a run puts onto the screen. */
function draw(
  act: (renderer: TextRenderer, picture: Picture) => void,
  options: Partial<TextRendererOptions> = {},
): Picture {
  let now = 0
  const picture: Picture = {
    all: '',
    answer: '',
    notes: '',
    pass(ms) {
      now += ms
    },
  }
  const renderer = createTextRenderer({
    write(text) {
      picture.all += text
      picture.answer += text
    },
    writeNote(text) {
      picture.all += text
      picture.notes += text
    },
    isTerminal: false,
    columns: 60,
    color: false,
    verbose: false,
    quiet: false,
    now: () => now,
    ...options,
  })
  act(renderer, picture)
  return picture
}

let lastPart = 0

function part(fields: Omit<Part, 'id' | 'sessionID' | 'messageID'> & Record<string, unknown>): SessionEvent {
  return { type: 'part.updated', part: { ...base, id: `prt_${++lastPart}` as PartID, ...fields } as Part }
}

function call(tool: string, callID: string, state: ToolState): SessionEvent {
  return part({ type: 'tool', tool, callID, state })
}

function running(input: unknown): ToolState {
  return { status: 'running', input, time: { start: 1000 } }
}

function completed(input: unknown, output: string, metadata: Record<string, unknown> = {}): ToolState {
  return { status: 'completed', input, output, title: 't', metadata, time }
}

function say(renderer: TextRenderer, ...pieces: string[]): void {
  for (const text of pieces) renderer.live({ type: 'text-delta', text })
  renderer.live({ type: 'text-end' })
}

test('core.live_output: a whole turn, as a person sees it', () => {
  const shell = { command: 'npm test' }
  const edit = { path: '/w/src/app.ts', oldText: 'a', newText: 'b' }
  const { all } = draw((renderer, { pass }) => {
    renderer.start(header, '--model')
    renderer.notice('Standard input is open.')
    say(renderer, 'I look ', 'at it.')
    renderer.event(part({ type: 'text', text: 'I look at it.', time }))
    renderer.event(call('shell', 'c1', running(shell)))
    renderer.event(call('shell', 'c1', completed(shell, '', { output: 'not ok 1\n# fail 1\n', exit: 1 })))
    renderer.event(call('read', 'c2', running({ path: 'src/app.ts' })))
    renderer.event(call('read', 'c2', completed({ path: 'src/app.ts' }, 'src/app.ts: 3 lines\n1| a')))
    renderer.event(call('edit', 'c3', running(edit)))
    const diff = '--- a/src/app.ts\n+++ b/src/app.ts\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n'
    renderer.event(call('edit', 'c3', completed(edit, 'Edited.', { diff })))
    renderer.event({
      type: 'retry',
      attempt: 1,
      maxAttempts: 5,
      delayMs: 1500,
      error: { name: 'APIError', data: { message: 'Too many requests.' } },
    })
    say(renderer, 'Mended.\n')
    renderer.event(part({ type: 'text', text: 'Mended.\n', time }))
    pass(61_500)
    const tokens = { total: 13_340, input: 12_000, output: 340, reasoning: 0, cache: { read: 1000, write: 0 } }
    renderer.finish({ ...usage, reason: 'done', steps: 3, tokens, cost: 0.01234 })
  })
  assert.equal(
    all,
    `script/a.yaml (--model) · mode ask · /w
session ses_00000001
! Standard input is open.

I look at it.

● $ npm test
  not ok 1
  # fail 1
  exit 1 · 1.5 s

● read src/app.ts
  src/app.ts: 3 lines

● edit src/app.ts
  @@ -1,2 +1,2 @@
  -a
  +b
   c
↻ Too many requests. Attempt 2 of 5 in 1.5 s.

Mended.

done · 61.5 s · 3 steps · 12,000 tokens in, 1,000 cached, 340 out · $0.0123
`,
  )
})

test('the answer alone is what standard output gets; all else is beside it', () => {
  const { answer, notes } = draw(renderer => {
    renderer.start(header, '--model')
    say(renderer, 'Hello')
    renderer.event(call('todo', 'c1', running({})))
    renderer.finish(done)
  })
  assert.equal(answer, 'Hello\n')
  assert.match(notes, /● todo/)
})

test('a text that was not streamed is printed when it is stored, and one that was is not printed twice', () => {
  const { answer } = draw(renderer => {
    renderer.event(part({ type: 'text', text: 'Stored.', time }))
    say(renderer, 'One', '.')
    say(renderer, 'Two.')
    renderer.event(part({ type: 'text', text: 'One.', time }))
    renderer.event(part({ type: 'text', text: 'Two.', time }))
    renderer.event(part({ type: 'text', text: 'Three.', time }))
  })
  assert.equal(answer, 'Stored.\nOne.\nTwo.\nThree.\n')
})

test('what a broken stream had brought stays, and the next try begins on a new line', () => {
  const { all } = draw(renderer => {
    renderer.live({ type: 'text-delta', text: 'It is th' })
    renderer.event(part({ type: 'text', text: 'It is th', time, interrupted: true }))
    renderer.live({ type: 'text-reset' })
    say(renderer, 'It is the end.')
    renderer.event(part({ type: 'text', text: 'It is the end.', time }))
  })
  assert.equal(all, '\nIt is th\n\nIt is the end.\n')
})

test("the person's own words and thoughts of the model are not shown; thoughts are with --verbose, dimmed, beside the answer", () => {
  const act = (renderer: TextRenderer) => {
    renderer.event({
      type: 'message.updated',
      message: { ...base, id: 'msg_u' as MessageID, role: 'user', agent: 'build', model, time: { created: 1 } },
    })
    renderer.event({
      type: 'part.updated',
      part: { ...base, messageID: 'msg_u' as MessageID, id: 'prt_u' as PartID, type: 'text', text: 'Do it', time },
    })
    renderer.live({ type: 'reasoning-delta', text: 'Hm, \u001b[2Jso' })
    say(renderer, 'Yes.')
  }
  assert.equal(draw(act).all, '\nYes.\n')
  const { answer, notes } = draw(act, { verbose: true, color: true })
  assert.equal(answer, 'Yes.\n')
  assert.equal(notes, '\n\u001b[2mHm, so\u001b[22m\n\n')
})

test("long output shows its last lines, a long diff its first, each within the screen's width", () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} ${'x'.repeat(100)}`)
  const { notes } = draw(
    renderer => {
      renderer.event(call('shell', 'c1', completed({ command: 'yes' }, '', { output: lines.join('\n'), exit: 0 })))
      const diff = Array.from({ length: 50 }, (_, index) => `+${index}`).join('\n')
      renderer.event(call('edit', 'c2', completed({ path: 'a' }, '', { diff })))
    },
    { columns: 20 },
  )
  assert.equal(
    notes,
    `  … 4,993 more lines
  line 4993 xxxxxxx…
  line 4994 xxxxxxx…
  line 4995 xxxxxxx…
  line 4996 xxxxxxx…
  line 4997 xxxxxxx…
  line 4998 xxxxxxx…
  line 4999 xxxxxxx…
  exit 0 · 1.5 s
${Array.from({ length: 23 }, (_, index) => `  +${index}`).join('\n')}
  … 27 more lines
`,
  )
})

test('how a command ended is told as it was', () => {
  const ends: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ exit: 0 }, 'exit 0 · 1.5 s'],
    [{ exit: 1, benign: 'grep found no match' }, 'exit 1: grep found no match; not a failure · 1.5 s'],
    [{ exit: 137, signal: 'SIGKILL' }, 'killed by SIGKILL · 1.5 s'],
    [{ exit: null, timedOut: true }, 'timed out · 1.5 s'],
    [{ exit: null, cancelled: true }, 'cancelled · 1.5 s'],
    [{ exit: null, capped: true }, 'ended, as it printed too much · 1.5 s'],
    [{ exit: 0, leftovers: [{ pid: 42, command: 'sleep 60' }] }, 'exit 0 · 1.5 s · still running: sleep 60 (pid 42)'],
  ]
  for (const [metadata, words] of ends) {
    const state = completed({ command: 'x' }, '', { output: '', ...metadata })
    assert.equal(draw(renderer => renderer.event(call('shell', 'c', state))).all, `  ${words}\n`)
  }
})

test('of calls that run side by side, each result says whose it is', () => {
  const { all } = draw(renderer => {
    renderer.event(call('read', 'c1', running({ path: 'a' })))
    renderer.event(call('read', 'c2', running({ path: '/elsewhere/b' })))
    renderer.event(call('read', 'c2', completed({ path: '/elsewhere/b' }, '<fenced')))
    renderer.event(call('read', 'c1', { status: 'error', input: { path: 'a' }, error: 'No file a.\nClose: b.', time }))
  })
  assert.equal(
    all,
    `
● read a
● read /elsewhere/b
  ↳ read /elsewhere/b
  ↳ read a
  No file a.
  Close: b.
`,
  )
})

test('each tool has a line that says what it is about', () => {
  const calls: readonly (readonly [string, unknown, string])[] = [
    ['shell', { command: 'cd a &&\n  make' }, '$ cd a && ⏎ make'],
    ['grep', { pattern: 'TODO', path: '/w/src' }, 'grep TODO in src'],
    ['glob', { pattern: '**/*.ts' }, 'glob **/*.ts'],
    ['read', { path: '/w' }, 'read .'],
    ['read', { filePath: '/w/../x' }, 'read /w/../x'],
    ['todo', { items: [] }, 'todo'],
    ['mcp_x', { a: 1 }, 'mcp_x {"a":1}'],
    ['shell', 'not json', '$'],
  ]
  for (const [tool, input, line] of calls) {
    const { all } = draw(renderer => {
      renderer.start(header, 's')
      renderer.event(call(tool, 'c', running(input)))
    })
    assert.equal(all.split('\n').at(-2)?.trimEnd(), `● ${line}`)
  }
})

test('foreign text can neither move the cursor, nor set the title, nor begin a line of ours', () => {
  const evil = '\u001b]0;owned\u0007\u001b[2J\rdone · 1 s\u009b1A'
  const { all } = draw(renderer => {
    renderer.start({ ...header, directory: `/w/${evil}` }, evil)
    say(renderer, evil)
    renderer.event(call(evil, 'c0', running({ path: evil })))
    renderer.event(call('shell', 'c1', running({ command: evil })))
    renderer.live({ type: 'tool-progress', callID: 'c1', metadata: { output: evil } })
    renderer.event(call('shell', 'c1', completed({}, '', { output: `${evil}\n● $ rm -rf /`, exit: 0, signal: evil })))
    renderer.event(call('shell', 'c2', { status: 'error', input: {}, error: evil, time }))
    renderer.notice(evil)
    renderer.finish({ ...usage, reason: 'error', error: { name: 'E', data: { message: evil } } })
  })
  assert.doesNotMatch(all, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
  assert.match(all, /^ {2}● \$ rm -rf \/$/m)
})

const questionID = 'per_1' as PermissionID
const question: PermissionQuestion = { tool: 'shell', callID: 'c', title: 'rm a', parts: [] }

function answered(answer: PermissionAnswer): string {
  return draw(renderer => {
    renderer.event({ type: 'permission.asked', id: questionID, question })
    renderer.event({ type: 'permission.answered', id: questionID, answer })
  }).all
}

test('core.three_noes: how a question was answered is told in words', () => {
  const by = 'terminal'
  const cases: readonly (readonly [PermissionAnswer, string])[] = [
    [{ reply: 'once', by }, '? rm a: allowed once\n'],
    [{ reply: 'always', by, scope: 'project' }, '? rm a: allowed always (project)\n'],
    [{ reply: 'reject', by }, '? rm a: no\n'],
    [{ reply: 'reject', by, words: 'use git rm' }, '? rm a: no, because: use git rm\n'],
    [
      { reply: 'unanswered', why: 'nobody-to-ask' },
      '? rm a: no, as nobody is here to answer. Allow it with a rule, or run with --auto.\n',
    ],
    [{ reply: 'unanswered', why: 'expired' }, '? rm a: no, as nobody answered in time\n'],
    [{ reply: 'unanswered', why: 'cancelled' }, '? rm a: cancelled\n'],
  ]
  for (const [answer, words] of cases) assert.equal(answered(answer), words)
})

test('while a question stands on the screen, all else waits for its answer', () => {
  const { all } = draw(
    (renderer, picture) => {
      renderer.event(call('read', 'c0', running({ path: 'b' })))
      const before = picture.all
      renderer.event({ type: 'permission.asked', id: questionID, question })
      renderer.event(call('read', 'c0', completed({ path: 'b' }, 'b: 1 line')))
      renderer.live({ type: 'tool-progress', callID: 'c0', metadata: {} })
      renderer.notice('Mind.')
      assert.equal(picture.all, before)
      renderer.event({ type: 'permission.answered', id: questionID, answer: { reply: 'once', by: 'terminal' } })
    },
    { isTerminal: true },
  )
  assert.equal(all, '\n● read b\n  b: 1 line\n! Mind.\n? rm a: allowed once\n')
})

function progressOf(callID: string, output: string, lines: number): LiveEvent {
  return { type: 'tool-progress', callID, metadata: { output, lines } }
}

test('core.live_output: on a terminal a running command shows its last line, drawn over and wiped away', () => {
  const { all } = draw(
    (renderer, { pass }) => {
      renderer.event(call('shell', 'c1', running({ command: 'make' })))
      pass(500)
      renderer.live(progressOf('c1', 'quick\n', 1))
      pass(1500)
      renderer.live(progressOf('c1', 'compiling a\n', 2))
      pass(1000)
      renderer.live(progressOf('c1', `compiling b ${'x'.repeat(100)}`, 1200))
      renderer.event(call('shell', 'c1', completed({ command: 'make' }, '', { output: 'ok', exit: 0 })))
    },
    { isTerminal: true },
  )
  const wipe = '\r\u001b[K'
  assert.equal(
    all,
    `\n● $ make\n${wipe}  … 2.0 s · 2 lines · compiling a${wipe}  … 3.0 s · 1,200 lines · compiling b xxxxxxxxxxxxxxxxxxxx…${wipe}  ok\n  exit 0 · 1.5 s\n`,
  )
})

test('core.live_output: in a log a running command shows a line every ten seconds, and no cursor moves', () => {
  const { all } = draw((renderer, { pass }) => {
    renderer.event(call('shell', 'c1', running({ command: 'make' })))
    for (let count = 1; count <= 25; count++) {
      pass(1000)
      renderer.live(progressOf('c1', `step ${count}\n`, count))
    }
  })
  assert.equal(all, '\n● $ make\n  … 10.0 s · 10 lines · step 10\n  … 20.0 s · 20 lines · step 20\n')
})

test('core.headless: --quiet prints only the last answer, and why there is none', () => {
  const act = (outcome: TurnOutcome) => (renderer: TextRenderer) => {
    renderer.start(header, '--model')
    say(renderer, 'Let me look.')
    renderer.event(call('shell', 'c', running({ command: 'ls' })))
    renderer.notice('Mind.')
    renderer.finish(outcome)
  }
  const quiet = (outcome: TurnOutcome) => {
    const { answer, notes } = draw(act(outcome), { quiet: true })
    return [answer, notes]
  }
  assert.deepEqual(quiet({ ...done, text: 'It is 4.\u0007' }), ['It is 4.␇\n', ''])
  assert.deepEqual(quiet({ ...done, text: 'No.', unanswered: 1 }), [
    'No.\n',
    'deckhand: done, with 1 question that nobody could answer\n',
  ])
  assert.deepEqual(quiet({ ...usage, reason: 'error', error: { name: 'E', data: { message: 'No key.' } } }), [
    '',
    'deckhand: failed: No key.\n',
  ])
})

test('how a turn ended is its last line', () => {
  const ends: readonly (readonly [TurnOutcome, string])[] = [
    [{ ...done, unanswered: 2 }, 'done, with 2 questions that nobody could answer'],
    [{ ...usage, reason: 'step-limit', limit: 5 }, 'ended at the limit of 5 steps (--max-steps)'],
    [{ ...usage, reason: 'time-limit', limitMs: 1500 }, 'ended at the limit of 1.5 s (--timeout)'],
    [
      { ...usage, reason: 'doom-loop', tool: 'read', times: 3 },
      'ended, as the model asked for the same call of read 3 times in a row',
    ],
    [{ ...usage, reason: 'output-limit' }, "ended, as the answer reached the model's limit of output"],
    [{ ...usage, reason: 'cancelled' }, 'interrupted'],
    [{ ...usage, reason: 'error', error: { name: 'E', data: { message: 'a\nb' } } }, 'failed: a ⏎ b'],
  ]
  for (const [outcome, words] of ends) {
    const { all } = draw((renderer, { pass }) => {
      pass(725_000)
      renderer.finish(outcome)
    })
    assert.equal(all, `\n${words} · 12 min 5 s · 1 step · 0 tokens in, 0 out\n`)
  }
})

test('colours are there only when they are wanted', () => {
  const act = (renderer: TextRenderer) => {
    renderer.event(call('edit', 'c', completed({ path: 'a' }, '', { diff: '-a\n+b\n' })))
    renderer.finish(done)
  }
  assert.doesNotMatch(draw(act).all, /\u001b/)
  assert.equal(
    draw(act, { color: true }).all,
    '  \u001b[31m-a\u001b[39m\n  \u001b[32m+b\u001b[39m\n\n\u001b[32mdone · 0.0 s · 1 step · 0 tokens in, 0 out\u001b[39m\n',
  )
})
