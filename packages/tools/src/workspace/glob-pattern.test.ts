import assert from 'node:assert/strict'
import { matchesGlob } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { createGlobTest } from './glob-pattern.ts'

const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['*.ts', ['a.ts', 'x/y/a.ts', '.ts'], ['a.tsx', 'a.ts/b']],
  ['src/*.ts', ['src/a.ts'], ['src/x/a.ts', 'a.ts', 'x/src/a.ts']],
  ['src/**/*.ts', ['src/a.ts', 'src/x/y/a.ts'], ['a.ts']],
  ['**/*.ts', ['a.ts', 'x/a.ts'], []],
  ['src/**', ['src/a', 'src/x/.y'], ['src']],
  ['*.{ts,tsx}', ['a.ts', 'a.tsx'], ['a.js']],
  ['{src,lib}/**/*.js', ['src/a.js', 'lib/x/a.js'], ['test/a.js']],
  ['a?c', ['abc', 'a😀c'], ['ac', 'a/c']],
  ['[a-c]x', ['ax', 'cx'], ['dx']],
  ['[!a-c]x', ['dx'], ['ax', '/x']],
  ['\\[id\\].ts', ['[id].ts'], ['i.ts']],
  ['a{b', ['a{b'], ['ab']],
  ['a\\{b', ['a{b'], ['a\\{b']],
  ['{\\{,{x}', ['{{,x'], ['{{', 'x']],
  ['a[{]b', ['a{b'], ['ab']],
  ['**/**/*.ts', ['a.ts', 'x/y/a.ts'], []],
  ['[', ['['], ['a']],
  ['a+(b).ts', ['a+(b).ts'], ['ab.ts']],
  ['./src/a.ts', ['src/a.ts'], ['x/src/a.ts']],
]
for (const [pattern, yes, no] of cases) {
  test(`read.globs: ${pattern} matches what it says`, () => {
    const matches = createGlobTest(pattern)
    for (const path of yes) assert.ok(matches(path), path)
    for (const path of no) assert.ok(!matches(path), path)
  })
}

test('read.globs: patterns with a slash agree with the matcher of Node', { skip: !matchesGlob }, () => {
  const part = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '*b', '?', '[ab]', '{a,b}', '**')
  const name = fc.constantFrom('a', 'b', 'ab', 'abc', 'ba')
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 2, maxLength: 4 }),
      fc.array(name, { minLength: 1, maxLength: 4 }),
      (parts, names) => {
        const pattern = parts.join('/')
        const path = names.join('/')
        // A final ** also matches the folder itself there; only files are matched here.
        fc.pre(parts.at(-1) !== '**')
        assert.equal(createGlobTest(pattern)(path), matchesGlob(path, pattern), `${pattern} ${path}`)
      },
    ),
  )
})

test('read.globs: no pattern throws', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '*', '?', '[', ']', '{', '}', ',', '\\', '/', '!', '^', '-', '(') }),
      pattern => {
        createGlobTest(pattern)('a/b')
      },
    ),
  )
})
