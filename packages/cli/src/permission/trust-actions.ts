// `deckhand permission trust | untrust`: whether what a project's own configuration allows counts.
import { type Store, UsageError } from '@deckhand/core'
import { isInside } from '@deckhand/tools'
import type { CliContext } from '../cli-context.ts'
import { findRepositoryRoot, loadConfig } from '../config/load-config.ts'
import type { UntrustedFile } from '../config/untrusted-file.ts'
import { withStore } from '../open-store.ts'
import { resolveFolder } from '../run/request.ts'
import { createTrustQuestion, describeUntrustedFile } from '../terminal/ask-trust.ts'
import { oneLine } from '../terminal/neutralise.ts'
import { createTrust, type TrustAnswer } from './project-trust.ts'

/**
 * Shows what a project's files would make looser, and asks whether that counts. `yes` says so beforehand, for scripts.
 * Throws UsageError where nobody can be asked.
 */
export async function trustProject(
  folder: string = '.',
  { yes }: { readonly yes?: boolean },
  context: CliContext,
): Promise<void> {
  const directory = resolveFolder(folder, context.cwd)
  const { env, home, stdout } = context
  await withStore(context, async store => {
    const { untrusted } = loadConfig({ directory, env, home, trust: await store.listTrust() })
    if (untrusted.length === 0)
      stdout.write(
        `No file of the project in ${oneLine(directory)} would allow anything that does not count already.\n`,
      )
    for (const file of untrusted) await decide(file, yes === true, store, context)
  })
}

async function decide(file: UntrustedFile, isTrusted: boolean, store: Store, context: CliContext): Promise<void> {
  const { stdout, clock } = context
  const decision = isTrusted ? showTrusted(file, context) : await askAtTerminal(file, context)
  if (decision === 'later') return void stdout.write(`Nothing was stored; it does not count.\n`)
  await store.setTrust(createTrust(file, decision, isTrusted ? 'command line' : 'terminal', clock.now()))
  stdout.write(
    decision === 'trusted'
      ? `Trusted as it is now: ${oneLine(file.path)}. You are asked again when it changes.\n`
      : `It does not count, and you are not asked of it again: ${oneLine(file.path)}\n`,
  )
}

function showTrusted(file: UntrustedFile, { stdout }: CliContext): TrustAnswer {
  stdout.write(describeUntrustedFile(file))
  return 'trusted'
}

function askAtTerminal(file: UntrustedFile, { stdin, stdout, stderr }: CliContext): Promise<TrustAnswer> {
  if (stdin.isTTY === true && stderr.isTTY === true)
    return createTrustQuestion({ input: stdin, output: stderr, onInterrupt: () => process.exit(130) })(file)
  stdout.write(describeUntrustedFile(file))
  throw new UsageError(
    'Nobody can be asked here. If you have read the above and want it: deckhand permission trust --yes',
  )
}

/** Takes back what was said of any file of the project's repository. */
export async function untrustProject(folder: string = '.', context: CliContext): Promise<void> {
  const root = findRepositoryRoot(resolveFolder(folder, context.cwd))
  await withStore(context, async store => {
    const said = (await store.listTrust()).filter(({ path }) => isInside(path, root))
    for (const { path } of said) {
      await store.removeTrust(path)
      context.stdout.write(`Not trusted any more: ${oneLine(path)}\n`)
    }
    if (said.length === 0) context.stdout.write(`Nothing was trusted in ${oneLine(root)}.\n`)
  })
}
