import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

/** The programs that a sandbox on Linux is made with, as absolute paths. */
export interface SandboxPrograms {
  /** bubblewrap. */
  readonly bwrap: string
  /** Of util-linux. */
  readonly nsenter: string
  readonly setpriv: string
  readonly sh: string
  readonly bash: string
}

/**
 * Where systems keep their own programs. PATH is not asked: what makes the sandbox must not come from a folder that a
 * command could have written.
 */
export const systemFolders: readonly string[] = [
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
  '/usr/local/bin',
  '/run/current-system/sw/bin',
]

/** All of them, or the names of those that are missing. */
export function findPrograms(folders: readonly string[] = systemFolders): SandboxPrograms | readonly string[] {
  const names = ['bwrap', 'nsenter', 'setpriv', 'sh', 'bash'] as const
  const found = names.map(name => [name, findProgram(name, folders)] as const)
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => name)
  return missing.length > 0 ? missing : (Object.fromEntries(found) as unknown as SandboxPrograms)
}

function findProgram(name: string, folders: readonly string[]): string | undefined {
  return folders.map(folder => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
