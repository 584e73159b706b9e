const secretName = /(key|token|secret|passw(or)?d|passphrase|auth|authorization|cookie|credentials?)$/i

/** Does a key of this name hold something that must not be shown? */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

/**
 * The same value with secrets that stand in it in plain replaced by "(hidden)": values of telling names, all headers,
 * and what an address carries. References such as `{env:NAME}` stay: they say where a secret is, not what it is.
 */
export function hideSecrets<Value>(value: Value): Value {
  return hide(value, '', false) as Value
}

function hide(value: unknown, name: string, isInHeaders: boolean): unknown {
  if (typeof value === 'string') return hideText(value, isInHeaders || isSecretName(name))
  if (Array.isArray(value)) return value.map(item => hide(item, name, isInHeaders))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, hide(inner, key, isInHeaders || key === 'headers')]),
  )
}

// `Bearer {env:NAME}` is a reference too.
const reference = /^([A-Za-z]+ )?\{(env|file):[^}]*\}$/

function hideText(text: string, isSecret: boolean): string {
  if (reference.test(text)) return text
  return isSecret ? '(hidden)' : hideInAddress(text)
}

function hideInAddress(text: string): string {
  return text
    .replace(/^(\w+:\/\/)[^/?#@{}]*@/, '$1(hidden)@')
    .replace(/([?&]([^=&#]+)=)([^&#{}]+)/g, (whole, before: string, name: string) =>
      isSecretName(name) ? `${before}(hidden)` : whole,
    )
}
