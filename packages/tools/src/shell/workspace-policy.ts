// What commands in the sandbox may do: write in the workspace, read all but secrets, and change nothing that makes code
// run later, outside.
import { lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxPolicy } from '@deckhand/process'
import { findSecret } from '../workspace/secret-file.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface WorkspacePolicyOptions {
  readonly workspace: Workspace
  /** Nothing may be written but the private /tmp. */
  readonly isReadOnly?: boolean
  /** Besides the workspace's roots. */
  readonly writableRoots?: readonly string[]
  /** Besides the known places of secrets: what Deckhand itself keeps. */
  readonly maskedPaths?: readonly string[]
  /** Secrets that commands may read all the same. */
  readonly readablePaths?: readonly string[]
}

/**
 * The policy for commands of a workspace, network off. Looks at the disk, as what is not there can be neither masked
 * nor made read-only: make it anew for each command. Missing folders are left out; never throws.
 */
export function createWorkspacePolicy(options: WorkspacePolicyOptions): SandboxPolicy {
  const { workspace, isReadOnly, writableRoots = [], maskedPaths = [], readablePaths = [] } = options
  const roots = isReadOnly ? [] : toReal([...workspace.roots, ...writableRoots], workspace)
  const readable = new Set(toReal(readablePaths, workspace))
  const secrets = [...listHomeSecrets(workspace), ...listWorkspaceSecrets(workspace), ...maskedPaths]
  return {
    writableRoots: roots,
    readOnlyPaths: roots.flatMap(listGuarded),
    maskedPaths: [...new Set(toReal(secrets, workspace))].filter(path => !readable.has(path)),
    network: 'off',
  }
}

const ownSettings = ['deckhand.json', 'deckhand.jsonc', 'opencode.json', 'opencode.jsonc', '.deckhand', '.opencode']
const runLater = ['.envrc', '.vscode/tasks.json', '.vscode/launch.json', '.devcontainer', '.devcontainer.json']

// In the root and in the folders right below it: repositories in a folder of several.
function listGuarded(root: string): readonly string[] {
  const folders = listFolder(root).filter(
    ({ isFolder, name }) => isFolder && name !== '.git' && name !== 'node_modules',
  )
  const repositories = [root, ...folders.map(({ name }) => join(root, name))].flatMap(listOfRepository)
  return [...[...ownSettings, ...runLater].map(name => join(root, name)).filter(isPlain), ...repositories]
}

function listOfRepository(folder: string): readonly string[] {
  const git = join(folder, '.git')
  if (kindOf(git) === 'file') return [git]
  if (kindOf(git) !== 'folder' || kindOf(join(git, 'HEAD')) !== 'file') return []
  makeHooks(git)
  const modules = listFolder(join(git, 'modules')).map(({ name }) => join(git, 'modules', name))
  return [git, ...modules].flatMap(each => [join(each, 'hooks'), join(each, 'config')]).filter(isPlain)
}

// Git makes this folder in each new repository. Where it is missing a command could make it, and a hook in it.
function makeHooks(git: string): void {
  try {
    mkdirSync(join(git, 'hooks'))
  } catch {
    // It is there, or can't be written by us: then a command can't either.
  }
}

const homeSecrets = [
  ...['.gnupg', '.aws', '.azure', '.config/gcloud', '.config/gh/hosts.yml', '.config/hub', '.docker/config.json'],
  ...['.kube/config', '.netrc', '.pgpass', '.my.cnf', '.git-credentials', '.pypirc', '.vault-token', '.password-store'],
  ...['.cargo/credentials.toml', '.cargo/credentials', '.gem/credentials', '.terraform.d/credentials.tfrc.json'],
  ...['.local/share/keyrings', '.mozilla', '.config/google-chrome', '.config/chromium', '.config/op', '.config/rclone'],
  ...['.codex/auth.json', '.claude/.credentials.json', '.gemini/oauth_creds.json'],
  ...['.local/share/opencode/auth.json'],
]
const machineSecrets = ['/etc/shadow', '/etc/gshadow', '/etc/shadow-', '/etc/gshadow-', '/etc/sudoers']

function listHomeSecrets(workspace: Workspace): readonly string[] {
  const { home } = workspace
  const keys = listFolder(join(home, '.ssh')).map(({ name }) => join(home, '.ssh', name))
  return [
    ...homeSecrets.map(name => join(home, name)),
    ...keys.filter(path => findSecret(path, workspace) !== undefined),
    ...machineSecrets,
  ]
}

function listWorkspaceSecrets(workspace: Workspace): readonly string[] {
  return workspace.roots.flatMap(root =>
    listFolder(root)
      .filter(({ isFolder }) => !isFolder)
      .map(({ name }) => join(root, name))
      .filter(path => findSecret(path, workspace) !== undefined),
  )
}

function listFolder(path: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(path, { withFileTypes: true }).map(entry => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }))
  } catch {
    return []
  }
}

// A symlink is left alone: what it leads to is protected where it stands, if it does.
function isPlain(path: string): boolean {
  return kindOf(path) !== undefined
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const found = lstatSync(path)
    if (found.isFile()) return 'file'
    return found.isDirectory() ? 'folder' : undefined
  } catch {
    return undefined
  }
}

function toReal(paths: readonly string[], { resolve }: Workspace): readonly string[] {
  return paths.flatMap(path => {
    try {
      return [realpathSync.native(resolve(path).absolute)]
    } catch {
      return []
    }
  })
}
