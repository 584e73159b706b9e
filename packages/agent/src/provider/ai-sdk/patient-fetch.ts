/** Node's fetch gives up by itself after this time without headers, or without a byte of the body. */
const hiddenLimitMs = 300_000

const dispatcherKey = Symbol.for('undici.globalDispatcher.1')

type Dispatcher = object & { readonly constructor: new (options: Readonly<Record<string, unknown>>) => object }

/**
 * A fetch without hidden limits below `patienceMs`. For limits up to five minutes that is `base` as it is; for longer
 * ones Node's fetch gets a pool of connections of its own, of the kind that is in use (so a proxy stays in effect).
 * A `base` that is not Node's may ignore that.
 */
export function createPatientFetch(base: typeof fetch, patienceMs: number): typeof fetch {
  if (patienceMs <= hiddenLimitMs) return base
  let dispatcher: object | undefined
  return (input, init) => {
    dispatcher ??= createDispatcher()
    return base(input, { ...init, ...(dispatcher && { dispatcher }) } as RequestInit)
  }
}

// Node does not export the class; it is reached through the global pool, which exists once fetch was loaded.
function createDispatcher(): object | undefined {
  void globalThis.Request
  const current = (globalThis as Readonly<Record<symbol, unknown>>)[dispatcherKey] as Dispatcher | undefined
  return current && new current.constructor({ headersTimeout: 0, bodyTimeout: 0 })
}
