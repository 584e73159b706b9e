// Pure: from a policy to a profile for macOS's sandbox (Seatbelt), in its own language, a Scheme.
import type { SandboxPolicy } from './policy.ts'

/**
 * The profile for `sandbox-exec -p`. As with bubblewrap: all can be read but secrets, the roots can be written but for
 * what is to stay, and the network is off unless the policy has it on. Later rules win over earlier ones. `temporary` is
 * the private folder that TMPDIR names; /tmp itself can't be another one here, and is not to be written.
 */
export function createSeatbeltProfile(policy: SandboxPolicy, temporary: string): string {
  const { writableRoots, readOnlyPaths, maskedPaths, network, ownFolder } = policy
  const own = ownFolder === undefined ? [] : [ownFolder]
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec)',
    '(allow process-fork)',
    // Signals and looks among what runs in here, not at others.
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow ipc-posix-sem)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.logger"))',
    '(allow pseudo-tty)',
    '(allow file-read*)',
    '(allow file-ioctl (literal "/dev/ptmx") (regex #"^/dev/ttys[0-9]+$"))',
    `(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/ptmx") (regex #"^/dev/ttys[0-9]+$") (regex #"^/dev/fd/"))`,
    ...rule('allow file-write*', [...writableRoots, temporary, ...own]),
    ...rule('deny file-write*', readOnlyPaths),
    // A folder on the way to what must stay can't be put out of the way either.
    ...literals('deny file-write-unlink', parentsWithin(readOnlyPaths, writableRoots)),
    ...rule('deny file-read* file-write*', maskedPaths),
    ...(network === 'on'
      ? ['(allow network*)', '(allow system-socket)', '(allow mach-lookup (global-name "com.apple.dnssd.service"))']
      : ['(allow network* (local ip "localhost:*") (remote ip "localhost:*"))']),
    '',
  ].join('\n')
}

function rule(action: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`(${action} ${paths.map(path => `(subpath ${quote(path)})`).join(' ')})`]
}

function literals(action: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`(${action} ${paths.map(path => `(literal ${quote(path)})`).join(' ')})`]
}

function parentsWithin(paths: readonly string[], roots: readonly string[]): readonly string[] {
  const parents = paths.flatMap(path => {
    const root = roots.find(each => path.startsWith(`${each}/`))
    if (root === undefined) return []
    const names = path.slice(root.length + 1).split('/')
    return names.slice(1).map((_, index) => [root, ...names.slice(0, index + 1)].join('/'))
  })
  return [...new Set(parents)]
}

/** A text of the profile's language. */
function quote(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&')}"`
}
