// Pure: from a policy and what is on the disk to bubblewrap's arguments.
import { sep } from 'node:path'
import type { SandboxPolicy } from './policy.ts'

/** What was found on the disk for a policy. */
export interface ViewFacts {
  /** Private folders that stand for /tmp and /var/tmp. */
  readonly temporary: { readonly tmp: string; readonly varTmp: string }
  /** A file that nobody may read, shown in place of masked files. */
  readonly unreadable: string
  /** Of the policy's paths and the sockets: which exist, and as what. */
  readonly kindOf: (path: string) => 'file' | 'folder' | 'missing'
  /** Sockets of programs outside: who can connect to one can have that program act for it. */
  readonly sockets: readonly string[]
}

/**
 * Settings of the kernel, for the whole machine. Root may write them by their owner alone, without any capability:
 * bubblewrap covers them only where it finds the folder itself writable.
 */
const kernelSettings: readonly string[] = 'sys sysrq-trigger irq bus fs acpi driver scsi mtrr pressure asound'
  .split(' ')
  .map(name => `/proc/${name}`)

/** What of /run programs can't do without: names are looked up there, and some systems keep their programs in it. */
const keptOfRun: readonly string[] = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/current-system',
  '/run/opengl-driver',
]

/**
 * The arguments that make what a command sees of the file system. Later ones lie over earlier ones: first all of it
 * read-only, then what may be written, what of that may not, and at last what must not be read.
 */
export function createViewArguments(policy: SandboxPolicy, facts: ViewFacts): readonly string[] {
  const roots = withoutNested(policy.writableRoots).filter(root => facts.kindOf(root) !== 'missing')
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...kernelSettings.flatMap(path => ['--ro-bind-try', path, path]),
    ...['--tmpfs', '/run'],
    ...keptOfRun.flatMap(path => ['--ro-bind-try', path, path]),
    ...['--bind', facts.temporary.tmp, '/tmp', '--bind', facts.temporary.varTmp, '/var/tmp'],
    ...(policy.shownPaths ?? []).flatMap(path => ['--ro-bind-try', path, path]),
    ...roots.flatMap(root => bindRoot(root, policy, facts)),
    ...(policy.ownFolder === undefined ? [] : ['--bind', policy.ownFolder, policy.ownFolder]),
    ...maskAll([...policy.maskedPaths, ...facts.sockets], roots, facts),
  ]
}

function bindRoot(root: string, { readOnlyPaths }: SandboxPolicy, { kindOf }: ViewFacts): readonly string[] {
  const inside = readOnlyPaths.filter(path => isBelow(path, root) && kindOf(path) !== 'missing')
  return [
    ...['--bind', root, root],
    ...foldersOnTheWay(inside, root).flatMap(folder => ['--bind', folder, folder]),
    ...inside.flatMap(path => ['--ro-bind', path, path]),
  ]
}

// A folder that is mounted can't be renamed. Else one could move the folder around a read-only path out of the way, and
// put another into its place.
function foldersOnTheWay(paths: readonly string[], root: string): readonly string[] {
  const folders = paths.flatMap(path => {
    const names = path.slice(root === sep ? 1 : root.length + 1).split(sep)
    return names.slice(1).map((_, index) => [root === sep ? '' : root, ...names.slice(0, index + 1)].join(sep))
  })
  return [...new Set(folders)].sort((one, other) => one.length - other.length)
}

function maskAll(paths: readonly string[], roots: readonly string[], { kindOf, unreadable }: ViewFacts): string[] {
  const kept = withoutNested(paths).filter(path => !roots.some(root => root === path || isBelow(root, path)))
  return kept.flatMap(path => {
    if (kindOf(path) === 'missing') return []
    return kindOf(path) === 'folder' ? ['--perms', '0000', '--tmpfs', path] : ['--ro-bind', unreadable, path]
  })
}

function withoutNested(paths: readonly string[]): readonly string[] {
  const all = [...new Set(paths)]
  return all.filter(path => !all.some(other => isBelow(path, other))).sort()
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
