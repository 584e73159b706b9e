import { ConfigError } from '@deckhand/core'

/** The way a provider's API talks. Shared code asks these facts and never a provider's name. */
export interface Dialect {
  readonly name: 'openai-responses' | 'openai-chat' | 'openai-compatible' | 'anthropic' | 'google'
  /** The npm package that speaks it. */
  readonly npm: BuiltInPackage
  /** Where requests go when the configuration says nothing. */
  readonly defaultBaseURL?: string
  /** May a tool result hold an image? Where not, it follows in a user message. */
  readonly imagesInToolResults: boolean
  /** Is there a flag for "this tool result is a failure"? Where not, the words alone say it. */
  readonly errorFlag: boolean
  /** Are marks needed to have the start of the prompt cached? Elsewhere the server does it by itself. */
  readonly cacheMarks: boolean
  /** The key of options and metadata in the AI SDK; the provider's own name where absent. */
  readonly optionsKey?: string
}

export type BuiltInPackage = '@ai-sdk/openai' | '@ai-sdk/anthropic' | '@ai-sdk/google' | '@ai-sdk/openai-compatible'

/** The npm names that `provider.ID.npm` may have. */
const builtInPackages: readonly BuiltInPackage[] = [
  '@ai-sdk/openai',
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@ai-sdk/openai-compatible',
]

const responses: Dialect = {
  name: 'openai-responses',
  npm: '@ai-sdk/openai',
  defaultBaseURL: 'https://api.openai.com/v1',
  imagesInToolResults: true,
  errorFlag: false,
  cacheMarks: false,
  optionsKey: 'openai',
}
const chat: Dialect = { ...responses, name: 'openai-chat', imagesInToolResults: false }
const anthropic: Dialect = {
  name: 'anthropic',
  npm: '@ai-sdk/anthropic',
  defaultBaseURL: 'https://api.anthropic.com/v1',
  imagesInToolResults: true,
  errorFlag: true,
  cacheMarks: true,
  optionsKey: 'anthropic',
}
const google: Dialect = {
  name: 'google',
  npm: '@ai-sdk/google',
  defaultBaseURL: 'https://generativelanguage.googleapis.com/v1beta',
  imagesInToolResults: true,
  errorFlag: true,
  cacheMarks: false,
  optionsKey: 'google',
}
const compatible: Dialect = {
  name: 'openai-compatible',
  npm: '@ai-sdk/openai-compatible',
  imagesInToolResults: false,
  errorFlag: false,
  cacheMarks: false,
}

/**
 * The dialect of a package, by the npm name that OpenCode's configuration uses. `api` is `options.api`: "chat" makes
 * `@ai-sdk/openai` use chat completions instead of Responses. ConfigError for a package that is not built in.
 */
export function resolveDialect(npm: string, api: unknown, providerID: string): Dialect {
  switch (npm) {
    case '@ai-sdk/openai':
      return api === 'chat' ? chat : responses
    case '@ai-sdk/anthropic':
      return anthropic
    case '@ai-sdk/google':
      return google
    case '@ai-sdk/openai-compatible':
      return compatible
    default:
      throw new ConfigError(
        'invalid',
        `provider.${providerID}.npm is "${npm}", which is not built in. Built in are ${builtInPackages.join(', ')}. ` +
          'Most services speak the OpenAI protocol too: set npm to "@ai-sdk/openai-compatible" and options.baseURL.',
        { providerID, npm, builtIn: builtInPackages },
      )
  }
}
