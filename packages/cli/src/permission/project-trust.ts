// Whether what a project's own configuration allows counts: only after the person has seen it and said so.
import { existsSync } from 'node:fs'
import { type ProjectTrust, StoreError, type TrustStore } from '@deckhand/core'
import type { CliContext } from '../cli-context.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import type { UntrustedFile } from '../config/untrusted-file.ts'
import { withStore } from '../open-store.ts'
import { resolvePlaces } from '../places.ts'

/** What a person says of a file: `later` leaves it as it is. */
export type TrustAnswer = 'trusted' | 'never' | 'later'

/** Puts a file before the person. */
export type AskTrust = (file: UntrustedFile) => Promise<TrustAnswer>

/**
 * The configuration of a folder, with what the person trusts. With `ask` they are asked first of each file that would
 * make things looser, unless they said "never" of it. Throws ConfigError, as `loadConfig` does.
 */
export async function loadTrustedConfig(
  directory: string,
  { store, ask }: { readonly store: TrustStore; readonly ask?: AskTrust },
  { env, home, clock }: Pick<CliContext, 'env' | 'home' | 'clock'>,
): Promise<LoadedConfig> {
  const load = async () => loadConfig({ directory, env, home, trust: await store.listTrust() })
  const loaded = await load()
  const open = ask ? loaded.untrusted.filter(({ before }) => before?.decision !== 'never') : []
  if (!ask || open.length === 0) return loaded
  for (const file of open) {
    const decision = await ask(file)
    if (decision !== 'later') await store.setTrust(createTrust(file, decision, 'terminal', clock.now()))
  }
  return load()
}

/**
 * The same for commands that only show something and have no store open: none is made for it, and one that can't be
 * read trusts nothing.
 */
export async function loadFolderConfig(directory: string, context: CliContext): Promise<LoadedConfig> {
  const { env, home } = context
  return loadConfig({ directory, env, home, trust: await readTrust(context) })
}

async function readTrust(context: CliContext): Promise<readonly ProjectTrust[]> {
  if (!existsSync(resolvePlaces(context.env, context.home).databaseFile)) return []
  try {
    return await withStore(context, store => store.listTrust())
  } catch (error) {
    if (error instanceof StoreError) return []
    throw error
  }
}

/** What is stored of a person's word on a file as it is now. */
export function createTrust(
  { realPath, sha256, lines }: UntrustedFile,
  decision: ProjectTrust['decision'],
  decidedBy: string,
  decidedAt: number,
): ProjectTrust {
  return { path: realPath, decision, sha256, lines, decidedAt, decidedBy }
}
