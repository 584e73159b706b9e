import { z } from 'zod'

// OpenCode's form, read as it is: what is not named here is kept and ignored (looseObject).

const modelSchema = z
  .looseObject({
    id: z.string().optional().describe("The model's name for the API, where it differs from the key."),
    name: z.string().optional().describe('For lists.'),
    attachment: z.boolean().optional().describe('Does it take images and PDF?'),
    modalities: z
      .looseObject({ input: z.array(z.string()).optional(), output: z.array(z.string()).optional() })
      .optional()
      .describe('What it takes and gives: text, image, pdf, …'),
    reasoning: z.boolean().optional().describe('Is it a reasoning model, though its name does not say so?'),
    limit: z
      .looseObject({ context: z.number().optional(), output: z.number().optional() })
      .optional()
      .describe('Tokens that it can hold, and give in one answer.'),
    cost: z
      .looseObject({
        input: z.number().optional(),
        output: z.number().optional(),
        cache_read: z.number().optional(),
        cache_write: z.number().optional(),
      })
      .optional()
      .describe('US dollars for a million tokens.'),
    options: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Given to the provider as they are: reasoningEffort, thinking, …'),
  })
  .describe('A model of a provider.')

const providerBlockSchema = z
  .looseObject({
    npm: z
      .string()
      .optional()
      .describe('@ai-sdk/openai, @ai-sdk/anthropic, @ai-sdk/google or @ai-sdk/openai-compatible (the default).'),
    name: z.string().optional().describe('For lists.'),
    api: z.string().optional().describe('Address of the API, where options.baseURL is not given.'),
    env: z.array(z.string()).optional().describe('Environment variables that may hold the key.'),
    options: z
      .looseObject({
        baseURL: z.string().optional().describe('Address of the API; most end in /v1.'),
        apiKey: z.string().optional().describe('The key, by reference: {env:NAME} or {file:PATH}.'),
        headers: z
          .record(z.string(), z.string())
          .optional()
          .describe('More headers for each request; values may be references.'),
        api: z.string().optional().describe('"chat": use chat completions with @ai-sdk/openai.'),
        sendReasoning: z
          .boolean()
          .optional()
          .describe('May reasoning be sent back? Some services refuse it; default true.'),
        includeUsage: z
          .boolean()
          .optional()
          .describe('Must token counts be asked for? Some services refuse the question; default true.'),
        firstByteTimeoutMs: z
          .number()
          .positive()
          .optional()
          .describe('From a request to the first byte of the answer; default 300000.'),
        idleTimeoutMs: z.number().positive().optional().describe('Between two bytes of an answer; default 300000.'),
        timeout: z
          .union([z.number().positive(), z.literal(false)])
          .optional()
          .describe('Both limits at once; false: none.'),
      })
      .optional()
      .describe('How it is reached.'),
    models: z.record(z.string(), modelSchema).optional().describe('Its models, by the name that --model uses.'),
  })
  .describe('A model provider.')

/** The config section `provider`: providers by their id, in the form of opencode.json. */
export const providerSchema = z.record(z.string(), providerBlockSchema).describe('Model providers, by id.')

export type ProviderConfig = z.infer<typeof providerSchema>
export type ProviderBlock = z.infer<typeof providerBlockSchema>
export type ModelConfig = z.infer<typeof modelSchema>
