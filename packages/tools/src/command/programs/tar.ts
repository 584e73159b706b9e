// tar: bundled old-style options, and the options by which it runs programs.
import { literalArg, soleValue } from '../arg.ts'
import { ask, type Call, type Findings, optionValues, type Program } from './program.ts'

/** tar, bsdtar. The archive and members are paths; listing and extracting are told apart by the letters. */
export const tarProgram: Program = {
  operands: ['write'],
  options: {
    write: '-f --file -C --directory -g --listed-incremental --index-file --volno-file -L',
    read: '-T --files-from -X --exclude-from --add-file',
    script: '-I --use-compress-program --to-command -F --info-script --new-volume-script --rsh-command',
    ask: '--rmt-command -P --absolute-names --absolute-paths',
    text: '--checkpoint-action --exclude --transform --xform --strip-components --owner --group --mode --mtime --newer --after-date --newer-mtime -N -b --blocking-factor -H --format -V --label -K --starting-file --sort --suffix --quoting-style --record-size --warning --pax-option',
    flag: '--checkpoint --to-stdout --totals --force-local --compress --gzip --bzip2 --xz --zstd --extract --create --list --verbose --index --info --exclude-vcs --exclude-caches',
  },
  inspect(call, found) {
    for (const action of optionValues(call, '--checkpoint-action')) inspectCheckpoint(action, found)
    for (const archive of [...optionValues(call, '-f --file')]) {
      if (/^[^/]*:/.test(archive.start) && !call.has('--force-local')) ask(found, 'the archive is on another machine')
    }
    if (call.operands.some(arg => arg.isGlob && /^[*?[]/.test(arg.start))) {
      ask(found, 'files whose names begin with "-" would be options of tar; write ./* instead')
    }
    inspectBundle(call, found)
  },
}

function inspectCheckpoint(action: ReturnType<typeof literalArg>, found: Findings): void {
  const text = soleValue(action)
  if (text === undefined) ask(found, action.unknown ?? 'what tar runs at checkpoints can not be known')
  else if (text.startsWith('exec=')) found.scripts.push(literalArg(text.slice('exec='.length)))
  else if (!/^(dot|\.|echo|bell|ttyout|sleep|totals|wait)/.test(text))
    ask(found, 'what tar does at checkpoints is not known here')
}

const withValue = 'fCTXIFgLVbHKN'

// `tar cvf a.tar x`: letters without a dash, their values in the words after, in order.
function inspectBundle(call: Call, found: Findings): void {
  const [first, ...rest] = call.args
  if (!first || first.start.startsWith('-') || !/^[A-Za-z]+$/.test(first.start)) return
  let next = 0
  for (const letter of first.start) {
    if (letter === 'P') ask(found, 'tar keeps absolute names')
    if (!withValue.includes(letter)) continue
    const value = rest[next++]
    if (!value) continue
    if ('IF'.includes(letter)) found.scripts.push(value)
    if (letter === 'f' && /^[^/]*:/.test(value.start)) ask(found, 'the archive is on another machine')
  }
}
