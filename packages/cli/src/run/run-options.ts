/** The options of `deckhand run`, as the command line gives them. */
export interface RunOptions {
  readonly dir?: string
  readonly file?: readonly string[]
  readonly format: 'text' | 'json'
  readonly auto?: boolean
  readonly mode?: string
  readonly model?: string
  readonly agent?: string
  readonly session?: string
  readonly continue?: boolean
  readonly fork?: boolean
  readonly title?: string
  readonly maxSteps?: number
  readonly timeout?: number
  readonly record?: string
  readonly keepJobs?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
}
