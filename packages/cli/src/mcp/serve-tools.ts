// `deckhand mcp`: the tools for another agent. The protocol lives in @deckhand/tools.
import {
  createHooks,
  createId,
  createPermissionGate,
  type PermissionAnswerer,
  type PermissionMode,
  type Store,
  UsageError,
} from '@deckhand/core'
import { type McpFolders, type McpSession, serveMcp } from '@deckhand/tools'
import type { CliContext } from '../cli-context.ts'
import { composeTools } from '../compose.ts'
import { withStore } from '../open-store.ts'
import { loadTrustedConfig } from '../permission/project-trust.ts'
import { chooseMode } from '../permission-mode.ts'
import { endDespitePlugins } from '../plugin/end-despite-plugins.ts'
import { openPlugins } from '../plugin/open-plugins.ts'
import { resolveFolder } from '../run/request.ts'
import { sendConsoleToStderr } from '../terminal/console-to-stderr.ts'
import { oneLine } from '../terminal/neutralise.ts'
import { keepSessionApprovals } from './keep-session-approvals.ts'
import type { McpOptions } from './mcp-options.ts'

/** Serves until the client goes or a signal comes. Throws UsageError for a folder that is none. */
export async function serveTools(options: McpOptions, context: CliContext): Promise<void> {
  const directory = options.dir === undefined ? undefined : resolveFolder(options.dir, context.cwd)
  const mode = resolveMode(options)
  sendConsoleToStderr(context)
  const stop = listenForSignals()
  await withStore(context, store =>
    serveMcp({
      version: context.version,
      openSession: (folders, answerer) => openSession(folders, answerer, { mode, context, store }),
      directory,
      currentDirectory: context.cwd,
      stdin: context.stdin,
      stdout: context.stdout,
      tell: line => void context.stderr.write(`${line}\n`),
      signal: stop.signal,
      clock: context.clock,
    }),
  )
  stop.end()
  context.stdin.destroy()
  endDespitePlugins(context)
}

function resolveMode({ auto, mode }: McpOptions): PermissionMode | undefined {
  if (auto && mode !== undefined && mode !== 'auto') {
    throw new UsageError(`--auto and --mode ${mode} say two different things. Give one of them.`)
  }
  return auto ? 'auto' : (mode as PermissionMode | undefined)
}

interface Surroundings {
  /** As given on the command line; else the configuration of the workspace says. */
  readonly mode: PermissionMode | undefined
  readonly context: CliContext
  readonly store: Store
}

async function openSession(
  { directory, extraRoots }: McpFolders,
  answerer: PermissionAnswerer,
  { mode, context, store }: Surroundings,
): Promise<McpSession> {
  const loaded = await loadTrustedConfig(directory, { store }, context)
  const { config, rules, notices } = loaded
  const chosen = await chooseMode(
    { mode: mode ?? config.mode, isSandboxEnabled: config.sandbox.enabled, directory },
    context,
  )
  for (const notice of [...notices, ...chosen.notices]) context.stderr.write(`deckhand mcp: ${notice}\n`)
  const tell = (words: string) => void context.stderr.write(`deckhand mcp: ${oneLine(words)}\n`)
  const hooks = createHooks({ plugins: await openPlugins(directory, loaded, context), clock: context.clock, tell })
  const { tools, workspace, close } = composeTools(directory, config, context, { ...chosen, extraRoots, hooks })
  const sessionID = createId('session', context.clock.now())
  const gate = createPermissionGate({
    rules,
    mode: chosen.mode,
    answerer,
    approvals: { store: keepSessionApprovals(store), sessionID, directory: workspace.directory },
    onVerdict: verdict => store.addVerdict(verdict),
    clock: context.clock,
  })
  return { sessionID, tools, gate, close }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function listenForSignals(): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const stop = () => controller.abort()
  for (const name of signals) process.on(name, stop)
  return {
    signal: controller.signal,
    end() {
      for (const name of signals) process.off(name, stop)
    },
  }
}
