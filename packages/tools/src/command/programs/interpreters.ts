// Shells, interpreters and editors: the code that they are handed on the command line or by their input.
import { type Arg, soleValue } from '../arg.ts'
import { ask, type Call, type Findings, type Program } from './program.ts'

const shell: Program = {
  optionsFirst: true,
  operands: ['any'],
  options: {
    flag: '-c -s -l --login -i -e -u -x -v -n -f -a -b -h -k -m -p -r -t -B -C -E -H -P -T --norc --noprofile --posix --restricted --verbose --noediting',
    text: '-o -O',
    ask: '--rcfile --init-file --debugger --dump-strings -D',
  },
  inspect(call, found) {
    const script = call.operands[0]
    if (call.has('-i')) ask(found, 'an interactive shell reads its start-up files')
    if (call.has('-c')) {
      if (script) addScript(script, call, found)
      else ask(found, `${call.name} -c has no script`)
    } else if (!script || call.has('-s') || soleValue(script) === '-') addInputScript(call, found)
    else found.reads.push(script)
  },
}

/** What bash reads in another way than the plain shells (dash, ash, busybox), which take some of it for commands. */
const bashOnly = /\$['"]|\[\[|\(\(|[&|]>|\|&|[<>]\(|<<<|=\(|\{[^\s}]*(,|\.\.)|\b(function|coproc|select)\b/
/** What all shells of the family read alike. */
const plainScript = /^[\w\s.,:;&|<>/'"=@%+-]*$/

// A script is followed as bash reads it. Where the shell may read it otherwise, that is not all.
function addScript(script: Arg, call: Call, found: Findings): void {
  found.scripts.push(script)
  const text = soleValue(script) ?? ''
  const name = call.name.slice(call.name.lastIndexOf('/') + 1)
  const isOther =
    (/^(sh|dash|ash)$/.test(name) && bashOnly.test(text)) ||
    (/^(zsh|ksh|mksh)$/.test(name) && !plainScript.test(text)) ||
    /^(fish|csh|tcsh)$/.test(name)
  if (isOther) ask(found, `${call.name} may read its script in another way than bash`)
}

function addInputScript(call: Call, found: Findings): void {
  if (call.has('--version --help')) return
  if (call.stdin.kind === 'text') addScript(call.stdin.text, call, found)
  else ask(found, `${call.name} runs what it reads from its input`)
}

/** A program that runs code: by an option, from its input, or from the file in its first operand. */
function interpreter(hidden: string, options: Program['options'] = {}, more: Partial<Program> = {}): Program {
  const version = '--version -V --help -h -v'
  return {
    optionsFirst: true,
    operands: ['any'],
    options: { flag: version, ...options, ask: hidden },
    ...more,
    inspect(call, found) {
      more.inspect?.(call, found)
      const readsInput = call.operands.length === 0 || call.operands[0]?.text === '-'
      const runsElse = call.options.some(
        option =>
          option.kind === 'ask' || option.kind === 'code' || ['-m', '--test', '--check', '--run'].includes(option.name),
      )
      if (readsInput && !runsElse && !call.has(version)) ask(found, `${call.name} runs the code in its input`)
    },
  }
}

const python = interpreter(
  '-i',
  { code: '-c', text: '-m -W -X', flag: '-B -E -I -O -OO -q -s -S -u -v -x -V --version -b -d -h --help' },
  { stopAfter: '-m -c' },
)
const node = interpreter(
  '-r --require --import --loader --experimental-loader -i --interactive --env-file --inspect-brk --openssl-config --snapshot-blob --build-snapshot --experimental-config-file',
  {
    code: '-e --eval -p --print',
    text: '-C --conditions --test-name-pattern --test-reporter --test-concurrency --test-timeout --watch-path --title --run --input-type --test-skip-pattern --test-shard',
    write: '--test-reporter-destination --cpu-prof-dir --heap-prof-dir --report-directory --redirect-warnings',
    flag: '--test --check -c --watch --version -v --help -h --enable-source-maps --no-warnings --trace-warnings --experimental-strip-types --experimental-transform-types --experimental-test-coverage',
  },
)
const perl = interpreter('-n -p -i -M -m -I -x -s -d -D -F -a -l', { code: '-e -E' })
const ruby = interpreter('-r -I -n -p -i -x -C', { code: '-e' })

const editor: Program = {
  operands: ['write'],
  options: {
    ask: '-c --cmd -S -s -u -U -e -E -es -i -w -W -q -x --startuptime --listen --remote-expr -l -L --eval -f --funcall --script -batch --batch',
  },
  inspect: (call, found) => {
    if (call.args.some(arg => arg.start.startsWith('+'))) ask(found, `${call.name} runs the commands after "+"`)
    if (call.stdin.kind !== 'none' && /^(ed|ex|red)$/.test(call.name))
      ask(found, `${call.name} runs the commands in its input`)
  },
}

const database: Program = {
  operands: ['any'],
  options: {
    ask: '-c --command -e --execute -f --file -cmd -init',
    text: '-h --host -p --port -U -d --dbname -u --user',
    write: '-o --output -L --log-file',
  },
  inspect: (call, found) => {
    if (call.stdin.kind !== 'none' || call.operands.length > 1)
      ask(found, `${call.name} runs commands that it is handed, and can start programs`)
  },
}

/** Programs that run code they are handed. */
export const interpreterPrograms: Readonly<Record<string, Program>> = {
  ...Object.fromEntries('bash sh dash zsh ksh ash mksh rbash fish csh tcsh'.split(' ').map(name => [name, shell])),
  ...Object.fromEntries('python python2 python3 pypy pypy3'.split(' ').map(name => [name, python])),
  node,
  nodejs: node,
  deno: {
    subcommands: {
      eval: { operands: ['text'], inspect: (_, found) => ask(found, 'deno runs the code in its words') },
      repl: { inspect: (_, found) => ask(found, 'deno runs the code in its input') },
    },
  },
  tsx: interpreter('-e --eval -p --print -r --require --import'),
  'ts-node': interpreter('-e --eval -p --print -r --require'),
  perl,
  ruby,
  irb: interpreter('-r -I'),
  php: interpreter('-r -B -R -E -d -c -z -a -F', {}),
  lua: interpreter('-e -l -i'),
  luajit: interpreter('-e -l -i -j'),
  Rscript: interpreter('-e'),
  R: interpreter('-e -f'),
  julia: interpreter('-e -E -L --eval --print --load'),
  ghc: interpreter('-e'),
  scala: interpreter('-e'),
  groovy: interpreter('-e'),
  elixir: interpreter('-e --eval -r'),
  erl: interpreter('-eval -run -s'),
  tclsh: interpreter(''),
  expect: interpreter('-c -f -b'),
  osascript: interpreter('-e'),
  guile: interpreter('-c -e -l -s'),
  sbcl: interpreter('--eval --load'),
  java: { operands: ['any'], options: { ask: '-agentlib -agentpath -javaagent -XX:OnError -XX:OnOutOfMemoryError' } },
  vi: editor,
  vim: editor,
  nvim: editor,
  view: editor,
  vimdiff: editor,
  ex: editor,
  ed: editor,
  red: editor,
  nano: { operands: ['write'], options: { ask: '-s --speller --rcfile' } },
  emacs: editor,
  emacsclient: editor,
  sqlite3: database,
  psql: database,
  mysql: database,
  m4: { operands: ['read'], inspect: (_, found) => ask(found, 'its input can run commands') },
  gs: { inspect: (_, found) => ask(found, 'its input can run commands') },
  tmux: { inspect: (_, found) => ask(found, 'it runs commands in other terminals') },
  screen: { inspect: (_, found) => ask(found, 'it runs commands in other terminals') },
}
