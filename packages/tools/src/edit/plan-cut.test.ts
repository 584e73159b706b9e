import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findMatches } from './find-matches.ts'
import { planCut } from './plan-cut.ts'

const apply = (units: string, oldText: string, newText: string) => {
  const [match] = findMatches(units, oldText)
  assert.ok(match)
  const cut = planCut(units, match, newText)
  return units.slice(0, cut.start) + cut.insert + units.slice(cut.end)
}

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 6 })

test('read.ledger: a line that is the same before and after keeps its own line ending', () => {
  fc.assert(
    fc.property(lines, lines, fc.infiniteStream(fc.constantFrom('\n', '\r\n')), (old, next, endings) => {
      const ending = () => endings.next().value ?? '\n'
      const body = old.map(line => `${line}${ending()}`).join('')
      const units = `first\n${body}last\r\n`
      const changed = apply(units, `first\n${old.join('\n')}\nlast`, `first\n${next.join('\n')}\nlast`)
      assert.equal(changed.replaceAll('\r\n', '\n'), `first\n${next.join('\n')}\nlast\n`)
      assert.ok(changed.startsWith('first\n') && changed.endsWith('last\r\n'))
      if (old.join('\n') === next.join('\n')) assert.equal(changed, units)
    }),
  )
})

test('read.ledger: new lines take the ending of the lines around them', () => {
  assert.equal(apply('a\r\nb\r\n', 'a', 'a\nx'), 'a\r\nx\r\nb\r\n')
  assert.equal(apply('a\nb\n', 'a', 'a\r\nx'), 'a\nx\nb\n')
  assert.equal(apply('a\r\nb', 'b', 'b\nx'), 'a\r\nb\r\nx')
  assert.equal(apply('a', 'a', 'a\nb'), 'a\nb')
})
