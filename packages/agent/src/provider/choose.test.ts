import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ConfigError } from '@deckhand/core'
import { type ModelServer, type ServerStep, startModelServer } from '../../../../test/model-server/model-server.ts'
import { type ChooseOptions, chooseProvider, listModels } from './choose.ts'
import { findCloseNames } from './close-names.ts'
import { collect, textOf } from './provider.contract.ts'
import { providerSchema } from './provider-schema.ts'

// Local servers are looked for through this: nothing on the machine may answer for the test.
const nobody: typeof fetch = async () => {
  throw new TypeError('fetch failed')
}

function options(more: Partial<ChooseOptions> = {}): ChooseOptions {
  return { config: {}, env: {}, workspace: '/w', fetch: nobody, ...more }
}

async function problemOf(more: Partial<ChooseOptions>): Promise<ConfigError> {
  try {
    await chooseProvider(options(more))
  } catch (error) {
    assert.ok(error instanceof ConfigError, error instanceof Error ? error.stack : String(error))
    return error
  }
  assert.fail('a model was chosen')
}

async function withServer(
  steps: readonly ServerStep[],
  test: (server: ModelServer) => Promise<void>,
  models?: string[],
): Promise<void> {
  const server = await startModelServer({ steps, models })
  try {
    await test(server)
  } finally {
    await server.close()
  }
}

describe('choosing a model', () => {
  it('core.providers: without any model the error lists the three quickest ways, and the demo', async () => {
    const error = await problemOf({})
    assert.equal(error.code, 'no-model')
    assert.equal(
      error.message,
      `No model is configured, no key is in the environment, and no model server runs on this machine. The three quickest ways:
  1. a key:          export ANTHROPIC_API_KEY=…   (or OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY)
  2. a local model:  ollama pull qwen3-coder && ollama serve   (LM Studio and llama.cpp are found too)
  3. another server: "provider" in deckhand.json with npm "@ai-sdk/openai-compatible" and options.baseURL
To see Deckhand at work without a model: deckhand demo`,
    )
  })

  it('core.opencode_compat: a provider block of opencode.json is read as it is', () =>
    withServer([{ text: 'hi' }], async server => {
      const provider = providerSchema.parse({
        mine: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Mine',
          options: {
            baseURL: `${server.url}/v1`,
            apiKey: '{env:MY_KEY}',
            headers: { 'X-Team': 'red-{env:TEAM}' },
            setCacheKey: true,
          },
          models: {
            'org/big-model': {
              name: 'Big',
              tool_call: true,
              release_date: '2026-01-01',
              limit: { context: 200000, output: 64000 },
              cost: { input: 3, output: 15, cache_read: 0.3 },
              modalities: { input: ['text'], output: ['text'] },
              options: { reasoningEffort: 'high' },
            },
          },
          blacklist: [],
        },
      })
      const env = { MY_KEY: 'key-of-mine-1', TEAM: 'one' }
      const chosen = await chooseProvider(options({ model: 'mine/org/big-model', config: { provider }, env, fetch }))
      assert.deepEqual(chosen.model, { providerID: 'mine', modelID: 'org/big-model' })
      assert.deepEqual(chosen.provider.capabilities, {
        acceptsImages: false,
        contextTokens: 200000,
        outputTokens: 64000,
        price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 0 },
      })
      assert.equal(textOf(await collect(chosen.provider), 'text-delta'), 'hi')
      const [sent] = server.requests
      assert.equal(sent?.headers.authorization, 'Bearer key-of-mine-1')
      assert.equal(sent?.headers['x-team'], 'red-one')
      assert.equal(sent?.body.model, 'org/big-model')
      assert.equal(sent?.body.max_tokens, 32000)
      assert.equal(sent?.body.reasoning_effort, 'high')
    }))

  it('core.providers: --model wins over the configuration, and that over keys', async () => {
    const env = { OPENAI_API_KEY: 'k1', ANTHROPIC_API_KEY: 'k2' }
    const names = async (more: Partial<ChooseOptions>) => {
      const { model, source } = await chooseProvider(options({ env, ...more }))
      return [`${model.providerID}/${model.modelID}`, source]
    }
    assert.deepEqual(await names({ model: 'openai/gpt-5', config: { model: 'anthropic/x' } }), [
      'openai/gpt-5',
      '--model',
    ])
    assert.deepEqual(await names({ config: { model: 'openai/gpt-5' } }), [
      'openai/gpt-5',
      '"model" in the configuration',
    ])
    const provider = { mine: { options: { baseURL: 'http://x/v1' }, models: { m: {} } } }
    assert.deepEqual(await names({ config: { provider } }), ['mine/m', 'provider.mine in the configuration'])
    assert.deepEqual(await names({}), ['anthropic/claude-sonnet-5-5', 'ANTHROPIC_API_KEY'])
    assert.deepEqual(await names({ env: { MISTRAL_API_KEY: 'k' } }), ['mistral/devstral-latest', 'MISTRAL_API_KEY'])
  })

  it('a configured provider whose key is missing is passed over where nobody chose it', async () => {
    const provider = { mine: { options: { baseURL: 'http://x/v1', apiKey: '{env:NOPE}' }, models: { m: {} } } }
    const chosen = await chooseProvider(options({ config: { provider }, env: { OPENAI_API_KEY: 'k' } }))
    assert.equal(chosen.source, 'OPENAI_API_KEY')
  })

  it('core.providers: a missing secret is told by its name, never by a value', async () => {
    const provider = {
      mine: { options: { baseURL: 'http://x/v1', apiKey: '{env:NOPE}', headers: { a: '{env:SET}' } } },
    }
    const error = await problemOf({ model: 'mine/m', config: { provider }, env: { SET: 'very-secret-value' } })
    assert.equal(error.code, 'missing-secret')
    assert.equal(
      error.message,
      'provider.mine.options.apiKey refers to the environment variable NOPE, which is not set. Set it, or change the reference.',
    )
    assert.ok(!JSON.stringify(error).includes('very-secret'))
    const known = await problemOf({ model: 'google/gemini-4-argon' })
    assert.equal(known.code, 'missing-secret')
    assert.equal(
      known.message,
      'Google Gemini needs a key, and GEMINI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY, GOOGLE_API_KEY are not set. Set GEMINI_API_KEY, or provider.google.options.apiKey to "{env:NAME}" or "{file:PATH}".',
    )
  })

  it('a key may lie in a file, relative to the configuration or in the home', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deckhand-choose-'))
    try {
      await writeFile(join(folder, 'key'), 'key-in-a-file\n')
      await withServer([{ text: 'ok' }, { text: 'ok' }], async server => {
        for (const apiKey of ['{file:key}', '{file:~/key}']) {
          const provider = { mine: { options: { baseURL: `${server.url}/v1`, apiKey } } }
          const chosen = await chooseProvider(
            options({ model: 'mine/m', config: { provider }, home: folder, configDirectory: folder, fetch }),
          )
          await collect(chosen.provider)
          assert.equal(server.requests.at(-1)?.headers.authorization, 'Bearer key-in-a-file')
        }
      })
      const provider = { mine: { options: { baseURL: 'http://x/v1', apiKey: '{file:none}' } } }
      const error = await problemOf({ model: 'mine/m', config: { provider }, configDirectory: folder })
      assert.match(
        error.message,
        /^provider\.mine\.options\.apiKey refers to the file none, which can't be read: ENOENT/,
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('unknown providers and models are told with close names and what is configured', async () => {
    const provider = { mine: { options: { baseURL: 'http://x/v1' }, models: { 'big-model': {}, small: {} } } }
    const config = { provider }
    assert.equal(
      (await problemOf({ model: 'antropic/x', config })).message,
      'There is no provider "antropic". Close names: anthropic. Configured: mine. Known without configuration: anthropic, openai, google, openrouter, mistral, groq, deepseek, xai, cerebras, ollama, lmstudio, llamacpp, script/FILE, replay/FILE.',
    )
    assert.equal(
      (await problemOf({ model: 'mine/bigmodel', config })).message,
      'provider.mine has no model "bigmodel". Close names: big-model. It has: big-model, small.',
    )
    assert.equal(
      (await problemOf({ model: 'gpt-5' })).message,
      'The model "gpt-5" (--model) must be written as provider/model, such as anthropic/claude-sonnet-5-5, ollama/qwen3-coder or script/demo.yaml.',
    )
  })

  it('an address in the environment is used, with what is left out by custom', () =>
    withServer([{ text: 'ok' }, { text: 'ok' }], async server => {
      const anthropic = await chooseProvider(
        options({ env: { ANTHROPIC_API_KEY: 'key-of-anthropic', ANTHROPIC_BASE_URL: server.url }, fetch }),
      )
      await collect(anthropic.provider)
      const openai = await chooseProvider(
        options({ env: { OPENAI_API_KEY: 'key-of-openai', OPENAI_BASE_URL: `${server.url}/v1` }, fetch }),
      )
      await collect(openai.provider)
      assert.deepEqual(
        server.requests.map(({ path, headers }) => [path, headers['x-api-key'] ?? headers.authorization]),
        [
          ['/v1/messages', 'key-of-anthropic'],
          ['/v1/responses', 'Bearer key-of-openai'],
        ],
      )
    }))

  it('core.providers: a model server on loopback is found by itself, and asked what it has', () =>
    withServer(
      [{ text: 'local' }],
      async server => {
        const env = { OLLAMA_HOST: server.url.replace('http://', '') }
        const chosen = await chooseProvider(options({ env, fetch: onlyTo(server.url) }))
        assert.deepEqual(chosen.model, { providerID: 'ollama', modelID: 'qwen3-coder:latest' })
        assert.equal(chosen.source, `Ollama on ${server.url}/v1`)
        assert.equal(textOf(await collect(chosen.provider), 'text-delta'), 'local')

        const short = await chooseProvider(options({ model: 'ollama/qwen3-coder', env, fetch: onlyTo(server.url) }))
        assert.equal(short.model.modelID, 'qwen3-coder')
        const error = await problemOf({ model: 'ollama/qwen3-codr:latest', env, fetch: onlyTo(server.url) })
        assert.equal(
          error.message,
          `Ollama at ${server.url}/v1 has no model "qwen3-codr:latest". Close names: qwen3-coder:latest. It has: qwen3-coder:latest, tiny.`,
        )
      },
      ['nomic-embed-text', 'qwen3-coder:latest', 'tiny'],
    ))

  it('a local server that is asked for and is not there is told with how to start it', async () => {
    const error = await problemOf({ model: 'ollama/x' })
    assert.equal(error.message, 'Ollama does not answer at http://127.0.0.1:11434/v1: start it with `ollama serve`.')
  })

  it('servers that do not answer cost no more than the limit', async () => {
    const never: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        // As a connection does: it keeps the process alive while it waits.
        const alive = setInterval(() => {}, 1_000)
        init?.signal?.addEventListener('abort', () => {
          clearInterval(alive)
          reject(init.signal?.reason)
        })
      })
    const startedAt = performance.now()
    assert.equal((await problemOf({ fetch: never })).code, 'no-model')
    assert.ok(performance.now() - startedAt < 2_000)
  })

  it('core.providers: script/FILE, --record FILE and replay/FILE work together', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deckhand-choose-'))
    try {
      await writeFile(join(folder, 'demo.yaml'), '- say: In {workspace}.\n')
      const script = await chooseProvider(options({ model: 'script/demo.yaml', workspace: folder }))
      assert.equal(textOf(await collect(script.provider), 'text-delta'), `In ${folder}.`)
      assert.deepEqual(script.model, { providerID: 'script', modelID: 'demo.yaml' })
      assert.match(
        (await problemOf({ model: 'script/demo.yaml', workspace: folder, record: 'x' })).message,
        /^A script has no traffic/,
      )

      await withServer([{ text: 'real' }], async server => {
        const provider = { mine: { options: { baseURL: `${server.url}/v1`, apiKey: '{env:KEY}' } } }
        const env = { KEY: 'a-very-secret-key' }
        const chosen = await chooseProvider(
          options({ model: 'mine/m', config: { provider }, env, workspace: folder, record: 'tape.jsonl', fetch }),
        )
        await collect(chosen.provider)
      })
      assert.doesNotMatch(await readFile(join(folder, 'tape.jsonl'), 'utf8'), /a-very-secret-key/)
      const replay = await chooseProvider(options({ model: 'replay/tape.jsonl', workspace: folder }))
      assert.deepEqual(replay.model, { providerID: 'mine', modelID: 'm' })
      assert.equal(textOf(await collect(replay.provider), 'text-delta'), 'real')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('the list of models says where each comes from, which is the default, and what is missing', () =>
    withServer(
      [],
      async server => {
        const provider = {
          mine: {
            options: { baseURL: 'http://x/v1', apiKey: '{env:NOPE}' },
            models: { m: { name: 'M', limit: { context: 1000 } } },
          },
        }
        const env = { OPENAI_API_KEY: 'k', OLLAMA_HOST: server.url }
        assert.deepEqual(await listModels(options({ config: { provider }, env, fetch: onlyTo(server.url) })), [
          {
            model: 'mine/m',
            name: 'M',
            source: 'provider.mine in the configuration',
            contextTokens: 1000,
            problem: 'NOPE is not set',
            isDefault: false,
          },
          { model: 'openai/gpt-6-astra', name: "OpenAI's default", source: 'OPENAI_API_KEY', isDefault: true },
          { model: 'ollama/tiny', source: `Ollama on ${server.url}/v1`, isDefault: false },
        ])
      },
      ['tiny'],
    ))
})

function onlyTo(url: string): typeof fetch {
  return (input, init) => (String(input).startsWith(url) ? fetch(input, init) : nobody(input, init))
}

describe('close names', () => {
  it('are those with few other letters, or those that contain the name', () => {
    assert.deepEqual(findCloseNames('opnai', ['openai', 'anthropic', 'ollama']), ['openai'])
    assert.deepEqual(findCloseNames('sonnet', ['claude-sonnet-5-5', 'claude-opus-5-5']), ['claude-sonnet-5-5'])
    assert.deepEqual(findCloseNames('zzz', ['openai']), [])
  })
})
