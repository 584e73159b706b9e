// Puts the parts together: the only place where tools, process, store and agent meet.
import { existsSync, readdirSync } from 'node:fs'
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
  type AuditStore,
  type Clock,
  createPermissionGate,
  type Hooks,
  type PermissionAnswerer,
  type PermissionMode,
  type Rule,
  ToolSet,
} from '@deckhand/core'
import {
  type ChildEnvironment,
  createChildEnvironment,
  createCommandRunner,
  createJobSupervisor,
  createRunResources,
  type JobFacts,
  type Leftover,
  modelKeyNames,
  type Sandbox,
  type Shell,
} from '@deckhand/process'
import {
  assessCommand,
  type Containment,
  createFileTools,
  createJobTool,
  createMemoryLedger,
  createShells,
  createShellTool,
  createWorkspace,
  createWorkspacePolicy,
  fileToolAliases,
  findPrivatePath,
  isInside,
  type ShellDeps,
  type Workspace,
} from '@deckhand/tools'
import type { CliContext } from './cli-context.ts'
import type { Config } from './config/config-schema.ts'
import type { LoadedConfig } from './config/load-config.ts'
import type { FoundSandbox } from './permission-mode.ts'
import { type Places, resolvePlaces } from './places.ts'

/** What was ended at the end of a run, and what was not. */
export interface EndedCommands {
  readonly jobs: readonly JobFacts[]
  readonly keptJobs: readonly JobFacts[]
  readonly leftovers: readonly Leftover[]
  readonly survivors: readonly Leftover[]
}

export interface ComposedTools {
  readonly tools: ToolSet
  readonly workspace: Workspace
  /** Ends jobs, but for those that are to be kept, and what commands left running. */
  endCommands(): Promise<EndedCommands>
  /** Ends all that still runs. */
  close(): Promise<void>
}

/** What was decided about the tools of a session. */
export interface ToolsPlan {
  readonly mode: PermissionMode
  /** Where commands are run in a sandbox. */
  readonly sandbox?: FoundSandbox
  readonly extraRoots?: readonly string[]
  /** Is a person there who follows, so that what takes long goes on as a job? */
  readonly isFollowed?: boolean
  /** Are jobs to go on when the program ends? */
  readonly keepsJobs?: boolean
  /** Of the plugins; without it there are none. */
  readonly hooks?: Hooks
}

/** The environment that commands get, and the names of the credentials that are kept from them. */
export function composeChildEnvironment(allowed: readonly string[], env: CliContext['env']): ChildEnvironment {
  return createChildEnvironment(env, { secretNames: [...modelKeyNames, ...providerKeyNames], allowed })
}

/** The tools of one session. They must be closed. */
export function composeTools(
  directory: string,
  config: Config,
  { env, home }: CliContext,
  { mode, sandbox: found, extraRoots = [], isFollowed = false, keepsJobs = false, hooks }: ToolsPlan,
): ComposedTools {
  const { shell } = config
  const places = resolvePlaces(env, home)
  const logDirectory = join(places.dataDirectory, 'logs')
  const jobDirectory = join(places.dataDirectory, 'jobs')
  const sandbox = found?.open()
  const workspace = createWorkspace({
    directory,
    extraRoots,
    readableRoots: [logDirectory, jobDirectory],
    home,
    redirect: path => sandbox && findPrivatePath(path, sandbox),
  })
  const resources = createRunResources({ temporaryDirectory: tmpdir() })
  const runner = createCommandRunner(resources)
  const jobs = createJobSupervisor({
    ...{ resources, directory: jobDirectory, keepsJobs },
    limits: {
      maxJobs: config.jobs.max,
      maxLogBytes: config.jobs.maxLogBytes,
      maxMemoryBytes: config.jobs.maxMemoryBytes,
    },
  })
  const childEnvironment = composeChildEnvironment(shell.allowEnvironment, env)
  const userShell: Shell = { kind: 'bash', program: 'bash' }
  const shells = createShells({
    workspace,
    shell: userShell,
    temporaryDirectory: join(places.dataDirectory, 'shells'),
    environment: () => childEnvironment.environment,
  })
  const shellDeps: ShellDeps = {
    workspace,
    jobs,
    containment: sandbox && composeContainment(sandbox, { workspace, config, places, mode }),
    runner,
    shells,
    assess: (command, cwd, state) =>
      assessCommand(command, {
        ...{ cwd, workspace, home: state.environment.HOME ?? home, shell: userShell.kind, definitions: state },
        env: { ...state.environment, ...state.variables },
        asksNetwork: sandbox && mode === 'workspace',
      }),
    withheld: childEnvironment.withheld,
    onTimeout: isFollowed ? 'background' : 'kill',
    hooks,
    logDirectory,
    limits: {
      defaultTimeoutMs: shell.timeoutMs,
      maxTimeoutMs: shell.maxTimeoutMs,
      output: { maxBytes: shell.maxLogBytes },
    },
  }
  const commandTools = [createShellTool(shellDeps), createJobTool(shellDeps)]
  return {
    tools: new ToolSet(
      [...commandTools, ...createFileTools({ workspace, ledger: createMemoryLedger() })],
      fileToolAliases,
      hooks,
    ),
    workspace,
    async close() {
      await jobs.end()
      await runner.close()
      shells.close()
      await sandbox?.close()
    },
    async endCommands() {
      const { ended, kept } = await jobs.end()
      const { ended: leftovers, survivors } = await runner.endLeftovers()
      return { jobs: ended.map(job => job.facts()), keptJobs: kept.map(job => job.facts()), leftovers, survivors }
    },
  }
}

interface ContainmentPlaces {
  readonly workspace: Workspace
  readonly config: Config
  readonly places: Places
  readonly mode: PermissionMode
}

// Sessions and settings of Deckhand may hold keys and all that was ever said; logs of commands are meant to be read.
function composeContainment(sandbox: Sandbox, { workspace, config, places, mode }: ContainmentPlaces): Containment {
  const { writableRoots, maskedPaths, readablePaths } = config.sandbox
  const own = ['', '-wal', '-shm'].map(suffix => `${places.databaseFile}${suffix}`)
  const options = {
    workspace,
    writableRoots,
    readablePaths,
    maskedPaths: [...maskedPaths, ...own, ...listSettings(places)],
    isReadOnly: mode === 'plan',
  }
  return { sandbox, canLeave: mode === 'workspace', policy: () => createWorkspacePolicy(options) }
}

// With DECKHAND_HOME what commands and Deckhand hand each other stands in the same folder, and must be reached.
function listSettings({ configDirectory, dataDirectory, cacheDirectory }: Places): readonly string[] {
  if (!isInside(dataDirectory, configDirectory)) return [configDirectory]
  const names = existsSync(configDirectory) ? readdirSync(configDirectory) : []
  return names
    .map(name => join(configDirectory, name))
    .filter(path => path !== dataDirectory && path !== cacheDirectory)
}

export interface GateOptions {
  readonly rules: readonly Rule[]
  readonly mode: PermissionMode
  readonly answerer: PermissionAnswerer
  readonly approvals: ApprovalPlace
  readonly audit: AuditStore
  readonly recorder: SessionRecorder
  readonly clock: Clock
}

/**
 * The gate of one session; what is asked and answered goes into the session's log. That the model repeats itself is
 * put to a person in mode `auto` too: running on without one is what that question is there to prevent.
 */
export function composeGate({ recorder, mode, audit, ...options }: GateOptions): PermissionGate {
  const create = (gateMode: PermissionMode) =>
    createPermissionGate({
      ...options,
      mode: gateMode,
      onVerdict: verdict => audit.addVerdict(verdict),
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
