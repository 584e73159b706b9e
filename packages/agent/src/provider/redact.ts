/** Takes secrets out of a text. */
export type Redact = (text: string) => string

const shortestSecret = 8
const mask = '[secret]'

// Keys as the services print them; for what reaches us by other ways than the configuration.
const keyShapes = /\b(?:sk-[A-Za-z0-9_-]{16,}|AIza[0-9A-Za-z_-]{30,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,})/g

/**
 * Makes the function that replaces the given secret values, also where URL-encoded, and whatever looks like a
 * service's key. Values shorter than 8 characters are left: they are words such as "ollama", not secrets.
 */
export function createRedactor(secrets: readonly string[]): Redact {
  const values = secrets
    .filter(secret => secret.length >= shortestSecret)
    .flatMap(secret => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
  // Longest first, so that a secret that contains another is replaced whole.
  const known = [...new Set(values)].sort((a, b) => b.length - a.length)
  return text => {
    let result = text
    for (const value of known) result = result.replaceAll(value, mask)
    return result.replace(keyShapes, mask)
  }
}
