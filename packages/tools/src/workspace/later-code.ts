import { basename } from 'node:path'

const startUp =
  /^\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|inputrc|xprofile|xinitrc)$|^config\.fish$|profile\.ps1$/i

const places: readonly (readonly [RegExp, string])[] = [
  // A file of this name (in a worktree, a submodule) says where hooks and settings are.
  [/\/\.git(\/|$)/i, "Git runs commands from its folder's hooks and settings"],
  [/\/(\.gitconfig|\.config\/git\/config)$/i, 'Git runs commands from its settings'],
  [
    /\/\.(husky|githooks)\/|\/(\.?lefthook(-local)?\.(ya?ml|toml|json)|\.pre-commit-config\.ya?ml)$/i,
    'Git runs it as a hook',
  ],
  [
    /\/\.vscode\/(tasks|launch|settings)\.json$|\.code-workspace$|\/\.idea\/(runConfigurations\/|workspace\.xml$)|\/\.(zed|fleet)\/(tasks|settings|run)\.json$|\/\.devcontainer(\/|\.json$)/i,
    'an editor runs commands from it',
  ],
  [/\/(\.envrc|\.?mise(\.local)?\.toml)$|\/\.(direnv|mise)\//i, 'shells run it when they enter the folder'],
  [
    /\/(\.npmrc|\.yarnrc(\.ya?ml)?|\.pnpmfile\.cjs|\.bazelrc)$|\/\.yarn\/(releases|plugins)\//i,
    'package managers take from it what they run',
  ],
  [/\/package\.json$/i, 'its scripts are run by package managers'],
  [/\/(sitecustomize|usercustomize)\.py$|\/site-packages\/[^/]+\.pth$/i, 'Python runs it when it starts'],
  [
    /\/(deckhand|opencode)\.jsonc?$|\/\.(deckhand|opencode)\/|\/\.config\/(deckhand|opencode)\//i,
    'it decides what Deckhand itself may do and run',
  ],
  [/\/\.ssh\//i, 'it decides who may log in and what SSH runs'],
  [
    /\/\.config\/(fish|autostart|systemd)\/|\/LaunchAgents\/|^\/etc\/(profile|bash|zsh|cron|init|systemd|sudoers|ld\.so)|^\/var\/spool\/cron\//i,
    'programs start from it',
  ],
]

/** What a file held and will hold, where that is known. */
export interface TextChange {
  /** Undefined: there is no such file yet. */
  readonly before: string | undefined
  readonly after: string
}

/**
 * Why writing this absolute path would make code run later, unseen by anyone; undefined where it would not. With the
 * `change`, a package.json whose scripts stay as they are is no such file.
 */
export function findLaterCode(path: string, change?: TextChange): string | undefined {
  if (startUp.test(basename(path))) return 'shells run it when they start'
  if (change && /^package\.json$/i.test(basename(path)) && keepsScripts(change)) return undefined
  return places.find(([pattern]) => pattern.test(path))?.[1]
}

function keepsScripts({ before, after }: TextChange): boolean {
  const scripts = [before ?? '{}', after].map(readScripts)
  return scripts[0] !== undefined && scripts[0] === scripts[1]
}

// What is no JSON is judged as if its scripts changed.
function readScripts(text: string): string | undefined {
  try {
    const { scripts = {}, ...rest } = JSON.parse(text) as Record<string, unknown>
    // Hooks and tools that other packages read there.
    const others = ['husky', 'simple-git-hooks', 'pre-commit', 'lint-staged', 'bin'].map(name => rest[name])
    return JSON.stringify([scripts, others])
  } catch {
    return undefined
  }
}
