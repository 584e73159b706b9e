import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerStep } from '../test/model-server/model-server.ts'

const root = join(import.meta.dirname, '..')

/** The built program, on the Node that runs the bench. */
export const deckhand: readonly [string, string] = [process.execPath, join(root, 'packages/cli/bin/deckhand.js')]

/** A private home and workspace for the program, and a model server in a process of its own. */
export interface DeckhandFixture {
  /** The command line of a run with a prompt. */
  argv(...args: readonly string[]): [string, ...string[]]
  readonly options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> }
  readonly folder: string
  readonly serverURL: string
  /** The bodies of the requests so far. */
  requests(): readonly { readonly body: Record<string, unknown> }[]
  close(): Promise<void>
}

/** Starts it. Which step answers follows from the request's history, so any number of runs may follow each other. */
export async function createDeckhandFixture(steps: readonly ServerStep[]): Promise<DeckhandFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-bench-'))
  const workspace = join(folder, 'workspace')
  const home = join(folder, 'home')
  for (const path of [workspace, home]) mkdirSync(path)
  const stepsFile = join(folder, 'steps.json')
  const log = join(folder, 'requests.jsonl')
  writeFileSync(stepsFile, JSON.stringify(steps))
  writeFileSync(log, '')
  const server = spawn(
    process.execPath,
    [
      '--conditions=deckhand-source',
      join(root, 'test/model-server/main.ts'),
      stepsFile,
      '--by',
      'history',
      '--repeat-last',
      '--log',
      log,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [line] = await once(server.stdout, 'data')
  const serverURL = String(line).trim()
  writeFileSync(join(home, 'deckhand.jsonc'), JSON.stringify(configFor(serverURL)))
  return {
    argv: (...args) => [...deckhand, 'run', '--auto', '--format', 'json', ...args],
    options: { cwd: workspace, env: { DECKHAND_HOME: home } },
    folder,
    serverURL,
    requests: () =>
      readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map(text => JSON.parse(text)),
    async close() {
      server.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configFor(serverURL: string) {
  return {
    model: 'bench/model',
    provider: {
      bench: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${serverURL}/v1`, apiKey: 'x' },
        models: { model: {} },
      },
    },
  }
}
