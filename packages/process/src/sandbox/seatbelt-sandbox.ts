// The sandbox on macOS. Its profile is tested as a text; it is run where there is a Mac.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Sandbox, sandboxVariable } from './policy.ts'
import { createSeatbeltProfile } from './seatbelt-profile.ts'

/** Part of macOS; Apple calls it deprecated, and its own programs use it. */
export const sandboxExec = '/usr/bin/sandbox-exec'

/** Makes a sandbox; nothing is started before it is needed. */
export function createSeatbeltSandbox({ temporaryDirectory }: { readonly temporaryDirectory: string }): Sandbox {
  let folder: string | undefined
  const openFolder = () => {
    mkdirSync(temporaryDirectory, { recursive: true })
    // Seatbelt compares real paths, and /tmp is a link there.
    folder ??= realpathSync(mkdtempSync(join(temporaryDirectory, 'deckhand-sandbox-')))
    return folder
  }
  return {
    kind: 'seatbelt',
    async prepare() {},
    outsidePath: () => undefined,
    async enter(argv, cwd, policy) {
      const temporary = openFolder()
      return {
        argv: [sandboxExec, '-p', createSeatbeltProfile(policy, temporary), ...argv],
        cwd,
        descriptors: [],
        environment: { [sandboxVariable]: 'own', TMPDIR: temporary },
        hasStarted: () => true,
      }
    },
    async close() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
      folder = undefined
    },
  }
}
