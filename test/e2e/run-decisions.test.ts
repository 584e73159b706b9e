// What a run may do without a person, and where it ends though the model would go on.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestFolder, type Line, parseLines, runDeckhand } from './deckhand-process.ts'

const folder = createTestFolder()
after(() => folder.remove())

async function run(steps: readonly unknown[], ...args: string[]): Promise<{ code: number | null; lines: Line[] }> {
  const all = ['run', '--format', 'json', '--model', folder.script(steps), ...args, 'go']
  const { code, stdout } = await runDeckhand(all, folder.options)
  return { code, lines: parseLines(stdout) }
}

const touch = (name: string) => ({ call: { shell: { command: `touch ${name}` } } })
const isMade = (name: string) => existsSync(join(folder.workspace, name))
function endOf(lines: readonly Line[]): unknown[] {
  const end = lines.at(-1)
  return [end?.type, end?.reason, end?.exitCode, end?.text]
}
const resultOf = (lines: readonly Line[]): string => {
  const state = lines.find(({ type }) => type === 'tool_use')?.part.state
  return state?.error ?? state?.output
}

test('core.headless: a question is a no at once where nobody can answer; the model is told, and the exit code is 3', async () => {
  const { code, lines } = await run(
    [touch('asked'), { expect: 'nobody can be asked here', say: 'I may not.' }],
    ...['--mode', 'ask'],
  )
  assert.equal(code, 3)
  assert.ok(!isMade('asked'))
  assert.deepEqual(
    lines.filter(({ type }) => type === 'permission').map(({ tool, title, answer }) => ({ tool, title, answer })),
    [
      { tool: 'shell', title: 'touch asked', answer: undefined },
      { tool: 'shell', title: 'touch asked', answer: { reply: 'unanswered', why: 'nobody-to-ask' } },
    ],
  )
  assert.equal(
    resultOf(lines),
    'This needs a person\'s permission, and nobody can be asked here: touch asked (no rule allows it). Nothing was run. Go on without it, and tell the user how to allow it: run with --auto, or allow it under "permission" in their own configuration.',
  )
  assert.deepEqual(endOf(lines), ['session.idle', 'done', 3, 'I may not.'])
  assert.equal(lines.at(-1)?.unanswered, 1)
})

test('core.three_noes: nobody to ask, a rule and the mode are three different answers', async () => {
  const steps = [touch('denied'), { say: 'No.' }]
  const unanswered = resultOf((await run(steps, '--mode', 'ask')).lines)
  folder.configure({ permission: { shell: { 'touch denied': 'deny' } } })
  const byRule = await run(steps, '--auto')
  folder.configure({})
  const byMode = await run(steps, '--mode', 'plan')
  // A no that was decided beforehand is no open question.
  assert.deepEqual([byRule.code, byMode.code], [0, 0])
  assert.deepEqual(
    [byRule, byMode].flatMap(({ lines }) => lines.filter(({ type }) => type === 'permission')),
    [],
  )
  assert.match(unanswered, /^This needs a person's permission, and nobody can be asked here: touch denied/)
  assert.match(resultOf(byRule.lines), /^A rule denies touch denied/)
  assert.match(resultOf(byMode.lines), /^The mode "plan" only reads, and touch denied may do more\. Nothing was run\./)
  assert.ok(!isMade('denied'))
})

test('core.headless: --auto runs what would be asked, without a question', async () => {
  const { code, lines } = await run([touch('made'), { say: 'Done.' }], '--auto')
  assert.deepEqual([code, isMade('made'), lines.filter(({ type }) => type === 'permission')], [0, true, []])
})

test('core.headless: the same call for the third time ends the run with exit code 3, also with --auto', async () => {
  const same = { call: { shell: { command: 'echo again' } } }
  const { code, lines } = await run([same, same, same, { say: 'never' }], '--auto')
  assert.deepEqual([code, ...endOf(lines)], [3, 'session.idle', 'doom-loop', 3, ''])
  const results = lines.filter(({ type }) => type === 'tool_use').map(({ part }) => part.state.status)
  assert.deepEqual(results, ['completed', 'completed', 'error'])
})

test('core.headless: --max-steps ends the run with exit code 4', async () => {
  const call = (word: string) => ({ say: word, call: { shell: { command: `echo ${word}` } } })
  const { code, lines } = await run([call('one'), call('two'), { say: 'never' }], '--max-steps', '2')
  assert.deepEqual([code, ...endOf(lines)], [4, 'session.idle', 'step-limit', 4, 'two'])
})

test('core.cancel: --timeout ends the run with exit code 4, and the running command with it', async () => {
  const { code, lines } = await run(
    [{ call: { shell: { command: 'echo $$; echo partial; sleep 60' } } }, { say: 'never' }],
    '--auto',
    '--timeout',
    '1',
  )
  assert.deepEqual([code, ...endOf(lines)], [4, 'session.idle', 'time-limit', 4, ''])
  assert.match(
    resultOf(lines),
    /\npartial\n<\/output [^\n]+\ncancelled at the turn's time limit: sent SIGTERM; survivors: none/,
  )
})

test('core.cancel: --timeout holds while the model is silent', async () => {
  const { code, lines } = await run([{ wait: 60_000, say: 'never' }], '--timeout', '0.5')
  assert.deepEqual([code, lines.at(-1)?.reason], [4, 'time-limit'])
})

test('core.headless: what a command left running is ended with the run, and told', async () => {
  const { code, lines } = await run(
    [{ call: { shell: { command: 'sleep 61 & echo started' } } }, { say: 'OK' }],
    '--auto',
  )
  assert.equal(code, 0)
  const notice = lines.find(({ type }) => type === 'notice')
  assert.match(notice?.message, /^Ended what was left running: sleep 61 \(pid \d+\)\.$/)
  assert.equal(lines.at(-1)?.type, 'session.idle')
})
