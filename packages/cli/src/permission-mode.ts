// Which permission mode holds, and the sandbox that goes with it.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PermissionMode } from '@deckhand/core'
import { findSandbox, type SandboxState } from '@deckhand/process'
import type { CliContext } from './cli-context.ts'
import { resolvePlaces } from './places.ts'

export interface ChosenMode {
  readonly mode: PermissionMode
  /** Commands run in it. */
  readonly sandbox?: FoundSandbox
  /** What a person should know of the choice. */
  readonly notices: readonly string[]
}

export type FoundSandbox = Extract<SandboxState, { kind: 'found' }>

export interface ModeWish {
  /** As asked for on the command line or in a configuration. */
  readonly mode: PermissionMode | undefined
  /** The option `sandbox.enabled`. */
  readonly isSandboxEnabled: boolean
  /** The workspace. */
  readonly directory: string
}

/**
 * Without a wish it is `workspace` where commands can be contained, else `ask`; `workspace` without a sandbox is `ask`
 * too. That there is no sandbox is told when it was wished for, and else once per machine and reason.
 */
export async function chooseMode(wish: ModeWish, context: CliContext): Promise<ChosenMode> {
  const { mode } = wish
  // In these a person sees, or has waved through, each command as it is.
  if (mode === 'ask' || mode === 'auto') return { mode, notices: [] }
  const state = await findUsableSandbox(wish)
  if (state.kind === 'found') return { mode: mode ?? 'workspace', sandbox: state, notices: [] }
  if (mode === 'plan') return { mode, notices: [] }
  return { mode: 'ask', notices: describeMissingSandbox(state, wish, context) }
}

/** The sandbox for commands of this workspace, or why there is none. */
export async function findUsableSandbox({
  isSandboxEnabled,
  directory,
}: Pick<ModeWish, 'isSandboxEnabled' | 'directory'>): Promise<SandboxState> {
  if (!isSandboxEnabled)
    return { kind: 'none', reason: 'it is turned off by "sandbox.enabled"', fix: 'Set "sandbox.enabled" to true.' }
  const owner = statSync(directory).uid
  const user = process.getuid?.()
  // Root's power over other users' files is not there in a user namespace.
  if (user === 0 && owner !== 0)
    return {
      kind: 'none',
      reason: `you are root, and ${directory} belongs to another user (${owner}), whose files root can not write in a sandbox`,
      fix: 'Run Deckhand as that user.',
    }
  return findSandbox({ platform: process.platform, temporaryDirectory: tmpdir() })
}

type NoSandbox = Extract<SandboxState, { kind: 'none' }>

function describeMissingSandbox({ reason, fix }: NoSandbox, wish: ModeWish, context: CliContext): readonly string[] {
  if (wish.mode === 'workspace')
    return [`Mode "workspace" needs a sandbox, and there is none: ${reason}. Mode "ask" holds instead. ${fix}`]
  if (!wish.isSandboxEnabled || wasTold(reason, context)) return []
  return [
    `Commands can't be run in a sandbox here: ${reason}. So you are asked before each that is not known to be harmless. ${fix} (Told once; "deckhand doctor" tells it again.)`,
  ]
}

// A data folder that can't be written is told elsewhere; here it only means that the notice comes again.
function wasTold(reason: string, { env, home }: CliContext): boolean {
  const { dataDirectory } = resolvePlaces(env, home)
  const file = join(dataDirectory, 'told-no-sandbox')
  try {
    if (readFileSync(file, 'utf8') === reason) return true
  } catch {
    // Not told yet.
  }
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
    writeFileSync(file, reason, { mode: 0o600 })
  } catch {
    return false
  }
  return false
}
