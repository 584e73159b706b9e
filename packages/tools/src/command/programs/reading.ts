// Programs that only read, with the options by which some of them write, load or run.
import { soleValue } from '../arg.ts'
import { ask, type Call, type Findings, optionValues, type Program } from './program.ts'

const reads: Program = { operands: ['read'], readOnly: true }
const printsArguments: Program = { operands: ['text'], readOnly: true }

function reader(options: Program['options'], more: Partial<Program> = {}): Program {
  return { operands: ['read'], readOnly: true, options, ...more }
}

const digest = reader({ text: '-a --algorithm -l --length' })

/** Programs that change nothing by themselves. */
export const readingPrograms: Readonly<Record<string, Program>> = {
  ls: reader({ text: '-I --ignore --hide -w --width -T --tabsize --block-size --time-style' }),
  dir: reads,
  vdir: reads,
  cat: reads,
  tac: reader({ text: '-s --separator' }),
  nl: reader({ text: '-b -d -f -h -i -l -n -s -v -w' }),
  head: reader({ text: '-n --lines -c --bytes' }),
  tail: reader({ text: '-n --lines -c --bytes -s --sleep-interval --pid --max-unchanged-stats' }),
  wc: reader({ read: '--files0-from' }),
  bat: reader({
    text: '-l --language -r --line-range -H --highlight-line --theme --style --color --wrap --tabs --decorations',
    ask: '--pager',
    flag: '-p --plain -n --number',
  }),
  grep: grep(),
  egrep: grep(),
  fgrep: grep(),
  zgrep: grep(),
  rg: {
    ...grep(),
    options: {
      text: '-e --regexp -m --max-count -A --after-context -B --before-context -C --context -g --glob --iglob -t --type -T --type-not --type-add --type-clear -E --encoding -j --threads -M --max-columns -r --replace --color --colors --sort --sortr --engine -d --max-depth --maxdepth --max-filesize --path-separator --context-separator --field-context-separator --field-match-separator --pre-glob --dfa-size-limit --regex-size-limit --hyperlink-format',
      read: '-f --file --ignore-file',
      script: '--pre --hostname-bin',
      flag: '--files --type-list',
    },
    withoutFirst: '-e --regexp -f --file --files --type-list',
  },
  ag: grep(),
  ack: { ...grep(), options: { text: '-m -A -B -C --type --match', ask: '--pager', write: '--output' } },
  cut: reader({ text: '-b --bytes -c --characters -d --delimiter -f --fields --output-delimiter' }),
  tr: printsArguments,
  paste: reader({ text: '-d --delimiters' }),
  join: reader({ text: '-a -e -j -o -t -v -1 -2' }),
  comm: reader({ text: '--output-delimiter' }),
  uniq: {
    operands: ['read', 'write'],
    readOnly: true,
    options: { text: '-f --skip-fields -s --skip-chars -w --check-chars' },
  },
  sort: {
    operands: ['read'],
    readOnly: true,
    options: {
      script: '--compress-program',
      write: '-o --output -T --temporary-directory',
      read: '--files0-from --random-source',
      text: '-k --key -t --field-separator -S --buffer-size --parallel --batch-size --sort',
    },
  },
  shuf: reader({ write: '-o --output', text: '-i --input-range -n --head-count', read: '--random-source' }),
  tsort: reads,
  fold: reader({ text: '-w --width' }),
  fmt: reader({ text: '-w --width -g --goal -p --prefix' }),
  pr: reader({ text: '-h -l -o -w -W -N -D' }),
  expand: reader({ text: '-t --tabs' }),
  unexpand: reader({ text: '-t --tabs' }),
  column: reader({ text: '-s --separator -o --output-separator -c -N -R -H -E', flag: '-t --table' }),
  rev: reads,
  od: reader({ text: '-A -j -N -S -t --address-radix --format --read-bytes --skip-bytes' }),
  xxd: {
    operands: ['read', 'write'],
    readOnly: true,
    options: { text: '-c -g -l -s -o -n -cols -groupsize -len -seek' },
  },
  hexdump: reader({ text: '-e -n -s', read: '-f' }),
  hd: reads,
  strings: reader({ text: '-n -t -e' }),
  diff: reader({
    text: '-U -C -W --width -I --ignore-matching-lines -x --exclude --label --palette -F --show-function-line --tabsize --line-format --GTYPE-group-format --LTYPE-line-format',
    read: '-X --exclude-from --from-file --to-file -S --starting-file',
  }),
  cmp: reader({ text: '-i --ignore-initial -n --bytes' }),
  md5sum: digest,
  sha1sum: digest,
  sha224sum: digest,
  sha256sum: digest,
  sha384sum: digest,
  sha512sum: digest,
  b2sum: digest,
  shasum: digest,
  cksum: digest,
  sum: digest,
  base64: reader({ text: '-w --wrap' }),
  base32: reader({ text: '-w --wrap' }),
  stat: reader({ text: '-c --format --printf' }),
  file: reader({
    read: '-m --magic-file -f --files-from',
    writes: '-C --compile',
    text: '-F --separator -P --parameter -e --exclude',
  }),
  du: reader({
    text: '-d --max-depth -t --threshold -B --block-size --exclude --time-style',
    read: '-X --exclude-from --files0-from',
  }),
  df: reader({ text: '-B --block-size -t --type -x --exclude-type' }),
  tree: {
    ...reader({
      text: '-L -P -I --filelimit --charset --timefmt -H -T',
      write: '-o',
      read: '--gitfile --infofile',
      flag: '--fromfile',
    }),
  },
  realpath: reader({ read: '--relative-to --relative-base' }),
  readlink: reads,
  basename: printsArguments,
  dirname: printsArguments,
  pwd: printsArguments,
  echo: printsArguments,
  true: printsArguments,
  false: printsArguments,
  ':': printsArguments,
  seq: printsArguments,
  sleep: printsArguments,
  expr: printsArguments,
  factor: printsArguments,
  numfmt: printsArguments,
  which: printsArguments,
  whereis: printsArguments,
  whoami: printsArguments,
  id: printsArguments,
  groups: printsArguments,
  uname: printsArguments,
  arch: printsArguments,
  nproc: printsArguments,
  tty: printsArguments,
  uptime: printsArguments,
  free: printsArguments,
  ps: printsArguments,
  pgrep: { ...printsArguments, options: { text: '-u -U -g -G -P -s -t -d', read: '-F --pidfile' } },
  pidof: printsArguments,
  cal: printsArguments,
  locale: printsArguments,
  getconf: printsArguments,
  lscpu: printsArguments,
  lsblk: printsArguments,
  hostname: {
    ...printsArguments,
    inspect: (call, found) => {
      if (call.operands.length > 0 || call.has('-F --file -b --boot')) found.readOnly = false
    },
  },
  date: {
    operands: ['text'],
    readOnly: true,
    options: { text: '-d --date', read: '-f --file -r --reference', writes: '-s --set' },
    inspect: (call, found) => {
      if (call.options.some(option => option.kind === 'writes')) found.readOnly = false
      if (call.operands.some(arg => !arg.start.startsWith('+'))) found.readOnly = false
    },
  },
  printenv: { operands: ['text'] },
  less: pager(),
  more: pager(),
  most: pager(),
  man: {
    operands: ['text'],
    readOnly: true,
    options: {
      script: '-P --pager',
      ask: '-H --html -C --config-file -l --local-file -M --manpath --preprocessor -p',
      text: '-s --sections -S -L --locale -m --systems -R',
    },
    inspect: (call, found) => {
      for (const arg of call.operands) if (/^(\/|~|\.\.?\/)/.test(arg.start)) found.reads.push(arg)
    },
  },
  jq: {
    operands: ['text', 'read'],
    readOnly: true,
    options: {
      read: '-f --from-file -L --library-path',
      text: '--indent --tab-width',
      pair: '--arg --argjson --slurpfile --rawfile --argfile',
      flag: '-n -r -j -a -s -c -C -M -S -e',
    },
    withoutFirst: '-f --from-file',
    inspect: inspectJq,
  },
  yq: {
    operands: ['text', 'read'],
    options: {
      writes: '-i --inplace',
      read: '--from-file',
      text: '-o --output-format -p --input-format -I --indent',
      ask: '-s --split-exp',
    },
    inspect: (call, found) => {
      if (/\b(load|env|strenv|envsubst|system)\w*/.test(call.operands[0]?.text ?? ''))
        ask(found, 'the yq program reads files or the environment')
    },
  },
}

function grep(): Program {
  return {
    operands: ['text', 'read'],
    readOnly: true,
    withoutFirst: '-e --regexp -f --file',
    options: {
      text: '-e --regexp -m --max-count -A --after-context -B --before-context -C --context --label --include --exclude --exclude-dir -d --directories -D --devices --binary-files --group-separator',
      read: '-f --file --exclude-from',
    },
  }
}

function pager(): Program {
  return {
    operands: ['read'],
    readOnly: true,
    options: {
      write: '-o -O --log-file --LOG-FILE',
      ask: '-k --lesskey-file --lesskey-src --lesskey-content',
      text: '-p --pattern -P --prompt -t --tag',
    },
    inspect: (call, found) => {
      const commands = call.args.filter(arg => arg.start.startsWith('+'))
      if (commands.some(arg => arg.values === undefined || !/^\+(\d*|[GFg]|\/.*)$/.test(arg.text))) {
        ask(found, `${call.name} runs the commands after "+"`)
      }
    },
  }
}

// jq runs nothing, but it can print the environment, where secrets may stand.
function inspectJq(call: Call, found: Findings): void {
  const programs = call.has('-f --from-file') ? [] : call.operands.slice(0, 1)
  for (const program of programs) {
    const text = soleValue(program)
    if (text === undefined)
      return ask(found, `the jq program can't be known: ${program.unknown ?? 'it can have several values'}`)
    const code = text.replace(/"(?:\\.|[^"\\])*"/g, '""')
    if (/\$ENV\b|\$__prog_args\b|(?<![.\w$"])env\b(?!\s*:)/.test(code))
      ask(found, 'it prints the environment, where secrets may stand')
    if (/\b(import|include)\b\s*"/.test(code)) ask(found, 'the jq program loads a module')
  }
  found.reads.push(...optionValues(call, '--slurpfile --rawfile --argfile'))
}
