import { existsSync } from 'node:fs'
import { createBubblewrapSandbox } from './bubblewrap-sandbox.ts'
import { type NamespaceHolder, startNamespaceHolder } from './namespace-holder.ts'
import { type Sandbox, SandboxError } from './policy.ts'
import { findPrograms, type SandboxPrograms, systemFolders } from './sandbox-programs.ts'
import { createSeatbeltSandbox, sandboxExec } from './seatbelt-sandbox.ts'

/** Is there a sandbox on this machine? */
export type SandboxState =
  | { readonly kind: 'found'; readonly words: string; open(): Sandbox }
  /** Why not, and what to do about it. */
  | { readonly kind: 'none'; readonly reason: string; readonly fix: string }

export interface FindSandboxOptions {
  readonly platform: NodeJS.Platform
  /** Where a private /tmp for commands can be made. */
  readonly temporaryDirectory: string
  /** Where its programs are looked for; default: where systems keep their own. */
  readonly folders?: readonly string[]
}

/**
 * Looks whether commands can be run in a sandbox here, by making one: that it is installed says little, as containers
 * and some distributions don't let it work. Takes some milliseconds; ask once.
 */
export async function findSandbox(options: FindSandboxOptions): Promise<SandboxState> {
  const { platform, folders = systemFolders, temporaryDirectory } = options
  if (platform === 'darwin') return findSeatbelt(temporaryDirectory)
  if (platform !== 'linux')
    return { kind: 'none', reason: `there is none for ${platform} yet`, fix: 'Commands are asked for instead.' }
  const programs = findPrograms(folders)
  if (isMissing(programs)) return describeMissing(programs)
  try {
    // What was made to see whether it can be made serves the first sandbox.
    let first: NamespaceHolder | undefined = await startNamespaceHolder(programs)
    return {
      kind: 'found',
      words: `bubblewrap (${programs.bwrap})`,
      open() {
        const holder = first
        first = undefined
        return createBubblewrapSandbox({ programs, temporaryDirectory, holder })
      },
    }
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    return { kind: 'none', reason: error.message, fix: describeFix(error.message) }
  }
}

function findSeatbelt(temporaryDirectory: string): SandboxState {
  return existsSync(sandboxExec)
    ? { kind: 'found', words: `Seatbelt (${sandboxExec})`, open: () => createSeatbeltSandbox({ temporaryDirectory }) }
    : { kind: 'none', reason: `${sandboxExec} is not there`, fix: 'It is a part of macOS.' }
}

function isMissing(found: SandboxPrograms | readonly string[]): found is readonly string[] {
  return Array.isArray(found)
}

const packages: Readonly<Record<string, string>> = { bwrap: 'bubblewrap', nsenter: 'util-linux', setpriv: 'util-linux' }

function describeMissing(names: readonly string[]): SandboxState {
  const wanted = [...new Set(names.map(name => packages[name] ?? name))].join(' and ')
  const isBubblewrap = names.includes('bwrap')
  return {
    kind: 'none',
    reason: `${isBubblewrap ? 'bubblewrap' : names.join(' and ')} is not installed`,
    fix: `Install ${wanted} (apt install ${wanted.replace(' and ', ' ')}, or your system's way).`,
  }
}

function describeFix(words: string): string {
  if (/apparmor|uid map|Permission denied|Operation not permitted/i.test(words))
    return 'User namespaces seem to be forbidden here. In a container allow them (docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined); on Ubuntu allow bwrap by an AppArmor profile, or set kernel.apparmor_restrict_unprivileged_userns=0.'
  if (/No space left|Too many|Resource temporarily/i.test(words))
    return 'The limit of user namespaces may be reached: look at user.max_user_namespaces (sysctl).'
  return 'Try "bwrap --unshare-user --unshare-pid --unshare-net --ro-bind / / true" to see what is amiss.'
}
