import { z } from 'zod'
import { PermissionDenied, ToolFailure } from '../error.ts'
import { type CheckedInput, type HookedInput, type Hooks, noHooks } from '../plugin/hooks.ts'
import type { Tool, ToolContext, ToolResult } from './tool.ts'

/** What a provider or an MCP client is told of a tool. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input (draft 7, which every provider takes). */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/**
 * The tools of one session, by name. `call` is the one way in for the agent loop and for MCP:
 * it finds the tool (also by a common other name), puts the input right, checks it, and runs it.
 */
export class ToolSet {
  readonly #tools = new Map<string, Tool>()
  readonly #aliases = new Map<string, string>()
  readonly #hooks: Hooks
  #specs: readonly ToolSpec[] | undefined

  constructor(tools: readonly Tool[], aliases: Readonly<Record<string, string>> = {}, hooks: Hooks = noHooks) {
    this.#hooks = hooks
    for (const tool of tools) this.#tools.set(tool.name, tool)
    for (const [alias, name] of Object.entries(aliases)) if (this.#tools.has(name)) this.#aliases.set(alias, name)
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name) ?? this.#tools.get(this.#aliases.get(name.toLowerCase()) ?? '')
  }

  list(): readonly Tool[] {
    return [...this.#tools.values()]
  }

  /** The same list each time; it is sent with every request. */
  specs(): readonly ToolSpec[] {
    this.#specs ??= this.list().map(tool => ({
      name: tool.name,
      description: tool.description,
      inputSchema: toJsonSchema(tool.schema),
    }))
    return this.#specs
  }

  /**
   * Runs a call. Throws ToolFailure `unknown-tool` or `invalid-input` in words for the model; otherwise what hooks of
   * plugins and the tool throw. Notes on input that was put right or changed stand before the output.
   */
  async call(name: string, input: unknown, context: ToolContext): Promise<ToolResult> {
    const tool = this.get(name)
    if (!tool) throw new ToolFailure('unknown-tool', this.#describeUnknown(name))
    const { input: normalised, notes } = normaliseInput(tool, input)
    const checked = checkInput(tool, normalised)
    if ('fault' in checked) {
      throw new ToolFailure(
        'invalid-input',
        `The input of ${tool.name} is not valid, so nothing was done. ${checked.fault}.`,
      )
    }
    const { sessionID, callID, signal } = context
    const call = { sessionID, callID, signal, tool: tool.name }
    const hooked = await this.#hooks.beforeTool({ ...call, input: checked.input }, input => checkInput(tool, input))
    const result = await executeHooked(tool, hooked, context)
    return addNotes(await this.#hooks.afterTool({ ...call, input: hooked.input }, result), [...notes, ...hooked.notes])
  }

  #describeUnknown(name: string): string {
    return `There is no tool "${name}". The tools are: ${[...this.#tools.keys()].join(', ')}.`
  }
}

// zod writes the range of safe integers into each integer: words that a model pays for and learns nothing from.
function toJsonSchema(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    },
  })
  return rest
}

function normaliseInput(tool: Tool, input: unknown): { input: unknown; notes: readonly string[] } {
  const parsed = typeof input === 'string' ? parseJson(tool, input) : input
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ToolFailure(
      'invalid-input',
      `The input of ${tool.name} must be an object with its arguments; it was ${describeKind(parsed)}.`,
    )
  }
  return tool.normalise?.(parsed as Record<string, unknown>) ?? { input: parsed, notes: [] }
}

// Models send broken JSON now and then; told in words, they send it again and right.
function parseJson(tool: Tool, text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ToolFailure(
      'invalid-input',
      `The arguments of ${tool.name} are not valid JSON (${(error as Error).message}). Nothing was done; send the call again.`,
    )
  }
}

function describeKind(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

// Each tool takes an object; what it gives on as its input is one too.
function checkInput(tool: Tool, input: unknown): CheckedInput {
  const parsed = tool.schema.safeParse(input)
  return parsed.success
    ? { input: parsed.data as Readonly<Record<string, unknown>> }
    : { fault: describeInvalid(parsed.error) }
}

function describeInvalid(error: z.ZodError): string {
  const issues = error.issues.map(issue => {
    const place = issue.path.join('.')
    return place ? `${place}: ${issue.message}` : issue.message
  })
  return issues.join('; ')
}

/** Whoever reads how a call went must see what it ran with, where that is not what was asked for; so too when it failed. */
async function executeHooked(
  tool: Tool,
  { input, changedBy, notes }: HookedInput,
  context: ToolContext,
): Promise<ToolResult> {
  if (changedBy.length === 0) return tool.execute(input, context)
  const changedInput = { by: changedBy, input }
  try {
    const result = await tool.execute(input, context)
    return { ...result, metadata: { ...result.metadata, changedInput } }
  } catch (error) {
    if (!(error instanceof ToolFailure || error instanceof PermissionDenied)) throw error
    const message = `(${notes.join('; ')})\n${error.message}`
    const data = { ...error.data, changedInput }
    throw error instanceof ToolFailure
      ? new ToolFailure(error.code, message, data, { cause: error })
      : new PermissionDenied(error.code, message, data, { cause: error })
  }
}

function addNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  return notes.length === 0 ? result : { ...result, output: `(${notes.join('; ')})\n${result.output}` }
}
