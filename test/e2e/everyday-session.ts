import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  builtinRules,
  createPermissionGate,
  type PermissionAnswer,
  type PermissionMode,
  type PermissionQuestion,
  type SessionID,
  systemClock,
  type ToolResult,
  ToolSet,
} from '@deckhand/core'
import {
  createChildEnvironment,
  createCommandRunner,
  createJobSupervisor,
  createRunResources,
  findSandbox,
} from '@deckhand/process'
import {
  assessCommand,
  createShells,
  createShellTool,
  createWorkspace,
  createWorkspacePolicy,
  findPrivatePath,
} from '@deckhand/tools'

/** The shell tool as a session has it, with a person who answers. */
export interface EverydaySession {
  call(command: string): Promise<ToolResult>
  close(): Promise<void>
}

/** Of a folder that holds `app`, the workspace. In its place the reason why there is none: no sandbox. */
export async function createEverydaySession(
  root: string,
  mode: PermissionMode,
  answer: (question: PermissionQuestion) => PermissionAnswer,
): Promise<EverydaySession | string> {
  const home = join(root, 'home')
  mkdirSync(home, { recursive: true })
  const state =
    mode === 'workspace' ? await findSandbox({ platform: process.platform, temporaryDirectory: root }) : undefined
  if (state?.kind === 'none') return state.reason
  const sandbox = state?.open()
  const workspace = createWorkspace({
    directory: join(root, 'app'),
    home,
    redirect: path => sandbox && findPrivatePath(path, sandbox),
  })
  const resources = createRunResources({ temporaryDirectory: join(root, 'run') })
  const runner = createCommandRunner(resources)
  const jobs = createJobSupervisor({ resources, directory: join(root, 'jobs') })
  const { environment } = createChildEnvironment({ ...process.env, HOME: home })
  const shells = createShells({
    workspace,
    shell: { kind: 'bash', program: 'bash' },
    temporaryDirectory: join(root, 'run'),
    environment: () => environment,
  })
  const gate = createPermissionGate({
    rules: builtinRules,
    mode,
    clock: systemClock,
    answerer: async (_, question) => answer(question),
  })
  const tools = new ToolSet([
    createShellTool({
      workspace,
      runner,
      jobs,
      shells,
      containment: sandbox && { sandbox, canLeave: true, policy: () => createWorkspacePolicy({ workspace }) },
      logDirectory: join(root, 'logs'),
      assess: (command, cwd, definitions) =>
        assessCommand(command, {
          ...{ cwd, workspace, home, shell: 'bash', definitions },
          asksNetwork: sandbox !== undefined,
        }),
    }),
  ])
  const signal = new AbortController().signal
  return {
    call: command =>
      tools.call(
        'shell',
        { command },
        {
          sessionID: 'ses_everyday' as SessionID,
          callID: 'call',
          signal,
          ask: question => gate.check({ ...question, tool: 'shell', callID: 'call' }, signal),
          evaluate: gate.evaluate,
          report() {},
        },
      ),
    async close() {
      await jobs.end()
      await runner.close()
      shells.close()
      await sandbox?.close()
    },
  }
}
