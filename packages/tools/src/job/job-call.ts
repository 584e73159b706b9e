import type { ToolContext } from '@deckhand/core'
import type { ShellSetup } from '../shell/shell-deps.ts'
import type { JobInput } from './schema.ts'

/** One call of the tool `job`, with all that its action may need. */
export interface JobCall {
  readonly input: JobInput
  readonly setup: ShellSetup
  readonly context: ToolContext
}
