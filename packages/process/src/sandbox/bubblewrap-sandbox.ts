// The sandbox on Linux: bubblewrap makes what a command sees, in namespaces that last for the whole run.
import {
  chmodSync,
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createViewArguments, type ViewFacts } from './bubblewrap-view.ts'
import { listHostSockets } from './host-sockets.ts'
import { type NamespaceHolder, startNamespaceHolder } from './namespace-holder.ts'
import { type Sandbox, type SandboxedStart, type SandboxPolicy, sandboxVariable } from './policy.ts'
import { isReachable } from './reachable.ts'
import type { SandboxPrograms } from './sandbox-programs.ts'

export interface BubblewrapOptions {
  readonly programs: SandboxPrograms
  /** Where the private /tmp is made, in a folder of its own. */
  readonly temporaryDirectory: string
  /** One that was started already. */
  readonly holder?: NamespaceHolder
}

/** Makes a sandbox; nothing is started before it is needed. */
export function createBubblewrapSandbox({ programs, temporaryDirectory, ...given }: BubblewrapOptions): Sandbox {
  let holder = given.holder && Promise.resolve(given.holder)
  let folder: string | undefined
  let widest: SandboxPolicy | undefined

  // Whatever ends all in the sandbox (`kill -9 -1`) ends the holder too; the next command gets a new one.
  async function openHolder(): Promise<NamespaceHolder> {
    const current = await holder?.catch(() => undefined)
    if (current?.isAlive()) return current
    await current?.close()
    holder = startNamespaceHolder(programs)
    return holder
  }

  function openFolder(): string {
    folder ??= createPrivateFolder(temporaryDirectory)
    return folder
  }

  return {
    kind: 'bubblewrap',
    async prepare() {
      openFolder()
      await openHolder().catch(() => undefined)
    },
    outsidePath(path) {
      const [, name, rest = ''] = /^\/(tmp|var\/tmp)(\/.*)?$/.exec(path) ?? []
      if (name === undefined) return undefined
      return join(openFolder(), name === 'tmp' ? folderNames.tmp : folderNames.varTmp, rest)
    },
    async enter(argv, cwd, policy) {
      const { namespaces } = await openHolder()
      widest ??= policy
      const view = createViewArguments(policy, readFacts(openFolder()))
      const isShared = !isWider(policy, widest)
      const sign = openStartSign(openFolder())
      return {
        ...describeStart({ argv, cwd, view, policy, programs, isShared, namespaces, sign }),
        hasStarted: sign.read,
      }
    },
    async close() {
      const current = await holder?.catch(() => undefined)
      holder = undefined
      await current?.close()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
      folder = undefined
    },
  }
}

interface StartFacts {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly view: readonly string[]
  readonly policy: SandboxPolicy
  readonly programs: SandboxPrograms
  /** May other commands of the run see its processes? */
  readonly isShared: boolean
  readonly namespaces: NamespaceHolder['namespaces']
  readonly sign: StartSign
}

/**
 * The stages of a start: bubblewrap joins the user and pid namespaces and makes the view; nsenter joins the others, for
 * which bubblewrap has no options, and needs two capabilities for that; setpriv gives them up for good; sh gives the
 * sign that all is set up, closes our descriptors and becomes the command.
 */
function describeStart(facts: StartFacts): Omit<SandboxedStart, 'hasStarted'> {
  const { argv, cwd, view, policy, programs, isShared, namespaces, sign } = facts
  const { bwrap, nsenter, setpriv, sh } = programs
  const joined = ['--ipc=/proc/self/fd/5', ...(policy.network === 'off' ? ['--net=/proc/self/fd/6'] : [])]
  const stages = [
    ...[nsenter, ...joined],
    ...[setpriv, '--bounding-set=-all', '--inh-caps=-all'],
    ...[sh, '-c', 'echo >&7; exec "$@" 3<&- 4<&- 5<&- 6<&- 7>&-', sh],
  ]
  return {
    argv: [
      bwrap,
      ...['--userns', '3', ...(isShared ? ['--pidns', '4'] : ['--unshare-pid'])],
      ...[...view, '--chdir', cwd, '--cap-drop', 'ALL', '--cap-add', 'CAP_SYS_ADMIN', '--cap-add', 'CAP_SETPCAP', '--'],
      ...[...stages, ...argv],
    ],
    // That of the command may be one that is only there in the sandbox.
    cwd: '/',
    descriptors: [namespaces.user, namespaces.pid, namespaces.ipc, namespaces.net, sign.descriptor],
    environment: { [sandboxVariable]: isShared ? 'shared' : 'own' },
  }
}

/**
 * May it do more than the first one? Then other commands must not see its processes: through /proc they could use what
 * only it may touch.
 */
function isWider(policy: SandboxPolicy, first: SandboxPolicy): boolean {
  const holds = (all: readonly string[], some: readonly string[]) => some.every(path => all.includes(path))
  return (
    !holds(first.writableRoots, policy.writableRoots) ||
    !holds(first.shownPaths ?? [], policy.shownPaths ?? []) ||
    !holds(policy.readOnlyPaths, first.readOnlyPaths) ||
    !holds(policy.maskedPaths, first.maskedPaths)
  )
}

/** A file into which the last stage writes before it becomes the command. */
interface StartSign {
  readonly descriptor: number
  /** Was it given? Closes the file. */
  read(): boolean
}

function openStartSign(folder: string): StartSign {
  const path = join(folder, 'start-sign')
  const descriptor = openSync(path, 'w', 0o600)
  unlinkSync(path)
  return {
    descriptor,
    read() {
      const wasGiven = fstatSync(descriptor).size > 0
      closeSync(descriptor)
      return wasGiven
    },
  }
}

const folderNames = { tmp: 'tmp', varTmp: 'var-tmp', unreadable: 'unreadable' } as const

function createPrivateFolder(parent: string): string {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'deckhand-sandbox-'))
  for (const name of [folderNames.tmp, folderNames.varTmp]) {
    mkdirSync(join(folder, name))
    chmodSync(join(folder, name), 0o1777)
  }
  writeFileSync(join(folder, folderNames.unreadable), '', { mode: 0 })
  return folder
}

function readFacts(folder: string): ViewFacts {
  const memory = new Map<string, boolean>()
  return {
    temporary: { tmp: join(folder, folderNames.tmp), varTmp: join(folder, folderNames.varTmp) },
    unreadable: join(folder, folderNames.unreadable),
    sockets: listHostSockets(),
    kindOf: path => (isReachable(path, memory) ? readKind(path) : 'missing'),
  }
}

function readKind(path: string): 'file' | 'folder' | 'missing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file'
  } catch {
    return 'missing'
  }
}
