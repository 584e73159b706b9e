import type { AiSdkOptions } from './ai-sdk/ai-sdk-provider.ts'
import type { BuiltInPackage } from './ai-sdk/dialect.ts'

/** A service that needs no configuration but a key in the environment. */
export interface WellKnownProvider {
  readonly id: string
  readonly name: string
  readonly npm: BuiltInPackage
  readonly baseURL: string
  /** Variables that may hold the key; the first that is set is taken. */
  readonly keys: readonly string[]
  /** A variable that may hold another address. */
  readonly baseURLKey?: string
  /** What that variable leaves out by custom, where it holds no path. */
  readonly baseURLPath?: string
  /** Used where nobody chose one; the last look at them was in December 2026. */
  readonly defaultModel: string
  /** Its ways, where they differ from what most do. */
  readonly options?: Pick<AiSdkOptions, 'sendReasoning' | 'includeUsage'>
}

/** In the order in which they are tried. */
export const wellKnownProviders: readonly WellKnownProvider[] = [
  {
    id: 'anthropic',
    name: 'Anthropic',
    npm: '@ai-sdk/anthropic',
    baseURL: 'https://api.anthropic.com/v1',
    keys: ['ANTHROPIC_API_KEY'],
    baseURLKey: 'ANTHROPIC_BASE_URL',
    baseURLPath: '/v1',
    defaultModel: 'claude-sonnet-5-5',
  },
  {
    id: 'openai',
    name: 'OpenAI',
    npm: '@ai-sdk/openai',
    baseURL: 'https://api.openai.com/v1',
    keys: ['OPENAI_API_KEY'],
    baseURLKey: 'OPENAI_BASE_URL',
    defaultModel: 'gpt-6-astra',
  },
  {
    id: 'google',
    name: 'Google Gemini',
    npm: '@ai-sdk/google',
    baseURL: 'https://generativelanguage.googleapis.com/v1beta',
    keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
    defaultModel: 'gemini-4-argon',
  },
  compatible('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY', 'openrouter/auto'),
  {
    ...compatible('mistral', 'Mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY', 'devstral-latest'),
    // It refuses fields that it does not know, and tells usage without being asked.
    options: { sendReasoning: false, includeUsage: false },
  },
  {
    ...compatible('groq', 'Groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY', 'openai/gpt-oss-120b'),
    options: { sendReasoning: false },
  },
  compatible('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY', 'deepseek-chat'),
  compatible('xai', 'xAI', 'https://api.x.ai/v1', 'XAI_API_KEY', 'grok-4'),
  {
    ...compatible('cerebras', 'Cerebras', 'https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY', 'gpt-oss-120b'),
    options: { sendReasoning: false },
  },
]

/** A server on this machine that needs no key. */
export interface LocalProvider {
  readonly id: string
  readonly name: string
  readonly baseURL: string
  /** A variable that may hold another address, with or without scheme and port. */
  readonly hostKey?: string
  readonly startHint: string
}

/** In the order in which they are preferred. */
export const localProviders: readonly LocalProvider[] = [
  {
    id: 'ollama',
    name: 'Ollama',
    baseURL: 'http://127.0.0.1:11434/v1',
    hostKey: 'OLLAMA_HOST',
    startHint: 'start it with `ollama serve`',
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    baseURL: 'http://127.0.0.1:1234/v1',
    startHint: 'start its server with `lms server start`',
  },
  {
    id: 'llamacpp',
    name: 'llama.cpp',
    baseURL: 'http://127.0.0.1:8080/v1',
    startHint: 'start it with `llama-server -m MODEL.gguf --jinja`',
  },
]

function compatible(id: string, name: string, baseURL: string, key: string, defaultModel: string): WellKnownProvider {
  return { id, name, npm: '@ai-sdk/openai-compatible', baseURL, keys: [key], defaultModel }
}

/** The variables that may hold a provider's key: nothing that a model starts is to see them. */
export const providerKeyNames: readonly string[] = wellKnownProviders.flatMap(({ keys }) => keys)
