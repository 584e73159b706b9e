import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { utf8 } from '../encoding/text-encoding.ts'
import { createBufferSource, createFileSource } from './byte-source.ts'
import { readTextWindow, type TextWindow, type WindowLimits, type WindowRequest } from './text-window.ts'

const folder = mkdtempSync(join(tmpdir(), 'deckhand-window-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const limits: WindowLimits = { maxBytes: 50_000, maxLineChars: 2000, chunkBytes: 16, maxCountBytes: 1e9 }
const never = new AbortController().signal
const read = (bytes: Buffer, request: WindowRequest, changed: Partial<WindowLimits> = {}): Promise<TextWindow> =>
  readTextWindow(createBufferSource(bytes), utf8, request, { ...limits, ...changed }, never)

const texts = fc.array(fc.constantFrom('a', 'bb', 'é', '😀', '\n', '\n', '\r\n', 'long-enough-to-cross-chunks'), {
  maxLength: 60,
})

test('read.line_window: a window is what sed -n prints, whatever the lines and the chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 9 }),
      async (pieces, offset, limit, chunk) => {
        const text = pieces.join('')
        const file = join(folder, 'sed.txt')
        writeFileSync(file, text)
        const printed = execFileSync('sed', ['-n', `${offset},${offset + limit - 1}p`, file], { encoding: 'utf8' })
        const expected =
          printed === ''
            ? []
            : printed
                .replace(/\n$/, '')
                .split('\n')
                .map(line => line.replace(/\r$/, ''))
        const window = await read(Buffer.from(text), { offset, limit }, { chunkBytes: chunk })
        assert.deepEqual(
          window.lines.map(line => line.text),
          expected,
        )
        assert.deepEqual(
          window.lines.map(line => line.number),
          expected.map((_, index) => offset + index),
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('read.deferred_chunk: "more" is said exactly where lines are left, and the total is true', async () => {
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 30 }),
      async (pieces, offset, limit) => {
        const text = pieces.join('')
        const total = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
        const window = await read(Buffer.from(text), { offset, limit })
        assert.equal(window.totalLines, total)
        assert.equal(window.nextOffset, offset + limit <= total ? offset + limit : undefined)
        assert.equal(window.stop, offset + limit <= total ? 'lines' : 'end')
      },
    ),
  )
})

test('read.resume_offset: following the named offsets shows each line once, under any byte budget', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 80 }), async (pieces, maxBytes) => {
      const text = pieces.join('')
      const seen: string[] = []
      for (let offset: number | undefined = 1; offset !== undefined; ) {
        const window: TextWindow = await read(Buffer.from(text), { offset, limit: 1000 }, { maxBytes })
        seen.push(...window.lines.map(line => `${line.number} ${line.hiddenChars === 0 ? line.text : '(cut)'}`))
        offset = window.nextOffset
      }
      const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
      assert.equal(seen.length, lines.length)
      for (const [index, line] of lines.entries()) {
        assert.ok([`${index + 1} ${line.replace(/\r$/, '')}`, `${index + 1} (cut)`].includes(seen[index] ?? ''))
      }
    }),
  )
})

test('read.resume_offset: following the named columns shows each character of a line once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.integer({ min: 4, max: 30 }),
      fc.integer({ min: 1, max: 9 }),
      async (raw, maxBytes, chunkBytes) => {
        const line = raw.replace(/[\r\n]/g, '')
        let shown = ''
        for (let column = 1, left = 1; left > 0; ) {
          const window = await read(
            Buffer.from(`${line}x\nnext\n`),
            { offset: 1, limit: 1, column },
            { maxBytes, chunkBytes },
          )
          const [part] = window.lines
          assert.ok(part)
          shown += part.text
          column += [...part.text].length
          left = part.hiddenChars
          assert.equal(part.totalChars, [...line].length + 1)
        }
        assert.equal(shown, `${line}x`)
      },
    ),
  )
})

test('read.negative_offset: the last lines are those of tail -n', async () => {
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 9 }),
      async (pieces, count, chunkBytes) => {
        const text = pieces.join('')
        const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
        const window = await read(Buffer.from(text), { offset: -count, limit: 1000 }, { chunkBytes })
        assert.deepEqual(
          window.lines.map(line => line.text),
          lines.slice(-count).map(line => line.replace(/\r$/, '')),
        )
      },
    ),
  )
})

test('read.line_window: UTF-16 lines end where their newline is, not where a byte happens to be 10', async () => {
  const text = 'a\n\u0a0a\u0a00\u000d\nlast'
  for (const name of ['UTF-16LE', 'UTF-16BE']) {
    const bytes = Buffer.from(text, 'utf16le')
    if (name === 'UTF-16BE') bytes.swap16()
    for (const request of [
      { offset: 1, limit: 9 },
      { offset: -9, limit: 9 },
      { offset: -2, limit: 9 },
    ]) {
      const window = await readTextWindow(
        createBufferSource(bytes),
        { ...utf8, name },
        request,
        { ...limits, chunkBytes: 6 },
        never,
      )
      const expected = ['a', '\u0a0a\u0a00', 'last'].slice(request.offset === -2 ? 1 : 0)
      assert.deepEqual(
        window.lines.map(line => line.text),
        expected,
      )
    }
  }
})

test('read.streaming: a line of 300 MB and an offset behind it take little memory', async () => {
  const file = join(folder, 'giant.txt')
  const descriptor = openSync(file, 'w')
  // A hole is read as NUL bytes without taking room on the disk.
  ftruncateSync(descriptor, 300_000_000)
  writeSync(descriptor, '\nsecond\nthird\n', 300_000_000)
  closeSync(descriptor)
  await using handle = await open(file)
  const source = createFileSource(handle, 300_000_014)
  const before = process.memoryUsage().rss
  const real = { ...limits, chunkBytes: 1024 * 1024 }
  const first = await readTextWindow(source, utf8, { offset: 1, limit: 1 }, real, never)
  assert.equal(first.lines[0]?.totalChars, 300_000_000)
  assert.equal(first.totalLines, 3)
  const deep = await readTextWindow(source, utf8, { offset: 2, limit: 9 }, real, never)
  assert.deepEqual(
    deep.lines.map(line => line.text),
    ['second', 'third'],
  )
  const last = await readTextWindow(source, utf8, { offset: -1, limit: 9 }, real, never)
  assert.deepEqual(
    last.lines.map(line => [line.number, line.text]),
    [[-1, 'third']],
  )
  assert.ok(process.memoryUsage().rss - before < 60e6)
})

test('read.streaming: beyond a bound the lines behind the window are not counted, and no total is claimed', async () => {
  const bytes = Buffer.from('x\n'.repeat(1000))
  const window = await read(bytes, { offset: 1, limit: 2 }, { maxCountBytes: 100 })
  assert.equal(window.totalLines, undefined)
  assert.equal(window.nextOffset, 3)
})

test('core.cancel: a read stops at its signal and gives its reason', async () => {
  const controller = new AbortController()
  const reason = new Error('stop')
  controller.abort(reason)
  const source = createBufferSource(Buffer.from('x\n'))
  await assert.rejects(readTextWindow(source, utf8, { offset: 1, limit: 1 }, limits, controller.signal), reason)
})
