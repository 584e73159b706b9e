// git: global options before the subcommand, subcommands that only read, and what each can run.
import { type Arg, soleValue } from '../arg.ts'
import { ask, type Call, type Findings, optionValues, type Program } from './program.ts'

const diffOptions = {
  write: '--output',
  read: '-O',
  ask: '--ext-diff',
  text: '-S -G --since --after --until --before --author --committer --grep -n --max-count --skip -L',
}

const history: Program = { operands: ['any'], readOnly: true, options: diffOptions }
const lists: Program = {
  operands: ['any'],
  readOnly: true,
  options: { text: '--format --sort --exclude -x', read: '--exclude-from -X' },
}

const transfer = {
  script: '--upload-pack --receive-pack --exec -u',
  text: '--depth --shallow-since --shallow-exclude -j --jobs -o --server-option --refmap --negotiation-tip --filter',
  ask: '-c --config --template',
}

const commit: Program = {
  operands: ['any'],
  options: {
    text: '-m --message --author --date -C --reuse-message -c --reedit-message --fixup --squash --cleanup --trailer',
    read: '-F --file -t --template --pathspec-from-file',
  },
}

const asks = (reason: string): Program => ({ operands: ['any'], inspect: (_, found) => ask(found, reason) })
const runsOthers = 'it runs other programs by its own settings'
const plain: Program = { operands: ['any'] }

const subcommands: Readonly<Record<string, Program>> = {
  status: { ...lists },
  log: history,
  diff: history,
  show: history,
  whatchanged: history,
  shortlog: history,
  reflog: { ...history, inspect: whenSubcommand(['', 'show', 'list', 'exists'], true) },
  blame: {
    operands: ['any'],
    readOnly: true,
    options: { text: '-L --date', read: '--ignore-revs-file -S --contents' },
  },
  annotate: { operands: ['any'], readOnly: true, options: { text: '-L', read: '-S --contents' } },
  grep: {
    operands: ['text', 'any'],
    readOnly: true,
    withoutFirst: '-e -f',
    options: {
      ask: '-O --open-files-in-pager',
      read: '-f',
      text: '-e -m --max-count -A -B -C --after-context --before-context --context --max-depth --threads',
      flag: '--or --only-matching --ext-grep',
    },
  },
  'ls-files': lists,
  'ls-tree': lists,
  'rev-parse': { ...lists, options: { text: '--prefix --default' } },
  'rev-list': history,
  describe: { ...lists, options: { text: '--match --exclude' } },
  'cat-file': { operands: ['any'], readOnly: true, options: { ask: '--textconv --filters' } },
  'merge-base': lists,
  'name-rev': lists,
  'for-each-ref': lists,
  'show-ref': lists,
  'show-branch': lists,
  'count-objects': lists,
  'check-ignore': lists,
  'check-attr': lists,
  'diff-tree': history,
  'diff-files': history,
  'diff-index': history,
  cherry: lists,
  'range-diff': history,
  'symbolic-ref': { operands: ['any'] },
  var: lists,
  version: lists,
  help: asks('it opens a viewer by its own settings'),
  branch: {
    operands: ['any'],
    readOnly: true,
    options: {
      text: '--contains --no-contains --merged --no-merged --points-at --sort --format',
      writes:
        '-d --delete -D -m --move -M -c --copy -C -f --force -u --set-upstream-to --unset-upstream --edit-description -t --track',
      flag: '--list -l -a --all -r --remotes -v --verbose -q --show-current --abbrev --color --column',
    },
    inspect: onlyLists('--list -l --contains --no-contains --merged --no-merged --points-at'),
  },
  tag: {
    operands: ['any'],
    readOnly: true,
    options: {
      text: '-m --message --contains --no-contains --merged --no-merged --points-at --sort --format -u --local-user --cleanup',
      read: '-F --file',
      writes: '-a --annotate -s --sign -d --delete -f --force',
      flag: '--list -l -n',
    },
    inspect: onlyLists('--list -l --contains --no-contains --merged --no-merged --points-at -n'),
  },
  remote: { operands: ['any'], readOnly: true, inspect: whenSubcommand(['', 'get-url'], true) },
  stash: {
    operands: ['any'],
    readOnly: true,
    options: { text: '-m --message', read: '--pathspec-from-file' },
    inspect: whenSubcommand(['list', 'show'], true),
  },
  worktree: { operands: ['any'], readOnly: true, inspect: whenSubcommand(['list'], true) },
  notes: {
    operands: ['any'],
    readOnly: true,
    options: { text: '-m --message --ref -C -c', read: '-F --file' },
    inspect: whenSubcommand(['', 'list', 'show'], true),
  },
  config: {
    operands: ['text'],
    readOnly: true,
    options: {
      read: '-f --file --blob',
      text: '--type --default',
      flag: '--get --get-all --get-regexp -l --list --name-only --show-origin --show-scope --global --system --local --worktree -z --null',
      writes: '--add --unset --unset-all --replace-all --rename-section --remove-section',
      ask: '-e --edit',
    },
    inspect: inspectConfig,
  },
  add: { operands: ['any'], options: { read: '--pathspec-from-file', text: '--chmod' } },
  commit,
  merge: {
    operands: ['any'],
    options: { text: '-m --message -s --strategy -X --strategy-option --into-name --cleanup', read: '-F --file' },
    inspect: (call, found) => askAboutStrategy(call, found),
  },
  rebase: {
    operands: ['any'],
    options: {
      script: '-x --exec',
      text: '--onto -s --strategy -X --strategy-option --whitespace',
      flag: '--edit-todo -i --interactive',
      ask: '--edit-todo',
    },
    inspect: (call, found) => askAboutStrategy(call, found),
  },
  pull: {
    operands: ['any'],
    options: { ...transfer, script: '--upload-pack', text: `${transfer.text} -s --strategy -X --strategy-option` },
    inspect: askAboutTransport,
  },
  fetch: { operands: ['any'], options: { ...transfer, script: '--upload-pack' }, inspect: askAboutTransport },
  push: {
    operands: ['any'],
    options: { script: '--receive-pack --exec', text: '-o --push-option --repo' },
    inspect: askAboutTransport,
  },
  clone: {
    operands: ['text', 'write'],
    options: {
      ...transfer,
      text: `${transfer.text} -b --branch -o --origin --bundle-uri`,
      write: '--separate-git-dir',
      read: '--reference --reference-if-able',
    },
    inspect: askAboutTransport,
  },
  'ls-remote': {
    operands: ['any'],
    options: { script: '--upload-pack --exec', text: '--sort -o --server-option' },
    inspect: askAboutTransport,
  },
  'fetch-pack': { operands: ['any'], options: { script: '--upload-pack --exec' }, inspect: askAboutTransport },
  'send-pack': { operands: ['any'], options: { script: '--receive-pack --exec' }, inspect: askAboutTransport },
  archive: {
    operands: ['any'],
    options: { write: '-o --output', script: '--exec', read: '--add-file', text: '--prefix --format' },
    inspect: askAboutTransport,
  },
  init: {
    operands: ['write'],
    options: { ask: '--template', write: '--separate-git-dir', text: '-b --initial-branch --object-format' },
  },
  bisect: { operands: ['any'], inspect: inspectBisect },
  submodule: {
    operands: ['any'],
    options: { text: '-b --branch --name --depth --reference' },
    inspect: inspectSubmodule,
  },
  'for-each-repo': asks(runsOthers),
  'filter-branch': asks('it runs the texts of its filters'),
  difftool: asks(runsOthers),
  mergetool: asks(runsOthers),
  'send-email': asks(runsOthers),
  daemon: asks(runsOthers),
  instaweb: asks(runsOthers),
  'web--browse': asks(runsOthers),
  shell: asks(runsOthers),
  hook: asks('it runs a hook'),
  credential: asks('it hands out passwords'),
  'upload-pack': asks(runsOthers),
  'receive-pack': asks(runsOthers),
  'remote-ext': asks(runsOthers),
  p4: asks(runsOthers),
  svn: asks(runsOthers),
  gui: asks(runsOthers),
  citool: asks(runsOthers),
  'interpret-trailers': { operands: ['any'], options: { text: '--trailer --where' } },
  am: { operands: ['any'], options: { text: '--directory' } },
  apply: { operands: ['any'], options: { text: '--directory --exclude --include -p -C' } },
  bundle: { operands: ['any'] },
  ...Object.fromEntries(
    'checkout switch restore reset revert cherry-pick rm mv clean gc prune repack fsck maintenance sparse-checkout format-patch update-index update-ref read-tree write-tree hash-object mktree commit-tree pack-refs verify-commit verify-tag fast-export fast-import lfs replace rerere stage'
      .split(' ')
      .map(name => [name, name === 'commit-tree' || name === 'revert' || name === 'cherry-pick' ? commit : plain]),
  ),
}

/** git itself. An alias, a setting or another program by options is asked. */
export const gitProgram: Program = {
  optionsFirst: true,
  operands: ['text'],
  readOnly: true,
  options: {
    read: '-C',
    text: '-c --namespace --list-cmds',
    flag: '-p --paginate -P --no-pager --no-replace-objects --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --version --help --html-path --man-path --info-path',
    ask: '--exec-path --git-dir --work-tree --config-env --super-prefix --attr-source',
  },
  inspect: inspectGlobal,
  subcommands,
}

/** Settings that run nothing. */
const plainSetting =
  /^(color\.|advice\.|user\.(name|email)=|core\.(quotepath|autocrlf|abbrev|safecrlf|ignorecase|precomposeunicode)|init\.defaultbranch|i18n\.|log\.(date|decorate)|diff\.(noprefix|renames|context|algorithm|mnemonicprefix|renamelimit|colormoved)=|commit\.gpgsign=false|tag\.gpgsign=false|merge\.conflictstyle|pull\.(rebase|ff)|push\.default|fetch\.prune|gc\.auto|status\.|column\.|core\.pager=(cat)?$|pager\.\w+=(false|cat)?$|protocol\.version|http\.(postbuffer|lowspeed))/i

function inspectGlobal(call: Call, found: Findings): void {
  for (const setting of gitSettings(call.args)) {
    const text = soleValue(setting)
    if (text === undefined || !plainSetting.test(text)) ask(found, `git -c ${setting.text} can change what runs`)
  }
  const name = call.operands[0]
  const sub = soleValue(name)
  if (name && (sub === undefined || !name.isLiteral)) ask(found, name.unknown ?? 'the git command is not written out')
  else if (sub !== undefined && !Object.hasOwn(subcommands, sub))
    ask(found, `git ${sub} is not known here; it may be an alias for anything`)
  if (call.operands.length > 0 && call.operands.length < call.args.length) {
    found.denyPatterns.push(`git ${call.operands.map(arg => arg.text).join(' ')}`)
  }
}

/** The values of `-c`, which stands before the subcommand only. */
function gitSettings(args: readonly Arg[]): readonly Arg[] {
  const settings: Arg[] = []
  for (let at = 0; at < args.length; at++) {
    const text = args[at]?.text ?? ''
    if (!text.startsWith('-')) break
    const next = args[at + 1]
    if (text === '-c' && next) settings.push(next)
    if (text === '-c' || text === '-C' || text === '--namespace') at++
  }
  return settings
}

function onlyLists(listing: string): NonNullable<Program['inspect']> {
  return (call, found) => {
    const changes = call.options.some(option => option.kind === 'writes' || option.isUnknown)
    if (changes || (call.operands.length > 0 && !call.has(listing))) found.readOnly = false
  }
}

function whenSubcommand(names: readonly string[], readOnly: boolean): NonNullable<Program['inspect']> {
  return (call, found) => {
    const name = call.operands[0]
    const isOne = name ? names.includes(soleValue(name) ?? '?') : names.includes('')
    found.readOnly &&= isOne ? readOnly : !readOnly
  }
}

function askAboutTransport(call: Call, found: Findings): void {
  for (const arg of call.operands) {
    if (/^[\w-]+::/.test(arg.start)) ask(found, `the address ${arg.text} names a program to run`)
    if (!arg.values) ask(found, arg.unknown ?? 'the address can not be known')
  }
}

function askAboutStrategy(call: Call, found: Findings): void {
  for (const arg of optionValues(call, '-s --strategy')) {
    if (!/^(ort|recursive|resolve|octopus|ours|subtree)$/.test(arg.text))
      ask(found, `the merge strategy ${arg.text} is a program`)
  }
}

function inspectConfig(call: Call, found: Findings): void {
  const reads = call.has('--get --get-all --get-regexp -l --list --get-urlmatch')
  const [first] = call.operands
  const isReading =
    reads ||
    ['get', 'list'].includes(first?.text ?? '') ||
    (call.operands.length === 1 && !call.options.some(option => option.kind === 'writes'))
  if (isReading) return
  found.readOnly = false
  const key = call.operands.find(arg => arg.text.includes('.'))
  const value = key && call.operands[call.operands.indexOf(key) + 1]
  if (!key || !plainSetting.test(`${key.text}=${value?.text ?? ''}`))
    ask(found, `the setting ${key?.text ?? 'of git'} can change what git runs later`)
}

function inspectBisect(call: Call, found: Findings): void {
  if (soleValue(call.operands[0]) !== 'run') return
  const at = call.args.findIndex(arg => arg.text === 'run')
  found.commands.push(call.args.slice(at + 1))
}

function inspectSubmodule(call: Call, found: Findings): void {
  const at = call.args.findIndex(arg => arg.text === 'foreach')
  if (at === -1) return
  const rest = call.args.slice(at + 1).filter(arg => arg.text !== '--recursive' && arg.text !== '--quiet')
  if (rest.length === 1 && rest[0]) found.scripts.push(rest[0])
  else if (rest.length > 1) found.commands.push(rest)
}
