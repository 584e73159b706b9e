import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeOutput } from './describe-output.ts'
import { type OutputSource, viewOutput } from './output-view.ts'

/** What a keeper with these limits has of the text. */
function keep(text: string, headBytes = 1e6, tailBytes = 1e6): OutputSource {
  const all = Buffer.from(text)
  const rest = all.subarray(headBytes)
  return {
    bytes: all.length,
    lines: text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0),
    head: all.subarray(0, headBytes),
    tail: rest.subarray(Math.max(0, rest.length - tailBytes)),
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}\n`).join('')

test('shell.middle_out: what does not fit is cut in the middle, at line borders, with the cut told between', () => {
  const view = viewOutput(keep(numbers(1000)), { headBytes: 9, tailBytes: 12 })
  assert.equal(
    describeOutput(view, { path: '/logs/x.log', bytes: 3893 }),
    `1
2
3
4
[… 994 lines, 3.79 KB left out of 1,000 lines, 3.80 KB. All of it: /logs/x.log; read it with read(path, offset 5), or search it with grep …]
999
1000
`,
  )
})

test('shell.omitted_counts: a line too long to be shown is cut inside, and the error after it is there', () => {
  const text = `${'x'.repeat(300_000)}\nerror[E0308]\n`
  const view = viewOutput(keep(text, 1000, 1000), { headBytes: 10, tailBytes: 20 })
  assert.equal(
    describeOutput(view, { path: '/logs/x.log', bytes: 300_014 }),
    `xxxxxxxxxx
[… 293 KB left out inside line 1 of 2 lines, 293 KB. All of it: /logs/x.log; read it with read(path, offset 1), or search it with grep …]
xxxxxx
error[E0308]
`,
  )
})

test('shell.full_log: a log that could not be written whole is told with how much was kept', () => {
  const view = viewOutput(keep(numbers(1000)), { headBytes: 4, tailBytes: 5 })
  const problem = { code: 'ENOSPC', message: 'ENOSPC: no space left on device, write' }
  assert.match(
    describeOutput(view, { path: '/logs/x.log', bytes: 2048, problem }),
    /\. Only its first 2\.00 KB could be saved to \/logs\/x\.log \(ENOSPC: no space left on device, write\); read it with/,
  )
  assert.match(
    describeOutput(view, { path: '/logs/x.log', bytes: 0, problem }),
    /\. It could not be saved to \/logs\/x\.log \(ENOSPC: no space left on device, write\) …\]/,
  )
})

test('a progress bar of many frames is shown whole in its last state, and nothing is cut', () => {
  const frames = Array.from({ length: 5000 }, (_, index) => `\r\x1b[32mdownloading ${index}\x1b[0m`).join('')
  const view = viewOutput(keep(`${frames}\ndone\n`), { headBytes: 100, tailBytes: 100 })
  assert.deepEqual(view, { kind: 'whole', text: 'downloading 4999\ndone\n' })
})

test('of a progress bar that outgrew memory, the last state is shown', () => {
  const frames = Array.from({ length: 5000 }, (_, index) => `\rloading ${index}`).join('')
  const view = viewOutput(keep(`${frames}\ndone\n`, 1000, 1000), { headBytes: 100, tailBytes: 100 })
  assert.equal(view.kind === 'cut' && view.tail, 'loading 4999\ndone\n')
})

test('binary data is summarised', () => {
  const bytes = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 0]),
    Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7) % 256)),
  ])
  const view = viewOutput({ bytes: 4_300_000, lines: 3, head: bytes, tail: bytes }, { headBytes: 100, tailBytes: 100 })
  assert.equal(
    describeOutput(view, { path: '/logs/x.log', bytes: 4_300_000 }),
    '[4.10 MB of binary data (gzip); saved to /logs/x.log]\n',
  )
})

test('shell.omitted_counts: what is shown and what is left out add up to all, whatever the output', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('x'.repeat(80), '', 'é'.repeat(40)),
  )
  const text = fc.tuple(fc.array(line, { maxLength: 60 }), fc.boolean()).map(([lines, ends]) => {
    const clean = lines.map(each => each.replace(/[\x00-\x1f\x7f-\x9f]/g, ''))
    return clean.join('\n') + (ends ? '\n' : '')
  })
  const budget = fc.record({ headBytes: fc.integer({ min: 5, max: 60 }), tailBytes: fc.integer({ min: 5, max: 60 }) })
  fc.assert(
    fc.property(text, budget, fc.boolean(), (output, limits, isKeptWhole) => {
      const source = isKeptWhole ? keep(output) : keep(output, limits.headBytes + 20, limits.tailBytes + 20)
      const view = viewOutput(source, limits)
      if (view.kind === 'whole') return assert.equal(view.text, output)
      if (view.kind === 'none') return assert.equal(output, '')
      assert.equal(view.kind, 'cut')
      if (view.kind !== 'cut') return
      assert.ok(output.startsWith(view.head) && output.endsWith(view.tail))
      assert.ok(Buffer.byteLength(view.head) <= limits.headBytes && Buffer.byteLength(view.tail) <= limits.tailBytes)
      const middle = output.slice(view.head.length, output.length - view.tail.length)
      assert.equal(view.cut.leftOutBytes, Buffer.byteLength(middle))
      assert.equal(view.cut.totalLines, source.lines)
      assert.equal(view.cut.nextLine, view.head.split('\n').length)
      const touched = middle.split('\n').length - (middle.endsWith('\n') ? 1 : 0)
      assert.ok(view.cut.leftOutLines <= touched && view.cut.leftOutLines >= touched - 2)
    }),
    { numRuns: 500 },
  )
})
