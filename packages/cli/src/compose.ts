// Puts the parts together: the only place where tools, process, store and agent meet.
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  buildSystemPrompt,
  findInstructions,
  type InstructionReader,
  type PermissionGate,
  providerKeyNames,
  type SessionRecorder,
} from '@deckhand/agent'
import {
  type ApprovalPlace,
  type Clock,
  createPermissionGate,
  type PermissionAnswerer,
  type PermissionMode,
  type Rule,
  ToolSet,
} from '@deckhand/core'
import {
  type ChildEnvironment,
  type CommandRunner,
  createChildEnvironment,
  createCommandRunner,
  modelKeyNames,
} from '@deckhand/process'
import {
  assessCommand,
  createFileTools,
  createMemoryLedger,
  createShellTool,
  createWorkspace,
  fileToolAliases,
  type Workspace,
} from '@deckhand/tools'
import type { CliContext } from './cli-context.ts'
import type { Config } from './config/config-schema.ts'
import type { LoadedConfig } from './config/load-config.ts'
import { resolvePlaces } from './places.ts'

export interface ComposedTools {
  readonly tools: ToolSet
  readonly workspace: Workspace
  readonly runner: CommandRunner
}

/** The environment that commands get, and the names of the credentials that are kept from them. */
export function composeChildEnvironment(allowed: readonly string[], env: CliContext['env']): ChildEnvironment {
  return createChildEnvironment(env, { secretNames: [...modelKeyNames, ...providerKeyNames], allowed })
}

/** The tools of one session. The runner must be closed. */
export function composeTools(
  directory: string,
  config: Config,
  { env, home }: CliContext,
  extraRoots: readonly string[] = [],
): ComposedTools {
  const { shell } = config
  const logDirectory = join(resolvePlaces(env, home).dataDirectory, 'logs')
  const workspace = createWorkspace({ directory, extraRoots, readableRoots: [logDirectory], home })
  const runner = createCommandRunner({ temporaryDirectory: tmpdir() })
  const shellTool = createShellTool({
    workspace,
    runner,
    assess: (command, cwd) => assessCommand(command, { cwd, workspace, home, shell: 'bash' }),
    ...composeChildEnvironment(shell.allowEnvironment, env),
    logDirectory,
    limits: {
      defaultTimeoutMs: shell.timeoutMs,
      maxTimeoutMs: shell.maxTimeoutMs,
      output: { maxBytes: shell.maxLogBytes },
    },
  })
  return {
    tools: new ToolSet([shellTool, ...createFileTools({ workspace, ledger: createMemoryLedger() })], fileToolAliases),
    workspace,
    runner,
  }
}

export interface GateOptions {
  readonly rules: readonly Rule[]
  readonly mode: PermissionMode
  readonly answerer: PermissionAnswerer
  readonly approvals: ApprovalPlace
  readonly recorder: SessionRecorder
  readonly clock: Clock
}

/**
 * The gate of one session; what is asked and answered goes into the session's log. That the model repeats itself is
 * put to a person in mode `auto` too: running on without one is what that question is there to prevent.
 */
export function composeGate({ recorder, mode, ...options }: GateOptions): PermissionGate {
  const create = (gateMode: PermissionMode) =>
    createPermissionGate({
      ...options,
      mode: gateMode,
      onAsked: (id, question) => recorder.record({ type: 'permission.asked', id, question }),
      onAnswered: (id, answer) => recorder.record({ type: 'permission.answered', id, answer }),
    })
  const gate = create(mode)
  const loopGate = mode === 'auto' ? create('ask') : gate
  return {
    evaluate: gate.evaluate,
    check: (question, signal) =>
      (question.parts.some(part => part.permission === 'doom_loop') ? loopGate : gate).check(question, signal),
  }
}

export interface SystemPromptPlan {
  readonly workspace: Workspace
  readonly loaded: LoadedConfig
  readonly mode: PermissionMode
  readonly canAsk: boolean
  readonly agentPrompt?: string
}

/** The words before the conversation; `missing` are notices about instructions that were not found. */
export async function composeSystemPrompt(
  { workspace, loaded, mode, canAsk, agentPrompt }: SystemPromptPlan,
  { env, home, clock }: CliContext,
): Promise<{ system: string; missing: readonly string[] }> {
  const { directory } = workspace
  const found = await findInstructions(
    {
      directory,
      root: loaded.root,
      globalFile: join(resolvePlaces(env, home).configDirectory, 'AGENTS.md'),
      extra: loaded.instructions,
    },
    instructionReader,
  )
  const system = buildSystemPrompt({
    environment: {
      directory,
      isGitRepository: existsSync(join(loaded.root, '.git')),
      platform: `${process.platform} ${process.arch}`,
      date: new Date(clock.now()).toISOString().slice(0, 10),
      mode,
      canAsk,
    },
    instructions: found.files,
    agentPrompt,
  })
  return { system, missing: found.missing.map(entry => `"instructions" names ${entry}, and there is no such file.`) }
}

const instructionReader: InstructionReader = {
  async readFile(path) {
    try {
      return await readFile(path)
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
      throw error
    }
  },
  async glob(pattern, directory) {
    const found = await Array.fromAsync(glob(pattern, { cwd: directory }))
    return found.map(path => join(directory, path)).sort()
  },
}
