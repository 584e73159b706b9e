import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Dialect } from './dialect.ts'

export interface LoadSettings {
  readonly dialect: Dialect
  /** The name under which the AI SDK keeps options and metadata. */
  readonly optionsKey: string
  readonly modelID: string
  readonly baseURL: string
  readonly apiKey: string
  readonly headers: Readonly<Record<string, string>>
  readonly organization?: string
  readonly project?: string
  readonly queryParams?: Readonly<Record<string, string>>
  readonly includeUsage: boolean
  readonly fetch: typeof fetch
}

/**
 * Loads one provider package and makes the model. Each import has its name written out, so that a bundler can split
 * them and only the one in use is read from disk. Key and address are always given: the packages would otherwise look
 * into the process's environment.
 */
export async function loadModel(settings: LoadSettings): Promise<LanguageModelV4> {
  const { baseURL, apiKey, headers, modelID } = settings
  const common = { baseURL, apiKey, headers: { ...headers }, fetch: settings.fetch }
  switch (settings.dialect.name) {
    case 'openai-responses':
    case 'openai-chat': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      const openai = createOpenAI({ ...common, organization: settings.organization, project: settings.project })
      return settings.dialect.name === 'openai-chat' ? openai.chat(modelID) : openai.responses(modelID)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(common)(modelID)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle(common)(modelID)
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({
        ...common,
        apiKey: apiKey || undefined,
        name: settings.optionsKey,
        includeUsage: settings.includeUsage,
        queryParams: settings.queryParams && { ...settings.queryParams },
      })(modelID)
    }
  }
}
