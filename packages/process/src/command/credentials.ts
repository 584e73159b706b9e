/** Why a variable was taken for a credential: by its name, or by what its value looks like. */
export type CredentialSign = 'name' | 'value'

/**
 * Does a variable of the environment look like a credential? Names are told by their words (`GH_TOKEN`, `DB_PASSWORD`,
 * `npm_config_//host/:_authToken`), values by the forms that services give to their keys. It is a guess that rather
 * withholds too much: what is wanted can be allowed by name.
 */
export function findCredentialSign(name: string, value: string): CredentialSign | undefined {
  if (isSecretValue(value)) return 'value'
  return isSecretName(name) && !isHarmlessValue(value) ? 'name' : undefined
}

const secretWords =
  /^(tokens?|secrets?|password|passwd|passphrase|pass|pwd|pat|jwt|apikey|accesskey|privatekey|secretkey|authtoken|credentials?|creds?|bearer|cookie|sshpass|pgpassword|oauth)$/
const secretPairs =
  /(^| )(api|access|private|secret|signing|signature|encryption|master|session|deploy|license|account|service|storage|ssh|gpg|app|admin|auth|master|host|webhook|client) keys?( |$)/
const endings = /(^| )(\w+ key|auth|key base|key id|auth (config|header|json))$/
/** The value is a place, a size or a kind of something secret, or is meant to be public. */
const harmlessEndings =
  /(^| )(sock|socket|file|path|dir|directory|home|url|uri|endpoint|host|port|count|limit|max|min|ttl|expiry|expires|timeout|enabled|type|name|mode|method|provider|helper|budget)$/
const publicWords = /(^| )(public|publishable)( |$)/
/** They hold no secret, though a word of theirs says so. */
const harmlessNames = new Set(['PWD', 'OLDPWD', 'XAUTHORITY', 'GPG_TTY', 'LESSKEY', 'SSH_AUTH_SOCK'])

function isSecretName(name: string): boolean {
  if (harmlessNames.has(name)) return false
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
  const text = words.join(' ')
  if (harmlessEndings.test(text) || publicWords.test(text)) return false
  // MAX_TOKENS and the like are told by their numbers.
  return words.some(word => secretWords.test(word)) || secretPairs.test(text) || endings.test(text)
}

function isHarmlessValue(value: string): boolean {
  return /^(|true|false|yes|no|on|off|none|null|auto|\d{1,7})$/i.test(value.trim())
}

const secretValues: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\b(sk|rk)[-_](live|test|proj|ant|or|svcacct|admin)?[-_]?[A-Za-z0-9_-]{16,}/,
  /\bgh[opusr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}/,
  /\bgl(pat|dt|rt|soat|cbt|ptt)-[A-Za-z0-9_-]{16,}/,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}|\bxapp-[A-Za-z0-9-]{10,}/,
  /\b(AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/,
  /\bAIza[A-Za-z0-9_-]{30,}|\bya29\.[A-Za-z0-9_-]{20,}|\bGOCSPX-[A-Za-z0-9_-]{20,}/,
  /\bnpm_[A-Za-z0-9]{30,}|\bpypi-[A-Za-z0-9_-]{20,}|\bdckr_pat_[A-Za-z0-9_-]{20,}|\brubygems_[a-f0-9]{40,}/,
  /\bhf_[A-Za-z0-9]{20,}|\bgsk_[A-Za-z0-9]{20,}|\bxai-[A-Za-z0-9]{20,}|\br8_[A-Za-z0-9]{20,}|\bpplx-[A-Za-z0-9]{20,}/,
  /\b(hvs|hvb|s)\.[A-Za-z0-9_-]{24,}|\bAGE-SECRET-KEY-1[A-Z0-9]{20,}|\btskey-[A-Za-z0-9-]{16,}/,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|\bwhsec_[A-Za-z0-9]{16,}|\bshp(at|ca|pa|ss)_[a-fA-F0-9]{20,}/,
  /\bdop_v1_[a-f0-9]{32,}|\blin_api_[A-Za-z0-9]{20,}|\bATATT[A-Za-z0-9_=-]{20,}|\bfig[do]_[A-Za-z0-9_-]{20,}/,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/,
  /^(bearer|basic|token)\s+[A-Za-z0-9+/=._~-]{12,}$/i,
  // A password in an address, or in a connection string.
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i,
  /(^|;)\s*(password|pwd|accountkey|sharedaccesskey)\s*=\s*[^;\s]+/i,
]

function isSecretValue(value: string): boolean {
  return secretValues.some(pattern => pattern.test(value))
}
