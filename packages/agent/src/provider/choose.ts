/**
 * Decides which model answers: by `--model`, by the configuration, by a key in the environment, or by a server that
 * runs on this machine. Here lives the decision and its words; how a model is spoken to lives in ai-sdk/, scripted/
 * and replay/.
 */
import { isAbsolute, join } from 'node:path'
import { type Clock, ConfigError, type ModelRef } from '@deckhand/core'
import { type AiSdkProviderSettings, createAiSdkProvider } from './ai-sdk/ai-sdk-provider.ts'
import { findCloseNames } from './close-names.ts'
import type { ModelCapabilities, ModelProvider } from './contract.ts'
import { askModels, type Environment, findLocalServers, resolveLocalURL } from './local-servers.ts'
import type { ModelConfig, ProviderBlock, ProviderConfig } from './provider-schema.ts'
import { describeReference, resolveReferences } from './secret-reference.ts'
import { type LocalProvider, localProviders, type WellKnownProvider, wellKnownProviders } from './well-known.ts'

export interface ChooseOptions {
  /** `--model`: `provider/model`, `script/FILE` or `replay/FILE`. */
  readonly model?: string
  /** The merged configuration's `model` and `provider`. */
  readonly config: { readonly model?: string; readonly provider?: ProviderConfig }
  readonly env: Environment
  /** Absolute path of the workspace. */
  readonly workspace: string
  /** Where relative paths of scripts and cassettes begin: where the person stands; default the workspace. */
  readonly directory?: string
  /** Where relative paths in `{file:…}` begin: the folder of the configuration; default the workspace. */
  readonly configDirectory?: string
  readonly home?: string
  /** The data folder, for cassettes: its path is replaced in them. */
  readonly dataDirectory?: string
  /** Writes the traffic to this cassette. */
  readonly record?: string
  readonly fetch?: typeof fetch
  readonly clock?: Clock
  /** For demos: between two pieces of a script's text. */
  readonly pieceDelayMs?: number
}

export interface ChosenModel {
  readonly provider: ModelProvider
  readonly model: ModelRef
  /** Why this one, for a person: `--model`, `"model" in the configuration`, `ANTHROPIC_API_KEY`, `Ollama on …`. */
  readonly source: string
}

/** A model that could be chosen, for `deckhand models`. */
export interface ListedModel {
  /** As `--model` takes it. */
  readonly model: string
  readonly name?: string
  readonly source: string
  readonly contextTokens?: number
  /** Would it be taken if nobody chose? */
  readonly isDefault: boolean
  /** Why it can't be used now, such as a key that is missing. */
  readonly problem?: string
}

const searchTimeoutMs = 300
const explicitTimeoutMs = 2_000

/**
 * Chooses and makes the model; nothing is sent to it yet. ConfigError: `no-model` when nothing is found (with the
 * three quickest ways), `unknown-model` (with close names), `missing-secret` (with the variable's name), `invalid`.
 */
export async function chooseProvider(options: ChooseOptions): Promise<ChosenModel> {
  const { name, source } = await resolveName(options)
  const { providerID, modelID } = parseModelName(name, source)
  if (providerID === 'script' || providerID === 'replay') return openFile(providerID, modelID, source, options)
  const settings = await resolveSettings(providerID, modelID, options)
  return { provider: await createRecorded(settings, options), model: { providerID, modelID }, source }
}

interface Found {
  readonly name: string
  readonly source: string
}

async function resolveName(options: ChooseOptions): Promise<Found> {
  if (options.model) return { name: options.model, source: '--model' }
  if (options.config.model) return { name: options.config.model, source: '"model" in the configuration' }
  const found = findConfigured(options) ?? findByKey(options) ?? (await findLocal(options))
  if (found) return found
  throw new ConfigError('no-model', describeNoModel())
}

function findConfigured({ config, env }: ChooseOptions): Found | undefined {
  for (const [providerID, block] of Object.entries(config.provider ?? {})) {
    const modelID = Object.keys(block.models ?? {})[0]
    if (modelID === undefined || findProblem(providerID, block, env) !== undefined) continue
    return { name: `${providerID}/${modelID}`, source: `provider.${providerID} in the configuration` }
  }
  return undefined
}

function findByKey({ env }: ChooseOptions): Found | undefined {
  for (const known of wellKnownProviders) {
    const key = known.keys.find(name => env[name])
    if (key) return { name: `${known.id}/${known.defaultModel}`, source: key }
  }
  return undefined
}

async function findLocal({ env, fetch: fetchLike = fetch }: ChooseOptions): Promise<Found | undefined> {
  const [server] = await findLocalServers(fetchLike, env, searchTimeoutMs)
  const modelID = server?.models[0]
  return server && modelID
    ? { name: `${server.provider.id}/${modelID}`, source: `${server.provider.name} on ${server.baseURL}` }
    : undefined
}

function describeNoModel(): string {
  return [
    'No model is configured, no key is in the environment, and no model server runs on this machine. The three quickest ways:',
    '  1. a key:          export ANTHROPIC_API_KEY=…   (or OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY)',
    '  2. a local model:  ollama pull qwen3-coder && ollama serve   (LM Studio and llama.cpp are found too)',
    '  3. another server: "provider" in deckhand.json with npm "@ai-sdk/openai-compatible" and options.baseURL',
    'To see Deckhand at work without a model: deckhand demo',
  ].join('\n')
}

// Model ids may hold slashes: only the first one splits.
function parseModelName(name: string, source: string): ModelRef {
  const slash = name.indexOf('/')
  const providerID = name.slice(0, slash)
  const modelID = name.slice(slash + 1)
  if (slash > 0 && modelID !== '') return { providerID, modelID }
  throw new ConfigError(
    'unknown-model',
    `The model "${name}" (${source}) must be written as provider/model, such as anthropic/claude-sonnet-5-5, ollama/qwen3-coder or script/demo.yaml.`,
    { model: name },
  )
}

async function openFile(
  kind: 'script' | 'replay',
  name: string,
  source: string,
  options: ChooseOptions,
): Promise<ChosenModel> {
  const file = resolveFile(name, options)
  if (kind === 'replay') {
    const { openReplay } = await import('./replay/replay-provider.ts')
    const provider = await openReplay(file, { replacements: listReplacements(options) })
    return { provider, model: { providerID: provider.providerID, modelID: provider.modelID }, source }
  }
  if (options.record !== undefined) {
    throw new ConfigError(
      'invalid',
      `A script has no traffic, so there is nothing to record into ${options.record}. Leave out --record.`,
    )
  }
  const { openScript } = await import('./scripted/scripted-provider.ts')
  const { workspace, clock, pieceDelayMs } = options
  const provider = await openScript(file, { workspace, clock, pieceDelayMs, modelID: name })
  return { provider, model: { providerID: 'script', modelID: name }, source }
}

function resolveFile(name: string, { directory, workspace }: ChooseOptions): string {
  return isAbsolute(name) ? name : join(directory ?? workspace, name)
}

function listReplacements({ workspace, home, dataDirectory }: ChooseOptions) {
  return [
    { value: workspace, as: '{workspace}' },
    ...(dataDirectory ? [{ value: dataDirectory, as: '{data}' }] : []),
    ...(home ? [{ value: home, as: '{home}' }] : []),
  ]
}

async function createRecorded(settings: AiSdkProviderSettings, options: ChooseOptions): Promise<ModelProvider> {
  if (options.record === undefined) return createAiSdkProvider(settings)
  const { createRecorder } = await import('./replay/recorder.ts')
  const provider = createAiSdkProvider(settings)
  const { npm, providerID, modelID, apiModelID, modelOptions, reasoning } = settings
  const { baseURL, api, queryParams, sendReasoning, includeUsage, apiKey = '', headers = {} } = settings.options
  const recorder = await createRecorder(settings.fetch ?? fetch, {
    file: resolveFile(options.record, options),
    header: {
      npm,
      provider: providerID,
      model: modelID,
      options: { baseURL, api, queryParams, sendReasoning, includeUsage },
      apiModelID,
      modelOptions,
      reasoning,
      capabilities: provider.capabilities,
    },
    replacements: listReplacements(options),
    secrets: [apiKey, ...Object.values(headers), ...(settings.secrets ?? [])],
  })
  return createAiSdkProvider({ ...settings, fetch: recorder })
}

async function resolveSettings(
  providerID: string,
  modelID: string,
  options: ChooseOptions,
): Promise<AiSdkProviderSettings> {
  const block = options.config.provider?.[providerID]
  const known = wellKnownProviders.find(({ id }) => id === providerID)
  const local = localProviders.find(({ id }) => id === providerID)
  if (!block && !known && !local) throw createUnknownProvider(providerID, options)
  const model = resolveModel(providerID, modelID, block, known !== undefined || local !== undefined)
  if (local && !block?.options?.baseURL) await checkLocal(local, modelID, options)

  const place = `provider.${providerID}.options`
  const context = { env: options.env, home: options.home, directory: options.configDirectory ?? options.workspace }
  const { value: resolved, secrets } = await resolveReferences(block?.options ?? {}, place, context)
  const ofModel = await resolveReferences(model?.options, `provider.${providerID}.models.${modelID}.options`, context)
  const key = resolveKey(providerID, block, known, resolved.apiKey, options.env)
  const limits = resolveTimeouts(resolved)
  return {
    npm: model?.provider?.npm ?? block?.npm ?? known?.npm ?? '@ai-sdk/openai-compatible',
    providerID,
    modelID,
    apiModelID: model?.id,
    options: {
      ...known?.options,
      ...resolved,
      ...limits,
      apiKey: key.value,
      baseURL: resolveAddress(block, known, local, resolved.baseURL, options.env),
    },
    modelOptions: ofModel.value,
    reasoning: model?.reasoning,
    capabilities: toCapabilities(model),
    keyName: key.name,
    secrets: [...secrets, ...ofModel.secrets],
    fetch: options.fetch,
    now: options.clock && (() => options.clock?.now() ?? 0),
  }
}

// `models.X.provider.npm` is OpenCode's way to give one model of a service another protocol.
type ResolvedModel = ModelConfig & { readonly provider?: { readonly npm?: string } }

function resolveModel(
  providerID: string,
  modelID: string,
  block: ProviderBlock | undefined,
  takesOthers: boolean,
): ResolvedModel | undefined {
  const models = block?.models ?? {}
  const names = Object.keys(models)
  if (models[modelID] || takesOthers || names.length === 0) return models[modelID] as ResolvedModel | undefined
  throw new ConfigError(
    'unknown-model',
    `provider.${providerID} has no model "${modelID}".${describeClose(modelID, names)} It has: ${describeSome(names)}.`,
    { providerID, modelID, models: names },
  )
}

function createUnknownProvider(providerID: string, { config }: ChooseOptions): ConfigError {
  const configured = Object.keys(config.provider ?? {})
  const known = [...wellKnownProviders, ...localProviders].map(({ id }) => id)
  return new ConfigError(
    'unknown-model',
    `There is no provider "${providerID}".${describeClose(providerID, [...configured, ...known])} ` +
      `Configured: ${describeSome(configured)}. Known without configuration: ${known.join(', ')}, script/FILE, replay/FILE.`,
    { providerID, configured, known },
  )
}

function describeClose(name: string, names: readonly string[]): string {
  const close = findCloseNames(name, names)
  return close.length > 0 ? ` Close names: ${close.join(', ')}.` : ''
}

function describeSome(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  return names.length > 12 ? `${names.slice(0, 12).join(', ')} and ${names.length - 12} more` : names.join(', ')
}

async function checkLocal(
  local: LocalProvider,
  modelID: string,
  { env, fetch: fetchLike = fetch }: ChooseOptions,
): Promise<void> {
  const baseURL = resolveLocalURL(local, env)
  const answer = await askModels(baseURL, fetchLike, explicitTimeoutMs)
  // A server that is busy loading a model may answer late: the request itself will tell.
  if (answer.state === 'slow') return
  if (answer.state === 'absent') {
    throw new ConfigError('no-model', `${local.name} does not answer at ${baseURL}: ${local.startHint}.`, {
      providerID: local.id,
      baseURL,
    })
  }
  // `name` means `name:latest` to Ollama.
  if (answer.models.length === 0 || answer.models.some(id => id === modelID || id === `${modelID}:latest`)) return
  throw new ConfigError(
    'unknown-model',
    `${local.name} at ${baseURL} has no model "${modelID}".${describeClose(modelID, answer.models)} It has: ${describeSome(answer.models)}.`,
    { providerID: local.id, modelID, models: answer.models },
  )
}

interface Key {
  readonly value?: string
  /** Where it comes from, for errors. */
  readonly name: string
}

function resolveKey(
  providerID: string,
  block: ProviderBlock | undefined,
  known: WellKnownProvider | undefined,
  configured: string | undefined,
  env: Environment,
): Key {
  const place = `provider.${providerID}.options.apiKey`
  if (configured) return { value: configured, name: describeReference(block?.options?.apiKey) ?? place }
  const names = [...(block?.env ?? []), ...(known?.keys ?? [])]
  const variable = names.find(name => env[name])
  if (variable) return { value: env[variable]?.trim(), name: variable }
  // Another address, or headers, may need no key.
  if (!known || block?.options?.baseURL || block?.options?.headers) return { name: place }
  throw new ConfigError(
    'missing-secret',
    `${known.name} needs a key, and ${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} not set. Set ${names[0]}, or ${place} to "{env:NAME}" or "{file:PATH}".`,
    { providerID, variables: names },
  )
}

function resolveAddress(
  block: ProviderBlock | undefined,
  known: WellKnownProvider | undefined,
  local: LocalProvider | undefined,
  configured: string | undefined,
  env: Environment,
): string | undefined {
  return configured ?? block?.api ?? (known && resolveKnownURL(known, env)) ?? (local && resolveLocalURL(local, env))
}

function resolveKnownURL(known: WellKnownProvider, env: Environment): string {
  const variable = known.baseURLKey && env[known.baseURLKey]
  if (!variable) return known.baseURL
  const hasPath = URL.canParse(variable) && new URL(variable).pathname !== '/'
  return hasPath ? variable : `${variable.replace(/\/$/, '')}${known.baseURLPath ?? ''}`
}

type BlockOptions = NonNullable<ProviderBlock['options']>

function resolveTimeouts({ timeout, firstByteTimeoutMs, idleTimeoutMs }: BlockOptions) {
  const both = timeout === false ? Number.POSITIVE_INFINITY : timeout
  return { firstByteTimeoutMs: firstByteTimeoutMs ?? both, idleTimeoutMs: idleTimeoutMs ?? both }
}

function toCapabilities(model: ModelConfig | undefined): ModelCapabilities {
  const takesImages = model?.modalities?.input?.includes('image') ?? model?.attachment ?? true
  const { limit, cost } = model ?? {}
  return {
    acceptsImages: takesImages,
    ...(limit?.context && { contextTokens: limit.context }),
    ...(limit?.output && { outputTokens: limit.output }),
    ...(cost && {
      price: {
        input: cost.input ?? 0,
        output: cost.output ?? 0,
        cacheRead: cost.cache_read ?? 0,
        cacheWrite: cost.cache_write ?? 0,
      },
    }),
  }
}

// Only what can be told without reading files: a list must not fail for one broken reference.
function findProblem(providerID: string, block: ProviderBlock, env: Environment): string | undefined {
  const text = JSON.stringify(block.options ?? {})
  for (const [, name = ''] of text.matchAll(/\{env:([^}]+)\}/g)) if (!env[name]) return `${name} is not set`
  const known = wellKnownProviders.find(({ id }) => id === providerID)
  if (!known || block.options?.apiKey || block.options?.baseURL || block.options?.headers) return undefined
  return [...(block.env ?? []), ...known.keys].some(name => env[name]) ? undefined : `${known.keys[0]} is not set`
}

/** All models that could be chosen, with where each comes from: configured, by a key, and of local servers. */
export async function listModels(options: ChooseOptions): Promise<ListedModel[]> {
  const { config, env, fetch: fetchLike = fetch } = options
  const servers = await findLocalServers(fetchLike, env, searchTimeoutMs)
  const local = servers.flatMap(({ provider, baseURL, models }) =>
    models.map(id => ({ model: `${provider.id}/${id}`, source: `${provider.name} on ${baseURL}` })),
  )
  const byKey = wellKnownProviders.flatMap(known => {
    const key = known.keys.find(name => env[name])
    return key ? [{ model: `${known.id}/${known.defaultModel}`, name: `${known.name}'s default`, source: key }] : []
  })
  const all = [...listConfigured(config.provider ?? {}, env), ...byKey, ...local]
  const chosen = options.model ?? config.model ?? findConfigured(options)?.name ?? byKey[0]?.model ?? local[0]?.model
  return all
    .filter((entry, index) => all.findIndex(({ model }) => model === entry.model) === index)
    .map(entry => ({ ...entry, isDefault: entry.model === chosen }))
}

function listConfigured(providers: ProviderConfig, env: Environment): Omit<ListedModel, 'isDefault'>[] {
  return Object.entries(providers).flatMap(([providerID, block]) => {
    const problem = findProblem(providerID, block, env)
    return Object.entries(block.models ?? {}).map(([modelID, model]) => ({
      model: `${providerID}/${modelID}`,
      source: `provider.${providerID} in the configuration`,
      ...(model.name && { name: model.name }),
      ...(model.limit?.context && { contextTokens: model.limit.context }),
      ...(problem && { problem }),
    }))
  })
}
