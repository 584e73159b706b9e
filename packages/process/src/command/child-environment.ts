import { matchesWildcard } from '@deckhand/core'
import { findCredentialSign } from './credentials.ts'

/**
 * A name that no program has. What starts an editor fails at once, and its message holds these words. (`true` would let
 * `git commit` abort for an empty message, and `git rebase -i` go on with a list that nobody read.)
 */
export const noEditor = 'no-editor-is-available-here'

/** Each of these makes a program wait for a person, or print for one. */
const nonInteractive: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GH_PAGER: 'cat',
  MANPAGER: 'cat',
  AWS_PAGER: '',
  EDITOR: noEditor,
  VISUAL: noEditor,
  GIT_EDITOR: noEditor,
  GIT_SEQUENCE_EDITOR: noEditor,
  GIT_TERMINAL_PROMPT: '0',
  // Empty, not unset: git then asks no other program either (core.askPass, SSH_ASKPASS).
  GIT_ASKPASS: '',
  // Without a terminal and without this, ssh has no way to ask. GIT_SSH_COMMAND would override the user's core.sshCommand.
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  GH_PROMPT_DISABLED: '1',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
}

/** What would change how the shell reads a command, or belongs to the terminal or the program that we were started by. */
const removed: readonly string[] = [
  'BASH_ENV',
  'ENV',
  'SHELLOPTS',
  'BASHOPTS',
  'CDPATH',
  'OLDPWD',
  'FORCE_COLOR',
  'CLICOLOR_FORCE',
  'COLORTERM',
  'GPG_TTY',
  'SSH_ASKPASS',
  'NODE_CHANNEL_FD',
  'NODE_UNIQUE_ID',
  'NODE_TEST_CONTEXT',
  'INIT_CWD',
  'npm_command',
  'npm_config_local_prefix',
]
const removedStarts: readonly string[] = ['npm_lifecycle_', 'npm_package_']

export interface ChildEnvironmentOptions {
  /** Never handed on, whatever is allowed: the keys of model providers. */
  readonly secretNames?: readonly string[]
  /** What looks like a credential and is handed on all the same: names, `*` for any characters. */
  readonly allowed?: readonly string[]
}

/** The environment for commands, and what was kept from them. */
export interface ChildEnvironment {
  readonly environment: Readonly<Record<string, string>>
  /** Names of the credentials that were withheld, in alphabetical order. */
  readonly withheld: readonly string[]
}

/**
 * The environment for commands that nobody sits in front of: no pager, no editor, no credential prompt, no colours, no
 * start-up file of the shell, and no credentials. All else is as in `base`; `CI` is left as the user has it.
 */
export function createChildEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  { secretNames = modelKeyNames, allowed = [] }: ChildEnvironmentOptions = {},
): ChildEnvironment {
  const known = Object.entries(base).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const wanted = known.filter(([name]) => !removed.includes(name) && !removedStarts.some(s => name.startsWith(s)))
  const isSecret = ([name, value]: readonly [string, string]) =>
    secretNames.includes(name) || (findCredentialSign(name, value) !== undefined && !isAllowed(name, allowed))
  const withheld = wanted.filter(isSecret).map(([name]) => name)
  const kept = Object.fromEntries(wanted.filter(entry => !isSecret(entry)))
  return { environment: { ...kept, ...nonInteractive }, withheld: withheld.sort() }
}

function isAllowed(name: string, allowed: readonly string[]): boolean {
  return allowed.some(pattern => matchesWildcard(pattern, name))
}

/** Where model providers' keys are usually kept. */
export const modelKeyNames: readonly string[] = [
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
]
