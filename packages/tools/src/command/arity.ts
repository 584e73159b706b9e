import type { Arg } from './arg.ts'

/** Programs whose name alone says what they do: any arguments are of the same kind. */
const oneWord = new Set(
  'ls cat head tail wc grep egrep fgrep rg ag fd find echo printf pwd sort uniq cut tr awk diff cmp file stat du df tree which type basename dirname realpath readlink jq less man date sleep seq true false test [ cd pushd popd mkdir touch tsc eslint prettier biome vitest jest pytest mypy ruff black flake8 pylint rustfmt gofmt ctest shellcheck actionlint hadolint nl tac column paste comm join fold fmt od xxd hexdump strings md5sum sha1sum sha256sum cksum base64 ps pgrep uname id whoami hostname env timeout nice nohup time stdbuf command builtin xargs'.split(
    ' ',
  ),
)

/** How many words tell what these programs do, by their first words; the longest entry counts. */
const counts = new Map<string, number>([
  ...pairs(
    2,
    'git npm yarn pnpm bun cargo go docker podman kubectl pip pip3 poetry uv deno dotnet mvn gradle terraform helm brew apt systemctl make just task node python python3 ruby npx bunx uvx rails rake mix flutter dart swift composer php turbo nx lerna rustup nvm pre-commit terragrunt docker-compose conda hatch tox nox',
  ),
  ...pairs(
    3,
    'npm run',
    'npm exec',
    'yarn run',
    'pnpm run',
    'pnpm exec',
    'pnpm dlx',
    'bun run',
    'bun x',
    'uv run',
    'uv pip',
    'uv tool',
    'poetry run',
    'deno task',
    'docker compose',
    'docker image',
    'docker container',
    'docker network',
    'docker volume',
    'podman compose',
    'python -m',
    'python3 -m',
    'node --run',
    'cargo run',
    'go tool',
    'bundle exec',
    'mix do',
    'git stash',
    'git worktree',
    'git submodule',
    'git remote',
    'gh',
    'aws',
    'gcloud',
    'az',
    'kubectl config',
    'composer run',
    'turbo run',
    'nx run',
    'conda run',
  ),
])

/** Never widened: with other arguments they would do other harm. */
const exactPrograms = new Set(
  'rm rmdir unlink shred dd chmod chown chgrp mv cp ln install truncate tee kill pkill killall sudo doas su ssh scp rsync curl wget bash sh zsh dash ksh fish eval source . exec tar zip unzip sed perl patch mkfs mount umount shutdown reboot crontab at docker-machine iptables nc socat'.split(
    ' ',
  ),
)

const exactSubcommands =
  /^(git (push|reset|clean|restore|rm|filter-branch|gc|prune|update-ref|config)|(npm|yarn|pnpm|cargo|bun|uv|poetry) (publish|unpublish|deprecate|owner|login|logout|config)|docker (run|exec|rm|rmi|system|cp|kill|login|push)|docker (image|container|network|volume) (rm|prune)|podman (run|exec|rm|rmi|system)|kubectl (delete|apply|exec|edit|patch|replace|drain|scale)|terraform (apply|destroy|import|state|taint)|helm (install|uninstall|upgrade|rollback|delete)|gh (repo|release|secret|api|auth|ssh-key)|(aws|gcloud|az) |systemctl |brew |apt )/

/**
 * The narrowest useful pattern that "always" would store for a command: `git checkout *`, `npm run build *`. Programs
 * that harm by their arguments, and those not known here, are stored as they stand. None where that would cover more
 * than what was shown, as wildcards in the command would.
 */
export function alwaysPatterns(args: readonly Arg[], pattern: string): readonly string[] {
  const count = wordCount(args)
  if (count === undefined) return /[*?]/.test(pattern) || pattern === '' ? [] : [pattern]
  const words = args.slice(0, count).map(arg => arg.text)
  return [`${words.join(' ')} *`]
}

function wordCount(args: readonly Arg[]): number | undefined {
  const name = args[0]?.text ?? ''
  if (
    exactPrograms.has(name) ||
    exactSubcommands.test(
      `${args
        .slice(0, 3)
        .map(arg => arg.text)
        .join(' ')} `,
    )
  )
    return undefined
  const count = oneWord.has(name) ? 1 : (counts.get(`${name} ${args[1]?.text}`) ?? counts.get(name))
  if (count === undefined || args.length < count) return undefined
  return args.slice(0, count).every((arg, index) => isPlainWord(arg, index, name)) ? count : undefined
}

// A leading option may take the next word as its value: then it is not the subcommand.
function isPlainWord(arg: Arg, index: number, name: string): boolean {
  if (!arg.isLiteral || !arg.values || /[\s*?]/.test(arg.text) || arg.text === '') return false
  return index === 0 || !arg.text.startsWith('-') || (/^(python3?|node)$/.test(name) && /^(-m|--run)$/.test(arg.text))
}

function pairs(count: number, ...names: readonly string[]): readonly (readonly [string, number])[] {
  const list = count === 2 ? names.flatMap(name => name.split(' ')) : names
  return list.map(name => [name, count] as const)
}
