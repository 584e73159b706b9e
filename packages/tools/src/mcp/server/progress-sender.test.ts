import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@deckhand/core'
import { createProgressSender, describeProgress } from './progress-sender.ts'

test('many reports become few notifications, the newest word last', async () => {
  const sent: [number, string, number][] = []
  const sender = createProgressSender({
    clock: systemClock,
    notify: async (count, message) => void sent.push([count, message, performance.now()]),
    onError: assert.fail,
  })
  for (let i = 1; i <= 1000; i++) sender.report(`word ${i}`)
  while (sent.length < 2) await sleep(5)
  sender.end()
  sender.report('too late')
  await sleep(150)
  assert.deepEqual(
    sent.map(([count, message]) => [count, message]),
    [
      [1, 'word 1'],
      [2, 'word 1000'],
    ],
  )
  const [[, , first] = [0, '', 0], [, , second] = [0, '', 0]] = sent
  assert.ok(second - first >= 99, `${second - first} ms between them`)
})

test('a client that reads slowly gets the newest word when it is ready for one', async () => {
  const taken: string[] = []
  const ready = Promise.withResolvers<void>()
  const sender = createProgressSender({
    clock: systemClock,
    async notify(_, message) {
      taken.push(message)
      await ready.promise
    },
    onError: assert.fail,
  })
  sender.report('first')
  await sleep(250)
  sender.report('middle')
  sender.report('last')
  ready.resolve()
  while (taken.length < 2) await sleep(5)
  sender.end()
  assert.deepEqual(taken, ['first', 'last'])
})

test('a notification that can not be sent is told, once', async () => {
  const errors: unknown[] = []
  const failure = new Error('gone')
  const sender = createProgressSender({
    clock: systemClock,
    notify: () => Promise.reject(failure),
    onError: error => errors.push(error),
  })
  sender.report('word')
  await sleep(10)
  sender.end()
  assert.deepEqual(errors, [failure])
})

const words: readonly [string, Parameters<typeof describeProgress>[0], string][] = [
  ['the last line of the output', { title: 'npm test', metadata: { output: 'one\ntwo\n\n' } }, 'two'],
  ['a line that was written over', { title: 'wget', metadata: { output: '10%\r20%\r' } }, '20%'],
  ['the title before there is output', { title: 'npm test', metadata: { output: '' } }, 'npm test'],
  ['the title of a tool without output', { title: 'Read 3 of 9' }, 'Read 3 of 9'],
  ['nothing', {}, ''],
  ['a part of a long line', { title: 'x'.repeat(500) }, 'x'.repeat(200)],
]
for (const [what, progress, expected] of words) {
  test(`progress shows ${what}`, () => assert.equal(describeProgress(progress), expected))
}
