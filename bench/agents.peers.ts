// The same work beside other agents, in the same rounds against servers that answer at once.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerStep } from '../test/model-server/model-server.ts'
import { installPeer } from '../test/peers/install-peer.ts'
import { createDeckhandFixture, type DeckhandFixture, deckhand } from './deckhand-fixture.ts'
import { compareProcesses, type Measure, type MeasureOptions } from './measure.ts'
import type { Bench, BenchResult } from './result.ts'

const calls = 20
const printed = 'seq 1 5000000'

/** How one agent is driven: the program, its configuration for a server, and its name for a shell call. */
interface Agent {
  readonly name: string
  readonly version: readonly [string, ...string[]]
  argv(fixture: DeckhandFixture): readonly [string, ...string[]]
  setUp(fixture: DeckhandFixture): MeasureOptions
  shellCall(command: string): { readonly tool: string; readonly args: unknown }
}

type Work = 'text' | 'shell' | 'print'

const bench: Bench = async () => {
  const agents = findAgents()
  const fixtures: DeckhandFixture[] = []
  const programs: Record<string, { argv: readonly [string, ...string[]]; options?: MeasureOptions }> = {
    'bash work': { argv: ['bash', '-c', 'true'] },
  }
  try {
    for (const agent of agents) {
      programs[`${agent.name} version`] = { argv: agent.version }
      for (const [work, steps] of Object.entries(stepsFor(agent))) {
        const fixture = await createDeckhandFixture(steps)
        fixtures.push(fixture)
        programs[`${agent.name} ${work}`] = { argv: agent.argv(fixture), options: agent.setUp(fixture) }
      }
    }
    const measures = await compareProcesses(programs, 5)
    for (const agent of agents) console.log(describeAgent(agent.name, measures))
    return compareWithCodex(measures)
  } finally {
    for (const fixture of fixtures) await fixture.close()
  }
}

function stepsFor({ shellCall }: Agent): Record<Work, ServerStep[]> {
  const run = (command: string): ServerStep => ({ calls: [shellCall(command)] })
  return {
    text: [{ text: 'Hello there.' }],
    shell: [...Array.from({ length: calls }, (_, index) => run(`true # ${index}`)), { text: 'Done.' }],
    print: [run(printed), { text: 'Done.' }],
  }
}

function findAgents(): Agent[] {
  const ours: Agent = {
    name: 'deckhand',
    version: [...deckhand, '--version'],
    argv: fixture => fixture.argv('hello'),
    setUp: ({ options }) => options,
    shellCall: command => ({ tool: 'shell', args: { command } }),
  }
  const peers = [
    installed('codex', '@openai/codex', '0.171.0', codexAgent),
    installed('pi', '@mariozechner/pi-coding-agent', '0.73.1', piAgent),
    installed('opencode', 'opencode-ai', '1.18.4', opencodeAgent),
  ]
  return [ours, ...peers.flat()]
}

function installed(name: string, packageName: string, version: string, create: (path: string) => Agent): Agent[] {
  const peer = installPeer(packageName, version, name)
  if ('path' in peer) return [create(peer.path)]
  console.log(`left out: ${peer.missing}`)
  return []
}

function privateHome({ folder, options }: DeckhandFixture, env: Readonly<Record<string, string>>): MeasureOptions {
  return { cwd: options.cwd, env: { ...env, HOME: folder, MOCK_KEY: 'x' } }
}

function put(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
}

const codexAgent = (path: string): Agent => ({
  name: 'codex',
  version: [path, '--version'],
  argv: () => [path, 'exec', '--json', '--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check', 'hello'],
  setUp(fixture) {
    const provider = `name = "mock"\nbase_url = "${fixture.serverURL}/v1"\nenv_key = "MOCK_KEY"\nwire_api = "responses"\n`
    put(
      join(fixture.folder, '.codex/config.toml'),
      `model = "gpt-5.1-codex"\nmodel_provider = "mock"\ncheck_for_update_on_startup = false\n[analytics]\nenabled = false\n[model_providers.mock]\n${provider}`,
    )
    return privateHome(fixture, {})
  },
  shellCall: cmd => ({ tool: 'exec_command', args: { cmd, yield_time_ms: 10_000 } }),
})

const piAgent = (path: string): Agent => ({
  name: 'pi',
  version: [path, '--version'],
  argv: () => [path, '-p', '--mode', 'json', '--provider', 'mock', '--model', 'mock', 'hello'],
  setUp(fixture) {
    const model = { id: 'mock', input: ['text'], contextWindow: 400_000, maxTokens: 8_192 }
    const mock = { baseUrl: `${fixture.serverURL}/v1`, api: 'openai-completions', apiKey: 'x', models: [model] }
    put(join(fixture.folder, '.pi/agent/models.json'), JSON.stringify({ providers: { mock } }))
    return privateHome(fixture, { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' })
  },
  shellCall: command => ({ tool: 'bash', args: { command } }),
})

const opencodeAgent = (path: string): Agent => ({
  name: 'opencode',
  version: [path, '--version'],
  argv: ({ options }) => [path, 'run', '--format', 'json', '--auto', '--dir', options.cwd, 'hello'],
  setUp(fixture) {
    const mock = {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: `${fixture.serverURL}/v1`, apiKey: 'x' },
      models: { mock: { name: 'Mock', tool_call: true } },
    }
    put(
      join(fixture.folder, '.config/opencode/opencode.json'),
      JSON.stringify({ autoupdate: false, share: 'disabled', model: 'mock/mock', provider: { mock } }),
    )
    return privateHome(fixture, {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    })
  },
  shellCall: command => ({ tool: 'bash', args: { command, description: 'Runs it' } }),
})

function perCall(name: string, measures: Readonly<Record<string, Measure>>): number {
  return (wallOf(`${name} shell`, measures) - wallOf(`${name} text`, measures)) / calls
}

function extraToPrint(name: string, measures: Readonly<Record<string, Measure>>): number {
  return wallOf(`${name} print`, measures) - wallOf(`${name} text`, measures)
}

function wallOf(key: string, measures: Readonly<Record<string, Measure>>): number {
  return measures[key]?.wallMs ?? Number.NaN
}

function describeAgent(name: string, measures: Readonly<Record<string, Measure>>): string {
  const text = measures[`${name} text`]
  return `     ${name.padEnd(10)} --version ${wallOf(`${name} version`, measures).toFixed(0)} ms; text turn ${text?.wallMs.toFixed(0)} ms, ${text?.peakMiB.toFixed(0)} MiB; a shell call ${perCall(name, measures).toFixed(1)} ms; 38.9 MB printed ${extraToPrint(name, measures).toFixed(0)} ms more than a text turn`
}

function compareWithCodex(measures: Readonly<Record<string, Measure>>): BenchResult[] {
  if (!('codex text' in measures)) return []
  const [ours, theirs] = ['deckhand', 'codex']
  return [
    {
      name: 'text turn over Codex',
      figures: `${wallOf(`${ours} text`, measures).toFixed(0)} ms over ${wallOf(`${theirs} text`, measures).toFixed(0)} ms`,
      value: wallOf(`${ours} text`, measures) / wallOf(`${theirs} text`, measures),
      limit: 1,
      unit: 'x',
    },
    {
      name: '38.9 MB printed over Codex',
      figures: `${extraToPrint(ours, measures).toFixed(0)} ms over ${extraToPrint(theirs, measures).toFixed(0)} ms`,
      value: extraToPrint(ours, measures) / extraToPrint(theirs, measures),
      limit: 1,
      unit: 'x',
    },
  ]
}

export default bench
