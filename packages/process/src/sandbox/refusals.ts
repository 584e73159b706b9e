// What a command says when the sandbox kept it from something. Wrong blame is worse than none: a path is named only when
// the policy does keep it, and a host only when the network is off.
import { existsSync, readdirSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { isPortOpenOnHost } from '../table/listening-ports.ts'
import type { SandboxPolicy } from './policy.ts'

/** One thing that the sandbox kept a command from. */
export type SandboxRefusal =
  | { readonly kind: 'write'; readonly path?: string }
  | { readonly kind: 'read'; readonly path: string }
  /** `target` as the command named it: a host, an address. */
  | { readonly kind: 'network'; readonly target?: string }
  /** A path that is there outside and not inside: a socket below /run, a file in the machine's /tmp. */
  | { readonly kind: 'hidden'; readonly path: string }
  | { readonly kind: 'process'; readonly pid: number }
  /** sudo and other programs that act for another user. */
  | { readonly kind: 'privileges' }

/** What is asked of the machine around; tests answer for it. */
export interface HostFacts {
  exists(path: string): boolean
  isPortOpen(port: number): boolean
  hasProcess(pid: number): boolean
}

const machine: HostFacts = {
  exists: existsSync,
  isPortOpen: isPortOpenOnHost,
  hasProcess: pid => existsSync('/proc') && readdirSync('/proc').includes(String(pid)),
}

/**
 * What the output of a failed command says that the sandbox kept it from, each thing once, in the order of the output.
 * Empty when nothing in it can be laid to the sandbox. Reads at most the last 64 KiB.
 */
export function findRefusals(
  output: string,
  { policy, cwd }: { readonly policy: SandboxPolicy; readonly cwd: string },
  host: HostFacts = machine,
): readonly SandboxRefusal[] {
  const world = { policy, cwd, host }
  const found = output
    .slice(-maxOutput)
    .split('\n')
    .flatMap(line => findInLine(line.slice(0, maxLine), world))
  const byWords = new Map(found.map(refusal => [describeRefusal(refusal), refusal]))
  const hasNamed = (kind: string) => found.some(other => other.kind === kind && isNamed(other))
  return [...byWords.values()].filter(refusal => isNamed(refusal) || !hasNamed(refusal.kind))
}

const maxOutput = 65_536
const maxLine = 2000

interface World {
  readonly policy: SandboxPolicy
  readonly cwd: string
  readonly host: HostFacts
}

function findInLine(line: string, world: World): readonly SandboxRefusal[] {
  return (
    findWrite(line, world) ??
    findRead(line, world) ??
    findNetwork(line, world) ??
    findHidden(line, world) ??
    findProcess(line, world) ??
    findPrivileges(line) ??
    []
  )
}

type Found = readonly SandboxRefusal[] | undefined

function findWrite(line: string, { policy, cwd }: World): Found {
  const isReadOnly = /read-only file system|\bEROFS\b/i.test(line)
  // A file over which another is mounted can't be replaced.
  const isBusy = /device or resource busy|\bEBUSY\b/i.test(line)
  if (!isReadOnly && !isBusy) return undefined
  const paths = listPaths(line, cwd).filter(path => isKeptFromWriting(path, policy))
  if (paths.length > 0) return [{ kind: 'write', path: paths[0] as string }]
  return isReadOnly && listPaths(line, cwd).length === 0 ? [{ kind: 'write' }] : undefined
}

function isKeptFromWriting(path: string, { writableRoots, readOnlyPaths }: SandboxPolicy): boolean {
  const isWritable = [...writableRoots, '/tmp', '/var/tmp', '/dev', '/proc'].some(root => isWithin(path, root))
  // A lock file or a new version stands beside the file that it is for.
  return !isWritable || readOnlyPaths.some(kept => isWithin(path, kept) || path.startsWith(`${kept}.`))
}

function findRead(line: string, { policy, cwd }: World): Found {
  if (!/permission denied|\bEACCES\b|not permitted/i.test(line)) return undefined
  const path = listPaths(line, cwd).find(named => policy.maskedPaths.some(masked => isWithin(named, masked)))
  if (path !== undefined) return [{ kind: 'read', path }]
  const keys = policy.maskedPaths.find(masked => masked.endsWith('/.ssh'))
  return keys !== undefined && /permission denied \([a-z,-]*publickey/i.test(line)
    ? [{ kind: 'read', path: keys }]
    : undefined
}

const unreachable =
  /network is unreachable|\bENETUNREACH\b|\bEAI_AGAIN\b|\bENOTFOUND\b|temporary failure in name resolution|name or service not known|no such host|could ?n[o']t resolve|could not resolve|unable to resolve|failed to connect to|couldn't connect to server|could not connect|failed to establish a new connection|connection refused|\bECONNREFUSED\b|unable to access '|dial tcp|failed to lookup address|dns error|getaddrinfo|no address associated|socket: operation not permitted/i

function findNetwork(line: string, { policy, host }: World): Found {
  if (policy.network === 'on' || !unreachable.test(line)) return undefined
  const target = findTarget(line)
  // This machine too is out of reach, but nobody is kept from what isn't there.
  const local = /(?:localhost|127\.0\.0\.1|\[?::1\]?)[:, ]+(?:port )?(\d{1,5})\b/i.exec(line)?.[1]
  if (local !== undefined)
    return host.isPortOpen(Number(local)) ? [{ kind: 'network', target: `port ${local} of this machine` }] : undefined
  if (/connection refused|ECONNREFUSED|could not connect/i.test(line) && target === undefined) return undefined
  return [{ kind: 'network', ...(target !== undefined && { target }) }]
}

const hostName = String.raw`[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+`
const targets: readonly RegExp[] = [
  new RegExp(String.raw`[a-z][a-z0-9+.-]*://(?:[^\s/@'"]*@)?(${hostName})`, 'i'),
  new RegExp(
    `(?:host(?:name)?(?: address)?:? ?|lookup |EAI_AGAIN |ENOTFOUND |connect to |resolve |address |host=)['"‘“]?(${hostName})`,
    'i',
  ),
]

function findTarget(line: string): string | undefined {
  return targets.map(pattern => pattern.exec(line)?.[1]).find(found => found !== undefined)
}

const hiddenFolders = ['/run', '/var/run', '/tmp', '/var/tmp']

function findHidden(line: string, { host, cwd, policy }: World): Found {
  if (!/no such file|not found|cannot connect|could not connect|\bENOENT\b|permission denied|refused/i.test(line))
    return undefined
  const isHidden = (path: string) => hiddenFolders.some(folder => path !== folder && isWithin(path, folder))
  const isOurs = (path: string) => policy.writableRoots.some(root => isWithin(path, root))
  const path = listPaths(line, cwd).find(named => isHidden(named) && !isOurs(named) && host.exists(named))
  return path === undefined ? undefined : [{ kind: 'hidden', path }]
}

function findProcess(line: string, { host }: World): Found {
  if (!/no such process/i.test(line)) return undefined
  const pid = Number(
    /\((\d+)\)|\b(\d+)\b/
      .exec(line.replace(/line \d+/, ''))
      ?.slice(1)
      .find(Boolean),
  )
  return pid > 0 && host.hasProcess(pid) ? [{ kind: 'process', pid }] : undefined
}

function findPrivileges(line: string): Found {
  return /no new privileges|effective uid is not 0|must be setuid root/i.test(line)
    ? [{ kind: 'privileges' }]
    : undefined
}

/**
 * The paths that a line names: what stands in quotes, and words with a slash. Absolute; relative ones as seen from the
 * folder that the command ran in.
 */
function listPaths(line: string, cwd: string): readonly string[] {
  const quoted = [...line.matchAll(/['"‘“`]([^'"’”`]+)['"’”`]/g)].map(([, text]) => text as string)
  const bare = line
    .replace(/['"‘“`][^'"’”`]+['"’”`]/g, ' ')
    .replace(/\b[a-z][a-z0-9+.-]*:\/\//gi, ' /')
    .split(/[\s:,;()[\]=]+/)
    .map(word => word.replace(/[.!?]+$/, ''))
  const words = [...quoted, ...bare].filter(word => word.includes('/') || quoted.includes(word))
  return [...new Set(words.map(word => (isAbsolute(word) ? resolve(word) : resolve(cwd, word))))]
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

function isNamed(refusal: SandboxRefusal): boolean {
  if (refusal.kind === 'write') return refusal.path !== undefined
  return refusal.kind === 'network' ? refusal.target !== undefined : true
}

const maxNamed = 3

/** One sentence: `the sandbox kept it from writing /etc/x`. Empty when there was none. */
export function describeRefusals(refusals: readonly SandboxRefusal[]): string {
  if (refusals.length === 0) return ''
  const named = refusals.slice(0, maxNamed).map(describeRefusal)
  const rest = refusals.length - named.length
  return `the sandbox kept it from ${joinWords(named)}${rest > 0 ? ` (and ${rest} more)` : ''}`
}

function describeRefusal(refusal: SandboxRefusal): string {
  switch (refusal.kind) {
    case 'write':
      return `writing ${refusal.path ?? 'outside the workspace'}`
    case 'read':
      return `reading ${refusal.path}`
    case 'network':
      return `reaching ${refusal.target ?? 'the network'}`
    case 'hidden':
      return `seeing ${refusal.path}`
    case 'process':
      return `seeing process ${refusal.pid}`
    case 'privileges':
      return 'acting as another user'
  }
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
