import type { z } from 'zod'
import type { SessionID } from '../id.ts'
import type { Attachment } from '../message.ts'
import type { PermissionQuestion, Verdict } from '../permission/question.ts'

/** What a client may assume about a tool before it calls it; the names are those of MCP. */
export interface ToolAnnotations {
  readonly title: string
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** What a tool call gives back. `output` is what the model is told, word for word. */
export interface ToolResult {
  readonly title: string
  readonly output: string
  /** Facts for programs and screens: exit code, diff, path of the full log. */
  readonly metadata: Readonly<Record<string, unknown>>
  readonly attachments?: readonly Attachment[]
}

/** What a tool is handed for one call. */
export interface ToolContext {
  readonly sessionID: SessionID
  readonly callID: string
  /** Aborts on cancel and at the turn's time limit; the reason travels up untouched. */
  readonly signal: AbortSignal
  /** Returns once all parts are allowed; throws PermissionDenied otherwise. To be called before anything is done. */
  ask(question: Omit<PermissionQuestion, 'tool' | 'callID'>): Promise<void>
  /** What rules and mode say of it by now; nobody is asked, and nothing is allowed by it. */
  evaluate(question: Pick<PermissionQuestion, 'parts'>): Promise<Verdict>
  /** Shows how a running call is doing (output so far). May be called often; must not be relied on. */
  report(progress: { readonly title?: string; readonly metadata?: Readonly<Record<string, unknown>> }): void
}

/** Input after wrong but common names and forms were put right, and a note for each thing that was. */
export interface NormalisedInput {
  readonly input: unknown
  readonly notes: readonly string[]
}

/**
 * A tool: what the model may pass, what it is told, and the act itself.
 * `execute` throws ToolFailure or PermissionDenied for what the model should know; any other error is a bug or a
 * cancellation and travels up.
 */
export interface Tool<Schema extends z.ZodType = z.ZodType> {
  readonly name: string
  /** Words for the model, paid for on every request: short, exact. */
  readonly description: string
  readonly schema: Schema
  readonly annotations: ToolAnnotations
  /** Puts wrong but common argument names right. Absent: the input is taken as it is. */
  normalise?(input: Readonly<Record<string, unknown>>): NormalisedInput
  execute(input: z.infer<Schema>, context: ToolContext): Promise<ToolResult>
}
