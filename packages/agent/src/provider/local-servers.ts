import { type LocalProvider, localProviders } from './well-known.ts'

export interface LocalServer {
  readonly provider: LocalProvider
  readonly baseURL: string
  /** As it lists them; embedding models are left out. */
  readonly models: readonly string[]
}

export type LocalAnswer =
  | { readonly state: 'running'; readonly models: readonly string[] }
  /** Nothing listens there, or something that is no model server. */
  | { readonly state: 'absent' }
  | { readonly state: 'slow' }

export type Environment = Readonly<Record<string, string | undefined>>

/** Asks the usual local servers at once, each for its models; those that answer in time. */
export async function findLocalServers(
  fetchLike: typeof fetch,
  env: Environment,
  timeoutMs: number,
): Promise<LocalServer[]> {
  const answers = await Promise.all(
    localProviders.map(async provider => {
      const baseURL = resolveLocalURL(provider, env)
      const answer = await askModels(baseURL, fetchLike, timeoutMs)
      return answer.state === 'running' && answer.models.length > 0
        ? { provider, baseURL, models: answer.models }
        : undefined
    }),
  )
  return answers.filter(server => server !== undefined)
}

/** Where a local server is: by its variable if it has one that is set, else at its usual port. */
export function resolveLocalURL(provider: LocalProvider, env: Environment): string {
  const host = provider.hostKey && env[provider.hostKey]?.trim()
  if (!host) return provider.baseURL
  const usual = new URL(provider.baseURL)
  const text = /^https?:\/\//.test(host) ? host : `http://${host}`
  if (!URL.canParse(text)) return provider.baseURL
  const url = new URL(text)
  if (url.port === '' && url.protocol === 'http:') url.port = usual.port
  // A server that listens everywhere is reached on loopback.
  if (url.hostname === '0.0.0.0') url.hostname = usual.hostname
  return `${url.origin}/v1`
}

/** Asks `baseURL/models`. Never throws: a server that is not there is an answer. */
export async function askModels(baseURL: string, fetchLike: typeof fetch, timeoutMs: number): Promise<LocalAnswer> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetchLike(`${baseURL}/models`, { signal })
    const body: unknown = response.ok ? await response.json() : undefined
    if (!response.ok) await response.body?.cancel()
    const models = readModelIDs(body)
    return models ? { state: 'running', models } : { state: 'absent' }
  } catch {
    return { state: signal.aborted ? 'slow' : 'absent' }
  }
}

function readModelIDs(body: unknown): string[] | undefined {
  const list = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
  if (!Array.isArray(list)) return undefined
  return list
    .map(item => (typeof item === 'object' && item !== null ? (item as { id?: unknown }).id : undefined))
    .filter(id => typeof id === 'string' && !/embed/i.test(id)) as string[]
}
