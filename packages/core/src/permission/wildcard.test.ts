import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { matchesWildcard } from './wildcard.ts'

const examples: readonly (readonly [string, string, boolean])[] = [
  ['git status', 'git status', true],
  ['git status *', 'git status', true],
  ['git status *', 'git status --short', true],
  ['git status *', 'git statusx', false],
  ['git *', 'git', true],
  ['*', '', true],
  ['', '', true],
  ['', 'a', false],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['?', '😀', true],
  ['??', '😀', false],
  ['*?', '😀', true],
  ['src/*', 'src/a/b.ts', true],
  ['git commit *', 'git commit -m a\nb', true],
  ['*.env', 'a/.env', true],
  ['mcp:*', 'mcp:github:search', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['[ *', '[ -f x ]', true],
  ['a.c', 'abc', false],
]

for (const [pattern, text, expected] of examples) {
  test(`core.rules: the pattern ${JSON.stringify(pattern)} ${expected ? 'matches' : 'does not match'} ${JSON.stringify(text)}`, () => {
    assert.equal(matchesWildcard(pattern, text), expected)
  })
}

test('core.rules: the matcher agrees with a naive one', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '/', '\n', '😀'), maxLength: 12 })
  const patterns = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '*', '?', '/', '😀'), maxLength: 8 })
  fc.assert(
    fc.property(patterns, letters, (pattern, text) => {
      const ways = pattern.endsWith(' *') ? [pattern, pattern.slice(0, -2)] : [pattern]
      assert.equal(
        matchesWildcard(pattern, text),
        ways.some(way => naive([...way], [...text])),
      )
    }),
    { numRuns: 3000 },
  )
})

test('core.rules: a hostile pattern and text do not make the matcher slow', () => {
  const started = performance.now()
  assert.equal(matchesWildcard(`${'*a'.repeat(50)}b`, 'a'.repeat(20_000)), false)
  assert.ok(performance.now() - started < 2000)
})

function naive(pattern: readonly string[], text: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return text.length === 0
  if (first === '*') return naive(rest, text) || (text.length > 0 && naive(pattern, text.slice(1)))
  return text.length > 0 && (first === '?' || first === text[0]) && naive(rest, text.slice(1))
}
