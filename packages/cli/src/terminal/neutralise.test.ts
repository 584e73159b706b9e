import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clipLine } from './clip-line.ts'
import { neutralise, oneLine } from './neutralise.ts'

test('escape sequences are taken out whole: colours, cursor moves, titles, links', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['\u001b[31mred\u001b[0m', 'red'],
    ['a\u001b[2K\u001b[1Gb', 'ab'],
    ['\u001b]0;title\u0007x', 'x'],
    ['\u001b]8;;http://a\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001bPdcs\u001b\\x', 'x'],
    ['\u001b(Bx\u001bc', 'x'],
  ]
  for (const [text, expected] of cases) assert.equal(neutralise(text), expected, JSON.stringify(text))
})

test('what is left of control characters is shown, not obeyed', () => {
  assert.equal(neutralise('a\rb\u0007c\u0008d\u007f\u001b'), 'a␍b␇c␈d␡␛')
  assert.equal(neutralise('a\u009b31mb\u202ecba\u2066'), 'a<U+009B>31mb<U+202E>cba<U+2066>')
  assert.equal(neutralise('tab\tstays\r\nline ends too\n'), 'tab\tstays\nline ends too\n')
})

test('no text gets a control character through, however it is made up or cut in two', () => {
  const piece = fc.constantFrom(
    '\u001b',
    '[',
    ']',
    '2J',
    '31m',
    ';',
    '\u0007',
    '\\',
    'P',
    'x',
    '\r',
    '\n',
    '\u009b',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(piece, { maxLength: 12 }), (first, second) => {
      const shown = neutralise(first.join('')) + neutralise(second.join(''))
      assert.doesNotMatch(shown, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    }),
  )
})

test('a text on one line shows where its lines ended', () => {
  assert.equal(oneLine('  cat <<X\n  a\n\nX\n'), 'cat <<X ⏎ a ⏎ X')
  assert.equal(oneLine(`a${' '.repeat(200_000)}b`).length, 200_002)
})

test('a line is cut to the width of the screen, by what is drawn', () => {
  const cases: readonly (readonly [string, number, string])[] = [
    ['abcdef', 6, 'abcdef'],
    ['abcdefg', 6, 'abcde…'],
    ['日本語', 6, '日本語'],
    ['日本語', 5, '日本…'],
    ['a👨‍👩‍👧b', 3, 'a…'],
    ['a👨‍👩‍👧b', 4, 'a👨‍👩‍👧b'],
    ['e\u0301e\u0301e\u0301', 3, 'e\u0301e\u0301e\u0301'],
    ['\tx', 3, '  x'],
  ]
  for (const [line, columns, expected] of cases) assert.equal(clipLine(line, columns), expected, JSON.stringify(line))
})
