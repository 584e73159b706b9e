// Programs that write, remove, fetch or build: their options with paths, and what they run.
import { cutStart, soleValue } from '../arg.ts'
import { ask, type Call, type Findings, optionValues, type Program } from './program.ts'

const writes: Program = { operands: ['write'] }

const copies: Program = {
  operands: ['write'],
  options: {
    write: '-t --target-directory',
    text: '-S --suffix --sparse --no-preserve -m --mode -o --owner -g --group',
    ask: '--strip-program',
  },
}

const compresses: Program = { operands: ['write'], options: { text: '-S --suffix -T --threads -M --memlimit' } }

/** Programs that change files or fetch them. */
export const writingPrograms: Readonly<Record<string, Program>> = {
  cp: copies,
  mv: copies,
  ln: copies,
  install: copies,
  mkdir: { operands: ['write'], options: { text: '-m --mode' } },
  rmdir: writes,
  rm: writes,
  unlink: writes,
  shred: { operands: ['write'], options: { text: '-n -s', read: '--random-source' } },
  touch: { operands: ['write'], options: { text: '-d --date -t --time', read: '-r --reference' } },
  tee: writes,
  truncate: { operands: ['write'], options: { text: '-s --size', read: '-r --reference' } },
  mktemp: { operands: ['text'], options: { write: '-p', text: '--suffix' } },
  mkfifo: writes,
  mknod: { operands: ['write', 'text'] },
  chmod: { operands: ['text', 'write'], options: { read: '--reference' }, withoutFirst: '--reference' },
  chown: { operands: ['text', 'write'], options: { read: '--reference', text: '--from' }, withoutFirst: '--reference' },
  chgrp: { operands: ['text', 'write'], options: { read: '--reference' }, withoutFirst: '--reference' },
  split: {
    operands: ['read', 'write'],
    options: { script: '--filter', text: '-a -b -C -l -n -t --additional-suffix' },
  },
  csplit: { operands: ['read', 'text'], options: { write: '-f --prefix', text: '-b -n' } },
  patch: {
    operands: ['write'],
    options: {
      read: '-i --input',
      write: '-o --output -d --directory -r --reject-file -B --prefix',
      text: '-p --strip -F --fuzz -D -g -V -z -Y',
    },
  },
  dd: { operands: ['text'], inspect: inspectDd },
  gzip: compresses,
  gunzip: compresses,
  bzip2: compresses,
  bunzip2: compresses,
  xz: compresses,
  unxz: compresses,
  zstd: { operands: ['write'], options: { write: '-o', read: '-D' } },
  zcat: { operands: ['read'], readOnly: true },
  zip: {
    operands: ['write'],
    options: {
      ask: '-T --test -TT --unzip-command',
      text: '-x -i -n -P --password -s -t -tt',
      write: '-b --temp-path -O --output-file -lf',
    },
  },
  unzip: { operands: ['read', 'text'], options: { write: '-d', text: '-x -P' } },
  '7z': { operands: ['write'] },
  curl: {
    operands: ['text'],
    options: {
      write:
        '-o --output --output-dir -D --dump-header -c --cookie-jar --trace --trace-ascii --libcurl --stderr --etag-save --hsts --alt-svc',
      read: '-T --upload-file --cacert --capath --cert -E --key --netrc-file --etag-compare --unix-socket --abstract-unix-socket --proxy-cacert',
      ask: '-K --config --engine --quote -Q',
      text: '-A --user-agent -b --cookie -e --referer -H --header -m --max-time -r --range -u --user -U --proxy-user -w --write-out -x --proxy -X --request -Y -y -z --retry --connect-timeout --max-redirs --limit-rate --resolve --url --proto --ciphers --interface',
    },
    inspect: inspectCurl,
  },
  wget: {
    operands: ['text'],
    options: {
      write:
        '-O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies --warc-file --rejected-log --hsts-file',
      read: '-i --input-file --post-file --body-file --load-cookies --ca-certificate --certificate --private-key -B',
      ask: '--use-askpass --config -e --execute',
      text: '-t --tries -T --timeout -U --user-agent --header --post-data --method --body-data --user --password -A -R -D -I -X -l --level -w --wait -Q --quota --limit-rate',
    },
  },
  rsync: {
    operands: ['write'],
    options: {
      script: '-e --rsh',
      ask: '--rsync-path --config --dparam -M --remote-option',
      read: '--exclude-from --include-from --files-from --password-file --compare-dest --copy-dest --link-dest',
      write: '--log-file --partial-dir -T --temp-dir --backup-dir --write-batch --only-write-batch',
      text: '-f --filter --exclude --include --max-size --min-size --bwlimit --timeout --port -B --block-size --chmod --chown --info --debug --out-format --suffix',
    },
  },
  scp: { operands: ['write'], options: { ask: '-S -o -F -D', text: '-c -i -J -l -P -X' } },
  sftp: { operands: ['text', 'write'], options: { ask: '-S -o -F -D -b', text: '-B -c -i -J -l -P -R -s -X' } },
  nc: {
    operands: ['text'],
    options: { ask: '-e --exec -c --sh-exec --lua-exec' },
    inspect: (_, found) => ask(found, 'it opens a connection to another program'),
  },
  ncat: {
    operands: ['text'],
    options: { ask: '-e --exec -c --sh-exec --lua-exec' },
    inspect: (_, found) => ask(found, 'it opens a connection to another program'),
  },
  socat: { inspect: (_, found) => ask(found, 'it connects programs, files and sockets as its words say') },
  tcpdump: { options: { write: '-w', read: '-r -F', ask: '-z' } },
  make: {
    operands: ['text'],
    options: {
      read: '-f --file --makefile -I --include-dir -o --old-file -W --what-if',
      write: '-C --directory',
      ask: '--eval -E',
    },
    inspect: (call, found) => {
      for (const arg of call.operands) {
        if (/^(SHELL|\.SHELLFLAGS|MAKE|MAKEFLAGS|MAKEFILES|CC|CXX|LD|AR|PATH)\s*[:+?]*=/.test(arg.start))
          ask(found, `make gets another ${arg.start.split('=')[0]}`)
      }
    },
  },
  crontab: { inspect: (_, found) => ask(found, 'it changes what runs by the clock') },
  at: { inspect: (_, found) => ask(found, 'it runs something later') },
  batch: { inspect: (_, found) => ask(found, 'it runs something later') },
}

function inspectDd(call: Call, found: Findings): void {
  for (const arg of call.args) {
    if (arg.start.startsWith('if=')) found.reads.push(cutStart(arg, 3))
    else if (arg.start.startsWith('of=')) found.writes.push(cutStart(arg, 3))
    else if (!arg.values) ask(found, arg.unknown ?? 'a word of dd can not be known')
  }
}

function inspectCurl(call: Call, found: Findings): void {
  for (const arg of call.operands) if (/^file:/i.test(soleValue(arg) ?? '')) found.reads.push(arg)
  const bodies = call.args.filter((_, index) =>
    /^(-d|-F|--data(-\w+)?|--form|--json|--variable)$/.test(call.args[index - 1]?.text ?? ''),
  )
  const attached = call.args.filter(arg => /^(-d.|-F.|--data(-\w+)?=|--form=|--json=)/.test(arg.start))
  for (const arg of [...bodies, ...attached, ...optionValues(call, '-H --header -b --cookie -w --write-out')]) {
    const mark = arg.start.search(/[@<]/)
    if (mark !== -1) found.reads.push(cutStart(arg, mark + 1))
  }
}
