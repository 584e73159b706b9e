import type { SessionID } from '../id.ts'

/**
 * A plugin: a name, and hooks that Deckhand calls. It is the default export of a file that `plugins` in the
 * configuration names. What a hook is given is frozen: it says what it wants by what it returns.
 *
 * A hook may be async. One that throws, returns something else than it may, or takes longer than the plugin's limit has
 * failed: before an act the call is refused, after it the result stays as it was, with a note.
 */
export interface Plugin {
  /** For people and for the model, where they are told what a plugin did: letters, digits and `.` `_` `-` `@` `/`. */
  readonly name: string
  readonly hooks: PluginHooks
}

/** Makes a plugin for one session, with what the configuration says to it. May be async. */
export type PluginFactory = (context: PluginContext) => Plugin | Promise<Plugin>

export interface PluginContext {
  /** Absolute path of the folder that the session works in. */
  readonly directory: string
  /** The repository's root; the folder itself where there is none. */
  readonly root: string
  /** As in the configuration, references such as `{env:NAME}` filled in; `{}` where there are none. Not checked. */
  readonly options: Readonly<Record<string, unknown>>
}

/** All of them are optional. Of several plugins, each is given what the ones before it made of it. */
export interface PluginHooks {
  /** Once for each command that may run, just before it starts: variables for it alone. */
  'shell.env'?(event: ShellEnvEvent): HookReturn<ShellEnvChange>
  /** Before a tool asks for permission: so what is asked, and runs, is what this made of it. */
  'tool.before'?(event: ToolBeforeEvent): HookReturn<ToolInputChange | ToolRefusal>
  /** After a tool gave a result; not when it failed or was not allowed to act. */
  'tool.after'?(event: ToolAfterEvent): HookReturn<ToolResultChange>
}

export type HookName = keyof PluginHooks

// biome-ignore lint/suspicious/noConfusingVoidType: a hook may come to its end without a return.
export type HookReturn<Change> = Change | undefined | void | Promise<Change | undefined | void>

interface HookEvent {
  readonly sessionID: SessionID
  readonly callID: string
  /** Aborts when nobody waits for the hook any more: its time is over, or the call is cancelled. */
  readonly signal: AbortSignal
}

export interface ShellEnvEvent extends HookEvent {
  readonly command: string
  /** Absolute path of the folder that the command starts in. */
  readonly cwd: string
  /** What the command would get. */
  readonly env: Readonly<Record<string, string>>
}

export interface ToolBeforeEvent extends HookEvent {
  readonly tool: string
  /** The arguments, checked, with defaults filled in. */
  readonly input: Readonly<Record<string, unknown>>
}

export interface ToolAfterEvent extends ToolBeforeEvent {
  readonly result: PluginToolResult
}

/** A tool's result, without attachments: these stay as they are. */
export interface PluginToolResult {
  readonly title: string
  /** What the model is told. */
  readonly output: string
  /** Facts for programs and screens. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export interface ShellEnvChange {
  /** A text sets a variable, null removes it. */
  readonly env: Readonly<Record<string, string | null>>
}

export interface ToolInputChange {
  /** In place of the input; it is checked as the model's is. */
  readonly input: Readonly<Record<string, unknown>>
  readonly refuse?: never
}

export interface ToolRefusal {
  /** Why not, in words for the model. */
  readonly refuse: string
  readonly input?: never
}

/** What is left out keeps its value. */
export interface ToolResultChange {
  readonly title?: string
  readonly output?: string
  /** Added to the facts that are there; those of the same name are replaced. Plain JSON. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Words for the model behind the output. */
  readonly note?: string
}

/** Gives the plugin back as it is: for the types. */
export function definePlugin(plugin: Plugin): Plugin
export function definePlugin(create: PluginFactory): PluginFactory
export function definePlugin(plugin: Plugin | PluginFactory): Plugin | PluginFactory {
  return plugin
}
