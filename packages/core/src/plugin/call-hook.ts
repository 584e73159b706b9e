// One call of one hook: what it is given can't be changed, how long it may take is bounded, what it returns is checked.
import type { z } from 'zod'
import type { Clock } from '../clock.ts'
import { messageOf } from '../error.ts'
import type { HookName, Plugin, PluginHooks } from './plugin.ts'

/** A plugin with the limit of its hooks. */
export interface InstalledPlugin {
  readonly plugin: Plugin
  readonly timeoutMs: number
}

/** A hook did not do its part: it threw, took too long, or returned what it may not. */
export class HookFailure extends Error {
  readonly plugin: string
  readonly hook: HookName

  constructor(plugin: string, hook: HookName, reason: string, options?: { cause?: unknown }) {
    super(reason, options)
    this.plugin = plugin
    this.hook = hook
  }
}

type EventOf<Name extends HookName> = Omit<Parameters<NonNullable<PluginHooks[Name]>>[0], 'signal'>

export interface HookLimits {
  readonly clock: Clock
  /** Of the call that the hook belongs to. */
  readonly signal: AbortSignal
}

/**
 * Calls a hook with a frozen copy of the event. Undefined: it wants nothing. Throws HookFailure, or the signal's reason.
 * A hook that is given up goes on unheard: what it still returns or throws is lost.
 */
export async function callHook<Name extends HookName, Change>(
  { plugin, timeoutMs }: InstalledPlugin,
  name: Name,
  event: EventOf<Name>,
  schema: z.ZodType<Change>,
  { clock, signal }: HookLimits,
): Promise<Change | undefined> {
  const fail = (reason: string, cause?: unknown) => new HookFailure(plugin.name, name, reason, { cause })
  const over = new AbortController()
  const waiting = AbortSignal.any([signal, over.signal])
  const frozen = Object.freeze({ ...freezeDeep(toPlain(event)), signal: waiting })
  const act = async () => (plugin.hooks[name] as ((event: unknown) => unknown) | undefined)?.call(plugin.hooks, frozen)
  const limit = clock.sleep(timeoutMs, waiting).then(() => {
    throw fail(`it did not return within ${timeoutMs / 1000} s`)
  })
  try {
    const returned = await Promise.race([act(), limit])
    if (returned === undefined) return undefined
    const parsed = schema.safeParse(returned)
    if (parsed.success) return parsed.data
    throw fail(`it returned what it may not: ${describeIssues(parsed.error)}`)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof HookFailure ? error : fail(`it threw: ${describeThrown(error)}`, error)
  } finally {
    over.abort(new DOMException('Nobody waits for this hook any more.', 'AbortError'))
  }
}

/** A copy as JSON would have it. Throws for what JSON can't hold. */
export function toPlain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}

function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) freezeDeep(inner)
  return Object.freeze(value)
}

function describeIssues({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`))
    .join('; ')
}

const maxReasonLength = 500

// Anything may be thrown, and its message may be no text, or throw itself.
function describeThrown(error: unknown): string {
  try {
    const words = String(messageOf(error))
    return words.length > maxReasonLength ? `${words.slice(0, maxReasonLength)}…` : words
  } catch {
    return 'something that has no words'
  }
}
