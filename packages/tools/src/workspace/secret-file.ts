import { basename, dirname, join } from 'node:path'

/** Where a rule about secrets needs to know whose home it is. */
export interface SecretPlace {
  readonly home: string
}

const harmlessEnding = /\.(example|sample|template|dist|defaults?)$|\.pub$/i

const names: readonly (readonly [RegExp, string])[] = [
  [/^\.env(\..+)?$|^.+\.env$/i, 'environment files often hold secrets'],
  [/^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/i, 'it is a private key'],
  [/\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx)$/i, 'it may hold a private key'],
  [
    /^(\.netrc|_netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.pypirc|\.htpasswd|\.vault-token|\.dockercfg)$/i,
    'it holds credentials',
  ],
  [/^(application_default_credentials|service[-_]?account.*)\.json$/i, 'it holds credentials'],
]

const places: readonly (readonly [RegExp, string])[] = [
  [
    /\/\.aws\/(credentials|config)$|\/\.docker\/config\.json$|\/\.kube\/config$|\/\.config\/gh\/hosts\.yml$/i,
    'it holds credentials',
  ],
  [/\/\.ssh\/(?!known_hosts|config$)[^/]+$|\/\.gnupg\//i, 'it may hold a private key'],
  [
    /\/(opencode|deckhand|\.codex|\.claude|\.gemini)\/(auth|\.?credentials|oauth_creds)\.json$/i,
    'it holds credentials',
  ],
  [/^\/etc\/(shadow|gshadow|sudoers)-?$/, 'it holds passwords of this machine'],
  [/^\/proc\/[^/]+\/(task\/[^/]+\/)?environ$/, 'a process keeps secrets in its environment'],
]

/** Why reading this absolute path must be asked, or undefined. Examples (`.env.example`) and public keys are no secret. */
export function findSecret(path: string, { home }: SecretPlace): string | undefined {
  const name = basename(path)
  if (harmlessEnding.test(name)) return undefined
  if (dirname(path) === home && /^\.(npmrc|yarnrc\.yml)$/.test(name)) return 'it holds credentials'
  const found = names.find(([pattern]) => pattern.test(name)) ?? places.find(([pattern]) => pattern.test(join(path)))
  return found?.[1]
}
