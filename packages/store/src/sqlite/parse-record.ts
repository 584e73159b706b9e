/** Parses a stored JSON object; undefined when it is damaged: no JSON, no object, or not of the form that `isValid` knows. */
export function parseRecord<Value extends object>(
  text: unknown,
  isValid: (record: Readonly<Record<string, unknown>>) => boolean,
): Value | undefined {
  const record = parseJson(String(text))
  return typeof record === 'object' && record !== null && isValid(record as Record<string, unknown>)
    ? (record as Value)
    : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
