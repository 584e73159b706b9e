/**
 * How long a server asks to wait, in milliseconds from `now`, from whichever of its headers says so; undefined where
 * none does. Never negative.
 */
export function parseRetryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const ms = parseNumber(headers['retry-after-ms'])
  if (ms !== undefined) return Math.max(0, Math.round(ms))
  return parseRetryAfter(headers['retry-after'], now) ?? parseResets(headers, now)
}

/** A duration as services write it: `34s`, `1m30.5s`, `20ms`, `2h`; a bare number is seconds. */
export function parseDurationMs(text: string): number | undefined {
  const seconds = parseNumber(text)
  if (seconds !== undefined) return Math.round(seconds * 1000)
  const match = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)s)?(?:([\d.]+)ms)?$/.exec(text.trim())
  if (!match || text.trim() === '') return undefined
  const [hours, minutes, wholeSeconds, millis] = match.slice(1).map(part => Number(part ?? 0))
  return Math.round((((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (wholeSeconds ?? 0)) * 1000 + (millis ?? 0))
}

function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const duration = parseDurationMs(value)
  if (duration !== undefined) return duration
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

// `x-ratelimit-reset-tokens: 6m0s` (OpenAI, Groq), `x-ratelimit-reset: 1764555000000` (OpenRouter, a moment),
// `anthropic-ratelimit-requests-reset: 2026-12-01T04:00:00Z`. Only what has run out is waited for.
function parseResets(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const waits: number[] = []
  for (const [name, value] of Object.entries(headers)) {
    if (!/ratelimit.*reset/.test(name)) continue
    const remaining = headers[name.replace('reset', 'remaining')]
    if (remaining !== undefined && Number(remaining) > 0) continue
    const wait = parseReset(value, now)
    if (wait !== undefined) waits.push(wait)
  }
  return waits.length > 0 ? Math.max(...waits) : undefined
}

function parseReset(value: string, now: number): number | undefined {
  const number = parseNumber(value)
  if (number !== undefined && number > 1e12) return Math.max(0, Math.round(number - now))
  if (number !== undefined && number > 1e9) return Math.max(0, Math.round(number * 1000 - now))
  return parseRetryAfter(value, now)
}

function parseNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}
