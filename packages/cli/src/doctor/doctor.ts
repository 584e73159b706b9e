import { execFile } from 'node:child_process'
import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { chooseProvider } from '@deckhand/agent'
import { messageOf } from '@deckhand/core'
import { openSqliteStore } from '@deckhand/store'
import type { CliContext } from '../cli-context.ts'
import { composeChildEnvironment } from '../compose.ts'
import type { Config } from '../config/config-schema.ts'
import { refuseForeignAddress } from '../config/foreign-address.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { loadFolderConfig } from '../permission/project-trust.ts'
import { findUsableSandbox } from '../permission-mode.ts'
import { resolvePlaces } from '../places.ts'
import { endDespitePlugins } from '../plugin/end-despite-plugins.ts'
import { openPlugins } from '../plugin/open-plugins.ts'
import { resolveFolder } from '../run/request.ts'

/** What one check found, and what to do about it where `found` does not say so itself. */
export interface CheckResult {
  readonly name: string
  readonly status: 'ok' | 'missing' | 'broken'
  readonly found: string
  readonly fix?: string
}

/** Runs all checks, prints them, and gives the exit code: 1 when something is broken. What is only missing is no failure. */
export async function runDoctor(
  { dir = '.', json }: { dir?: string; json?: boolean },
  context: CliContext,
): Promise<number> {
  const directory = resolveFolder(dir, context.cwd)
  const results = await Promise.all([
    checkNode(context),
    checkProgram('shell', 'bash', ['--version'], 'broken', 'Install bash: commands run in it.'),
    checkRipgrep(),
    checkProgram('git', 'git', ['--version'], 'missing', 'Install git, unless you work without it.'),
    checkSandbox(directory, context),
    checkConfiguration(directory, context),
    ...(await checkPlugins(directory, context)),
    checkEnvironment(directory, context),
    checkModel(directory, context),
    checkData(context),
  ])
  context.stdout.write(json ? `${JSON.stringify(results, null, 2)}\n` : describeChecks(results))
  if (results.some(({ name }) => name === pluginsCheck)) endDespitePlugins(context)
  return results.some(({ status }) => status === 'broken') ? 1 : 0
}

/** A line per check, and its fix below. */
export function describeChecks(results: readonly CheckResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length))
  const marks = { ok: '✓', missing: '–', broken: '✗' } as const
  return results
    .map(({ name, status, found, fix }) => {
      const indented = (text: string) => text.split('\n').join(`\n    ${' '.repeat(width)}`)
      return `${marks[status]} ${name.padEnd(width)}  ${indented(found)}\n${fix ? `  ${' '.repeat(width)}  ${indented(fix)}\n` : ''}`
    })
    .join('')
}

function checkNode({ version }: CliContext): CheckResult {
  return { name: 'node', status: 'ok', found: `${process.version} (deckhand ${version}, ${process.execPath})` }
}

const run = promisify(execFile)

async function checkProgram(
  name: string,
  program: string,
  args: readonly string[],
  without: 'missing' | 'broken',
  fix: string,
): Promise<CheckResult> {
  try {
    const { stdout } = await run(program, args, { timeout: 5_000 })
    return { name, status: 'ok', found: stdout.split('\n')[0] ?? '' }
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code !== 'ENOENT'
    return {
      name,
      status: without,
      found: isThere ? `${program} does not run: ${messageOf(error)}` : `${program} is not on PATH`,
      fix,
    }
  }
}

async function checkRipgrep(): Promise<CheckResult> {
  try {
    const { rgPath } = createRequire(import.meta.url)('@vscode/ripgrep') as { rgPath: string }
    return await checkProgram(
      'ripgrep',
      rgPath,
      ['--version'],
      'broken',
      'Install Deckhand again: glob and grep need the ripgrep that comes with it.',
    )
  } catch (error) {
    return {
      name: 'ripgrep',
      status: 'broken',
      found: messageOf(error),
      fix: 'Install Deckhand again, with optional dependencies: glob and grep need the ripgrep that comes with it.',
    }
  }
}

async function checkSandbox(directory: string, context: CliContext): Promise<CheckResult> {
  const isSandboxEnabled = (await readConfig(directory, context))?.sandbox.enabled ?? true
  const state = await findUsableSandbox({ isSandboxEnabled, directory })
  return state.kind === 'found'
    ? { name: 'sandbox', status: 'ok', found: state.words }
    : {
        name: 'sandbox',
        status: 'missing',
        found: `none: ${state.reason}`,
        fix: `Commands run as you would run them, and mode "ask" takes the place of "workspace". ${state.fix}`,
      }
}

async function checkConfiguration(directory: string, context: CliContext): Promise<CheckResult> {
  try {
    const { files, notices } = await loadFolderConfig(directory, context)
    return {
      name: 'config',
      status: 'ok',
      found: [files.length === 0 ? 'no file; all defaults' : files.join(', '), ...notices].join('\n'),
    }
  } catch (error) {
    return {
      name: 'config',
      status: 'broken',
      found: messageOf(error),
      fix: 'Mend the file; "deckhand config schema" tells what may stand in it.',
    }
  }
}

const pluginsCheck = 'plugins'

// Where none is named there is nothing to check.
async function checkPlugins(directory: string, context: CliContext): Promise<CheckResult[]> {
  const loaded = await tryLoad(directory, context)
  if (!loaded || loaded.plugins.length === 0) return []
  const name = pluginsCheck
  try {
    const plugins = await openPlugins(directory, loaded, context)
    const lines = plugins.map(({ plugin, path }) => `${plugin.name}: ${Object.keys(plugin.hooks).join(', ')} (${path})`)
    return [{ name, status: 'ok', found: lines.join('\n') }]
  } catch (error) {
    return [
      {
        name,
        status: 'broken',
        found: messageOf(error),
        fix: 'Until then no turn is begun, as a plugin may be there to prevent things.',
      },
    ]
  }
}

async function checkEnvironment(directory: string, context: CliContext): Promise<CheckResult> {
  const allowed = (await readConfig(directory, context))?.shell.allowEnvironment ?? []
  const { withheld } = composeChildEnvironment(allowed, context.env)
  return {
    name: 'secrets',
    status: 'ok',
    found:
      withheld.length === 0
        ? 'no variable looks like a credential'
        : `kept from commands, as they look like credentials: ${withheld.join(', ')}`,
    ...(withheld.length > 0 && { fix: 'To hand one to commands, name it in "shell.allowEnvironment".' }),
  }
}

async function readConfig(directory: string, context: CliContext): Promise<Config | undefined> {
  return (await tryLoad(directory, context))?.config
}

// A configuration that can't be read is told by its own check.
async function tryLoad(directory: string, context: CliContext): Promise<LoadedConfig | undefined> {
  try {
    return await loadFolderConfig(directory, context)
  } catch {
    return undefined
  }
}

async function checkModel(directory: string, context: CliContext): Promise<CheckResult> {
  const { env, home, fetch } = context
  try {
    const loaded = await loadFolderConfig(directory, context)
    const { config } = loaded
    const { model, source } = await chooseProvider({ config, env, workspace: directory, home, fetch })
    if (!/^(script|replay)\//.test(config.model ?? '')) refuseForeignAddress(model.providerID, loaded)
    return { name: 'model', status: 'ok', found: `${model.providerID}/${model.modelID} (${source})` }
  } catch (error) {
    return { name: 'model', status: 'missing', found: messageOf(error) }
  }
}

async function checkData({ env, home, clock }: CliContext): Promise<CheckResult> {
  const { dataDirectory, databaseFile } = resolvePlaces(env, home)
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
    accessSync(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK)
    const store = await openSqliteStore({ file: databaseFile, clock })
    const sessions = await store.list()
    await store.close()
    const mode = statSync(dataDirectory).mode & 0o077
    const found = `${dataDirectory} (${sessions.length} session${sessions.length === 1 ? '' : 's'})`
    return mode === 0
      ? { name: 'data', status: 'ok', found }
      : { name: 'data', status: 'broken', found: `${found}: others can read it`, fix: `chmod 700 ${dataDirectory}` }
  } catch (error) {
    return {
      name: 'data',
      status: 'broken',
      found: messageOf(error),
      fix: 'Make the folder yours and writable, or choose another place with DECKHAND_HOME.',
    }
  }
}
