import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { renderTerminal } from './render-terminal.ts'

const cases: readonly (readonly [string, string, string])[] = [
  ['a progress bar leaves its last state', '\r  1%\r 50%\r100%\ndone\n', '100%\ndone\n'],
  ['a shorter text written over a longer leaves its end', 'hello\rJ\n', 'Jello\n'],
  ['an erased line leaves nothing', 'working…\r\x1b[Kdone\n', 'done\n'],
  ['an erased whole line leaves nothing', 'working…\x1b[2K\rdone\n', 'done\n'],
  ['blanks written over are not left at the end', 'working\r       \rok\n', 'ok\n'],
  ['CR LF is a line break', 'a\r\nb\r\n', 'a\nb\n'],
  ['blanks at the end of a plain line stay', 'a  \nb', 'a  \nb'],
  ['a spinner by backspaces leaves its last state', 'busy -\b\\\b|\b/\b done', 'busy  done'],
  ['bold by overstriking is plain', 'N\bNA\bAM\bME\bE _\bx', 'NAME x'],
  ['colours go', '\x1b[1;31mred\x1b[0m and \x1b[38;2;1;2;3mmore\x1b[m', 'red and more'],
  ['colours with an erase at the end of the line go', '\x1b[01;31m\x1b[Kmatch\x1b[m\x1b[K:rest\n', 'match:rest\n'],
  ['titles and links go, the text of a link stays', '\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['device control strings go with their bodies', 'a\x1bPq#0;2;0\nsecret\x1b\\b\x1b_gone\x1b\\c', 'abc'],
  ['an escape without an end takes no line with it', 'a\x1b]0;never ends\nb', 'a\nb'],
  ['lines drawn again higher up stand there once', 'one 1%\ntwo 1%\n\x1b[2Aone 99%\ntwo 99%\n', 'one 99%\ntwo 99%\n'],
  ['what is erased below is gone', 'one\ntwo\nthree\n\x1b[2A\x1b[JTWO\n', 'one\nTWO\n'],
  ['clearing the screen loses nothing', 'first\x1b[H\x1b[2J\x1b[3Jsecond', 'first\nsecond'],
  ['a column is gone to', 'name\x1b[10Gvalue\n', 'name     value\n'],
  ['the cursor moves on a line', 'abc\x1b[2DX\x1b[1CY\n', 'aXcY\n'],
  ['bells and character sets go', 'a\x07\x1b(Bb\x0e\x0fc\x1b=\x1b>', 'abc'],
  ['a NUL is shown', 'a\0b', 'a␀b'],
  ['wide characters are written over whole', '进度 1%\r进度 100%\n', '进度 100%\n'],
]

for (const [title, text, shown] of cases) {
  test(`rendered as a terminal would: ${title}`, () => assert.equal(renderTerminal(text), shown))
}

test('text without control characters is left as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      const plain = text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
      assert.equal(renderTerminal(plain), plain)
    }),
  )
})

test('no control character is left but tab and line feed, whatever comes', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\r',
      '\b',
      '\n',
      '\x1b',
      '\x1b[',
      '\x1b[K',
      '\x1b[2A',
      '\x1b[J',
      '\x1b[9C',
      '\x1b]',
      '\x9b1m',
      'é',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      assert.doesNotMatch(renderTerminal(pieces.join('')), /[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
    }),
  )
})

test('hostile text takes time in proportion to its length', () => {
  const started = performance.now()
  renderTerminal(`${'x'.repeat(100_000)}${'\bx'.repeat(100_000)}`)
  renderTerminal('\x1bP'.repeat(100_000))
  renderTerminal('\x1b[1000B\x1b[1000C.'.repeat(20_000))
  renderTerminal('\x1b[1000G.\n'.repeat(20_000))
  assert.ok(performance.now() - started < 5000)
})
