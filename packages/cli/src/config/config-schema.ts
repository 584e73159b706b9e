import { defaultRetryLimits, providerSchema } from '@deckhand/agent'
import { permissionModes, permissionSchema } from '@deckhand/core'
import { defaultJobLimits } from '@deckhand/process'
import { z } from 'zod'
import { defaultHookTimeoutMs, pluginsSchema } from './plugin-entry.ts'

function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error })
}

function text(what = 'must be a text') {
  return z.string({ error: what })
}

const modeSchema = z.enum([...permissionModes], {
  error: `must be one of ${permissionModes.map(mode => `"${mode}"`).join(', ')}`,
})

const maxTimeoutMs = 86_400_000

const shellSchema = z
  .strictObject({
    timeoutMs: wholeNumber(1, maxTimeoutMs)
      .default(120_000)
      .describe('How long a command may take when the model does not say.'),
    maxTimeoutMs: wholeNumber(1, maxTimeoutMs).default(600_000).describe('The longest that the model may ask for.'),
    maxLogBytes: wholeNumber(1_000, 1_000_000_000_000)
      .default(2_147_483_648)
      .describe('A command that prints more than this is ended.'),
    allowEnvironment: z
      .array(text(), { error: 'must be a list of names, with * for any characters' })
      .default([])
      .describe('Variables that look like credentials and are handed to commands all the same, such as "GH_TOKEN".'),
  })
  .describe('Commands.')

const jobsSchema = z
  .strictObject({
    max: wholeNumber(1, 1000).default(defaultJobLimits.maxJobs).describe('Jobs of a session that run at once.'),
    maxLogBytes: wholeNumber(1_000, 1_000_000_000_000)
      .default(defaultJobLimits.maxLogBytes)
      .describe('A job that prints more than this is ended.'),
    maxMemoryBytes: wholeNumber(1_000_000, 1_000_000_000_000_000)
      .optional()
      .describe('A job whose processes together take more memory than this is ended; without it, no limit.'),
  })
  .describe('Jobs: commands that run beside the conversation.')

const pathsSchema = z.array(text(), { error: 'must be a list of paths' }).default([])

const sandboxSchema = z
  .strictObject({
    enabled: z
      .boolean({ error: 'must be true or false' })
      .default(true)
      .describe('Run commands in a sandbox in the modes "workspace" and "plan".'),
    writableRoots: pathsSchema.describe('Folders that commands may write in besides the workspace, such as a cache.'),
    maskedPaths: pathsSchema.describe(
      'Files and folders that commands can not read, besides the known places of secrets.',
    ),
    readablePaths: pathsSchema.describe('Secrets that commands may read all the same, such as ".env".'),
  })
  .describe('The sandbox that commands run in.')

const limitsSchema = z
  .strictObject({
    maxSteps: wholeNumber(1, 10_000).default(100).describe('Requests to the model in one turn.'),
    turnTimeoutMs: wholeNumber(1, 2_000_000_000).optional().describe('How long a turn may take; without it, no limit.'),
  })
  .describe('Where a turn ends though the model is not done.')

const retrySchema = z
  .strictObject({
    maxAttempts: wholeNumber(1, 100)
      .default(defaultRetryLimits.maxAttempts)
      .describe('Requests in all when the provider fails; 1 never tries again.'),
    maxTotalMs: wholeNumber(0, maxTimeoutMs)
      .default(defaultRetryLimits.maxTotalMs)
      .describe('No wait is begun that would end later than this after the first request.'),
    firstDelayMs: wholeNumber(0, maxTimeoutMs)
      .default(defaultRetryLimits.firstDelayMs)
      .describe('The first wait; it doubles each time.'),
    maxDelayMs: wholeNumber(0, maxTimeoutMs)
      .default(defaultRetryLimits.maxDelayMs)
      .describe('The longest wait of our own; a Retry-After may be longer.'),
  })
  .describe('Sending a request again.')

const agentSchema = z
  .strictObject({
    description: text().optional().describe('For lists.'),
    prompt: text().optional().describe('What the model is told of itself, in place of our own words.'),
    model: text().optional().describe('Its model, as provider/model.'),
    mode: modeSchema.optional().describe('Its permission mode.'),
    permission: permissionSchema.optional().describe('Its own rules; they come after all others of their file.'),
    maxSteps: wholeNumber(1, 10_000).optional().describe('Its limit of steps.'),
  })
  .describe('An agent: a prompt with a model and a mode.')

/** All of `deckhand.json`: the checks, the defaults, `deckhand config schema` and the type come from here. */
export const configSchema = z
  .strictObject({
    $schema: text().optional().describe('For editors.'),
    model: text().optional().describe('The model, as provider/model.'),
    mode: modeSchema
      .optional()
      .describe('What is decided without a person; default "workspace" where there is a sandbox, else "ask".'),
    provider: providerSchema.default({}),
    permission: permissionSchema.optional(),
    instructions: z
      .array(text(), { error: 'must be a list of paths or globs' })
      .default([])
      .describe('Files with instructions for the model, besides AGENTS.md; relative to the file that names them.'),
    plugins: pluginsSchema
      .default([])
      .describe(
        `Plugins, in the order in which their hooks are called: a path, or an object with path, options and timeoutMs (of each hook; default ${defaultHookTimeoutMs}). Paths are relative to the file that names them.`,
      ),
    agent: z.record(z.string(), agentSchema).default({}).describe('Agents, by name.'),
    shell: shellSchema.prefault({}),
    jobs: jobsSchema.prefault({}),
    sandbox: sandboxSchema.prefault({}),
    limits: limitsSchema.prefault({}),
    retry: retrySchema.prefault({}),
  })
  .describe('Configuration of Deckhand.')

/** With every default filled in. */
export type Config = z.output<typeof configSchema>

/** Names that people use for an option of ours. */
export const otherNames: Readonly<Record<string, string>> = {
  providers: 'provider',
  permissions: 'permission',
  agents: 'agent',
  plugin: 'plugins',
  bash: 'shell',
  permissionMode: 'mode',
  maxSteps: 'limits.maxSteps',
  timeout: 'shell.timeoutMs',
}

/** Options that are planned and not there yet: said so, in place of "unknown". */
export const laterOptions: ReadonlySet<string> = new Set(['mcp', 'mcpServers', 'skill', 'gateway', 'channels'])
