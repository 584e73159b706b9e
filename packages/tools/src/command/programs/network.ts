// Which commands reach other machines. Data: a program, or a program with its subcommand.
import { type Arg, soleValue } from '../arg.ts'

/** Does it reach other machines? `unknown` for what runs what its command line doesn't show. */
export type NetworkUse = 'yes' | 'no' | 'unknown'

/** Whatever their arguments. */
const always = new Set(
  'curl wget ssh scp sftp ftp lftp telnet nc ncat netcat ping ping6 traceroute tracepath mtr dig host nslookup whois aria2c http https xh gh glab hub aws gcloud gsutil az doctl heroku vercel netlify fly flyctl wrangler firebase kubectl helm oc rclone s3cmd mc pulumi ansible ansible-playbook nmap openconnect yt-dlp'.split(
    ' ',
  ),
)

const installs =
  'install i ci add update upgrade up outdated audit publish view info search dlx create login logout whoami'

/** By the first word that is no option; words with a blank stand for two. */
const subcommands: Readonly<Record<string, string>> = {
  git: 'clone fetch pull push ls-remote archive send-email request-pull svn p4',
  hg: 'clone pull push incoming outgoing',
  svn: 'checkout co update up commit ci export import list ls log',
  npm: `${installs} ping deprecate owner access token dist-tag fund init`,
  pnpm: installs,
  yarn: installs,
  bun: `${installs} x create`,
  pip: 'install download search index wheel',
  pip3: 'install download search index wheel',
  pipx: 'install run upgrade inject',
  uv: 'sync add lock publish self',
  poetry: 'install add update lock publish search self',
  pdm: 'install add update lock publish sync',
  conda: 'install create update search env',
  cargo: 'install fetch publish search login add update yank owner',
  rustup: 'update install toolchain component target self',
  go: 'get install',
  gem: 'install update push fetch search',
  bundle: 'install update add outdated',
  composer: 'install update require outdated search global self-update',
  dotnet: 'restore add nuget publish tool',
  mix: 'deps.get deps.update hex.publish',
  docker: 'pull push login search build buildx',
  podman: 'pull push login search build',
  brew: 'install upgrade update fetch search reinstall tap',
  apt: 'install update upgrade full-upgrade dist-upgrade download source',
  'apt-get': 'install update upgrade dist-upgrade download source',
  dnf: 'install update upgrade search download makecache',
  yum: 'install update upgrade search download makecache',
  apk: 'add update upgrade fetch',
  pacman: '-S -Sy -Syu',
  terraform: 'init plan apply destroy import refresh login',
  deno: 'install add cache publish upgrade',
  rsync: '',
}

/** Of programs with subcommands, those of the second word: `go mod download`. */
const second: Readonly<Record<string, string>> = {
  'go mod': 'download tidy',
  'git submodule': 'update add',
  'git remote': 'update show prune set-head',
  'uv pip': 'install sync compile',
  'uv tool': 'install run upgrade',
  'docker compose': 'pull push build up',
  'npm exec': '',
}

/** They do nothing but what their arguments show, and that is on this machine. */
const local = new Set(
  'cp mv ln rm rmdir mkdir touch chmod chown chgrp tee truncate install mktemp mkfifo patch split csplit dd gzip gunzip bzip2 bunzip2 xz unxz zstd zip unzip tar sed awk gawk mawk jq yq sort uniq cut tr sleep kill pkill export unset set shift alias unalias declare local readonly typeset read trap wait exit return cd pushd popd umask ulimit shopt echo printf test [ true false : type command'.split(
    ' ',
  ),
)

const localOfGit = new Set(
  'add mv rm restore checkout switch branch tag stash reset merge rebase cherry-pick revert init config apply am notes worktree gc prune clean bisect sparse-checkout'.split(
    ' ',
  ),
)

/** Judges the words of one simple command; what it starts is judged by itself. */
export function findNetworkUse(args: readonly Arg[], isReadOnly: boolean): NetworkUse {
  const name = nameOf(args[0])
  if (name === undefined) return 'unknown'
  if (always.has(name)) return 'yes'
  const words = args.slice(1).flatMap(arg => soleValue(arg) ?? [])
  if (name === 'rsync') return words.some(word => /^[^/\s-][^/\s]*:/.test(word)) ? 'yes' : 'no'
  const [sub, subSub] = wordsOf(name, words)
  if (sub !== undefined && lists(subcommands[name], sub)) return 'yes'
  if (sub !== undefined && lists(second[`${name} ${sub}`], subSub)) return 'yes'
  // A bare `yarn` or `bundle` installs.
  if (sub === undefined && (name === 'yarn' || name === 'bundle') && words.length === 0) return 'yes'
  if (isReadOnly || local.has(name)) return 'no'
  // A commit runs hooks; most else of git is its own work.
  return name === 'git' && sub !== undefined && localOfGit.has(sub) ? 'no' : 'unknown'
}

function nameOf(word: Arg | undefined): string | undefined {
  const value = soleValue(word)
  return value?.slice(value.lastIndexOf('/') + 1)
}

// pacman's subcommands look like options; elsewhere options stand before the subcommand, some with a value.
function wordsOf(name: string, words: readonly string[]): readonly string[] {
  if (name === 'pacman') return words
  const from = words.findIndex((word, at) => !word.startsWith('-') && !takesValue.test(words[at - 1] ?? ''))
  return from < 0 ? [] : words.slice(from).filter(word => !word.startsWith('-'))
}

const takesValue = /^(-C|-c|--git-dir|--work-tree|--namespace|--prefix|--cwd|--manifest-path|--project|--directory)$/

function lists(names: string | undefined, word: string | undefined): boolean {
  return names !== undefined && word !== undefined && names.split(' ').includes(word)
}
