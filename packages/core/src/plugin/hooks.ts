// The hooks of all plugins of a session, in the order of the configuration. What a hook is stands in plugin.ts.
import type { Clock } from '../clock.ts'
import { PermissionDenied, ToolFailure } from '../error.ts'
import type { SessionID } from '../id.ts'
import type { ToolResult } from '../tool/tool.ts'
import { callHook, HookFailure, type InstalledPlugin } from './call-hook.ts'
import { shellEnvSchema, toolAfterSchema, toolBeforeSchema } from './change-schemas.ts'
import type { HookName, ToolResultChange } from './plugin.ts'

export interface HooksOptions {
  readonly plugins: readonly InstalledPlugin[]
  readonly clock: Clock
  /** A sentence for the user: a plugin changed a call, or failed after one. */
  tell(words: string): void
}

interface HookedCall {
  readonly sessionID: SessionID
  readonly callID: string
  readonly signal: AbortSignal
}

export interface HookedToolCall extends HookedCall {
  readonly tool: string
  readonly input: Input
}

export interface HookedCommand extends HookedCall {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

type Input = Readonly<Record<string, unknown>>

/** A checked input, or what is wrong with it. */
export type CheckedInput = { readonly input: Input } | { readonly fault: string }

/** What became of the input of a call. */
export interface HookedInput {
  readonly input: Input
  /** Names of plugins that changed it, in their order. */
  readonly changedBy: readonly string[]
  /** A note for the model for each of them. */
  readonly notes: readonly string[]
}

/** What the parts of Deckhand ask of plugins. */
export interface Hooks {
  /**
   * The input that the call is to go on with; `check` says whether a changed one can be. Throws PermissionDenied `plugin`
   * when one refuses, ToolFailure `plugin` when one fails, and the signal's reason.
   */
  beforeTool(call: HookedToolCall, check: (input: Input) => CheckedInput): Promise<HookedInput>
  /** The result that the model is to get. A hook that fails leaves it as it is, with a note. Throws the signal's reason. */
  afterTool(call: HookedToolCall, result: ToolResult): Promise<ToolResult>
  /** Variables for one command; undefined removes one. Throws ToolFailure `plugin` when one fails, and the signal's reason. */
  shellEnv(command: HookedCommand): Promise<Readonly<Record<string, string | undefined>>>
}

/** Without plugins nothing is changed. */
export const noHooks: Hooks = {
  beforeTool: async ({ input }) => ({ input, changedBy: [], notes: [] }),
  afterTool: async (_, result) => result,
  shellEnv: async () => ({}),
}

/** Makes the hooks of a session. */
export function createHooks({ plugins, clock, tell }: HooksOptions): Hooks {
  const having = (name: HookName) => plugins.filter(({ plugin }) => plugin.hooks[name] !== undefined)
  return {
    async beforeTool({ signal, ...call }, check) {
      let { input } = call
      const changedBy: string[] = []
      const notes: string[] = []
      for (const installed of having('tool.before')) {
        const { name } = installed.plugin
        const before = input
        const change = await callHook(installed, 'tool.before', { ...call, input }, toolBeforeSchema, {
          clock,
          signal,
        }).catch(refuseFailure)
        if (change?.refuse !== undefined) throw createRefusal(name, call.tool, change.refuse)
        if (change?.input === undefined) continue
        const checked = check(change.input)
        if ('fault' in checked) {
          throw createFailure(
            new HookFailure(name, 'tool.before', `it made an input that is not valid: ${checked.fault}`),
          )
        }
        const fields = listChanged(before, checked.input)
        if (fields.length === 0) continue
        input = checked.input
        changedBy.push(name)
        notes.push(`the plugin ${name} changed ${fields.join(', ')}`)
        tell(describeChange(name, call.tool, fields, input))
      }
      return { input, changedBy, notes }
    },

    async afterTool({ signal, ...call }, result) {
      const failures: string[] = []
      for (const installed of having('tool.after')) {
        const { title, output, metadata } = result
        const event = { ...call, result: { title, output, metadata } }
        try {
          const change = await callHook(installed, 'tool.after', event, toolAfterSchema, { clock, signal })
          result = applyChange(result, change ?? {}, installed.plugin.name)
        } catch (error) {
          if (!(error instanceof HookFailure)) throw error
          failures.push(
            `the plugin ${error.plugin} failed in ${error.hook}, so the result is without it: ${error.message}`,
          )
        }
      }
      for (const words of failures) tell(`In a call of ${call.tool} ${words}`)
      return { ...result, output: [result.output, ...failures.map(words => `(${words})`)].join('\n') }
    },

    async shellEnv({ signal, env, ...command }) {
      let changes: Readonly<Record<string, string | undefined>> = {}
      for (const installed of having('shell.env')) {
        const event = { ...command, env: withoutRemoved({ ...env, ...changes }) }
        const change = await callHook(installed, 'shell.env', event, shellEnvSchema, { clock, signal }).catch(
          refuseFailure,
        )
        const own = Object.entries(change?.env ?? {}).map(([name, value]) => [name, value ?? undefined])
        changes = { ...changes, ...Object.fromEntries(own) }
      }
      return changes
    },
  }
}

function refuseFailure(error: unknown): never {
  throw error instanceof HookFailure ? createFailure(error) : error
}

function createFailure({ plugin, hook, message }: HookFailure): ToolFailure {
  return new ToolFailure(
    'plugin',
    `Nothing was done: the plugin ${plugin} failed in its hook ${hook}, and without its word the call may not run: ${message}. The user can mend it, or take it out of "plugins" in the configuration.`,
    { plugin, hook, reason: message },
  )
}

function createRefusal(plugin: string, tool: string, words: string): PermissionDenied {
  return new PermissionDenied(
    'plugin',
    `The plugin ${plugin} refused this call of ${tool}, so nothing was done: ${words}`,
    {
      plugin,
      words,
    },
  )
}

/** Names of the fields that are not as they were. */
function listChanged(before: Input, after: Input): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}

const maxValueLength = 200

function describeChange(plugin: string, tool: string, fields: readonly string[], input: Input): string {
  const values = fields.map(field => {
    const value = JSON.stringify(input[field]) ?? 'gone'
    return `${field} is now ${value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value}`
  })
  return `The plugin ${plugin} changed a call of ${tool}: ${values.join(', ')}`
}

function applyChange(result: ToolResult, { note, ...change }: ToolResultChange, plugin: string): ToolResult {
  const { title = result.title, output = result.output, metadata = {} } = change
  return {
    ...result,
    title,
    output: note === undefined ? output : `${output}\n(the plugin ${plugin} notes: ${note})`,
    metadata: { ...result.metadata, ...metadata },
  }
}

function withoutRemoved(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
