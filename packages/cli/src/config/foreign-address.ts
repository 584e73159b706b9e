import { ConfigError } from '@deckhand/core'
import type { ConfigFile } from './config-file.ts'
import { hideSecrets } from './hide-secrets.ts'

/** An address that a project's file, and not the person, gave to a provider. */
export interface ForeignAddress {
  readonly providerID: string
  readonly address: string
  readonly file: string
}

type Providers = Readonly<Record<string, { readonly api?: string; readonly options?: { readonly baseURL?: string } }>>

/**
 * Where a project's files would have requests sent that the person's own file does not name too. This machine is no
 * foreign address, nor is one that the person's environment decides.
 */
export function findForeignAddresses(project: readonly ConfigFile[], user: ConfigFile | undefined): ForeignAddress[] {
  const own = user ? listAddresses(user) : []
  return project
    .flatMap(listAddresses)
    .filter(({ address }) => !isLoopback(address) && !/^\{env:[^{}]*\}$/.test(address))
    .filter(({ providerID, address }) => !own.some(it => it.providerID === providerID && it.address === address))
}

function listAddresses({ path, values }: ConfigFile): ForeignAddress[] {
  return Object.entries((values.provider ?? {}) as Providers).flatMap(([providerID, { api, options }]) =>
    [api, options?.baseURL]
      .filter(address => address !== undefined)
      .map(address => ({ providerID, address, file: path })),
  )
}

function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { hostname } = new URL(address)
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/**
 * Throws ConfigError when a provider that is about to be used would be reached where a project's file says: whoever
 * wrote a repository must not decide where keys, and all that the model reads, are sent.
 */
export function refuseForeignAddress(
  providerID: string,
  { foreignAddresses }: { readonly foreignAddresses: readonly ForeignAddress[] },
): void {
  const found = foreignAddresses.find(foreign => foreign.providerID === providerID)
  if (!found) return
  const address = hideSecrets(found.address)
  const block = JSON.stringify({ provider: { [providerID]: { options: { baseURL: address } } } })
  throw new ConfigError(
    'invalid',
    `${found.file} sends requests for the provider "${providerID}" to ${address}. A project's file can't decide where your keys, and all that the model reads, are sent. If you trust that address, put it into your own configuration too:\n  ${block}\nElse choose another model with --model.`,
    { providerID, address, file: found.file },
  )
}
