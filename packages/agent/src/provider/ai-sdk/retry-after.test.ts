import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseDurationMs, parseRetryAfterMs } from './retry-after.ts'

const now = Date.parse('2026-12-01T04:00:00Z')
const parse = (headers: Record<string, string>) => parseRetryAfterMs(headers, now)

describe('the time a server asks to wait', () => {
  it('core.providers: is read from seconds, milliseconds and dates', () => {
    assert.equal(parse({ 'retry-after': '7' }), 7_000)
    assert.equal(parse({ 'retry-after': '1.5' }), 1_500)
    assert.equal(parse({ 'retry-after-ms': '250', 'retry-after': '1' }), 250)
    assert.equal(parse({ 'retry-after': 'Tue, 01 Dec 2026 04:00:30 GMT' }), 30_000)
    assert.equal(parse({ 'retry-after': 'Tue, 01 Dec 2026 03:00:00 GMT' }), 0)
    assert.equal(parse({ 'retry-after': 'soon' }), undefined)
    assert.equal(parse({}), undefined)
  })

  it('is read from the reset of what has run out', () => {
    assert.equal(parse({ 'x-ratelimit-reset-tokens': '6m0s' }), 360_000)
    assert.equal(
      parse({
        'x-ratelimit-remaining-requests': '99',
        'x-ratelimit-reset-requests': '1h',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '20ms',
      }),
      20,
    )
    assert.equal(
      parse({
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-12-01T04:01:00Z',
      }),
      60_000,
    )
    assert.equal(parse({ 'x-ratelimit-reset': String(now + 5_000) }), 5_000)
    assert.equal(parse({ 'x-ratelimit-reset': String(now / 1000 + 5) }), 5_000)
  })

  it('durations have hours, minutes, seconds and milliseconds', () => {
    assert.equal(parseDurationMs('1h2m3.5s'), 3_723_500)
    assert.equal(parseDurationMs('34s'), 34_000)
    assert.equal(parseDurationMs('12'), 12_000)
    assert.equal(parseDurationMs(''), undefined)
    assert.equal(parseDurationMs('later'), undefined)
  })

  it('is never negative and never NaN, whatever the headers say', () => {
    const value = fc.oneof(fc.string(), fc.date().map(String), fc.nat().map(String), fc.double().map(String))
    fc.assert(
      fc.property(fc.constantFrom('retry-after', 'retry-after-ms', 'x-ratelimit-reset-tokens'), value, (name, text) => {
        const wait = parse({ [name]: text })
        assert.ok(wait === undefined || (Number.isFinite(wait) && wait >= 0), `${name}: ${text} -> ${wait}`)
      }),
    )
  })
})
