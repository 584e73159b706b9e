// find and fd: what they search, run, remove and write.
import { type Arg, soleValue } from '../arg.ts'
import { ask, type Findings, optionValues, type Program } from './program.ts'

const execs = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const writesFile = new Set(['-fprint', '-fprint0', '-fls', '-fprintf'])
const readsFile = /^-(newer\w*|anewer|cnewer|samefile|files0-from)$/
const takesText =
  /^-(name|iname|path|ipath|wholename|iwholename|regex|iregex|lname|ilname|type|xtype|size|mtime|atime|ctime|mmin|amin|cmin|maxdepth|mindepth|perm|user|group|uid|gid|links|inum|fstype|printf|regextype|used|context)$/

/** find: roots, then an expression whose actions may run, remove or write. */
export const findProgram: Program = {
  operands: ['text'],
  optionsFirst: true,
  options: { flag: '-H -L -P -O', text: '-D' },
  readOnly: true,
  inspect(call, found) {
    const start = call.args.findIndex(arg => isExpression(arg))
    const roots = start === -1 ? call.args : call.args.slice(0, start)
    found.reads.push(...roots.filter(arg => !/^-[HLPOD]/.test(arg.start)))
    if (start !== -1) inspectExpression(call.args.slice(start), found)
  },
}

function isExpression(arg: Arg): boolean {
  if (/^-[HLP]$|^-O\d|^-D$/.test(arg.start)) return false
  return /^[-(!),]/.test(arg.start)
}

function inspectExpression(args: readonly Arg[], found: Findings): void {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg
    const name = soleValue(arg)
    if (name === undefined) ask(found, arg.unknown ?? 'a word of the expression can not be known')
    else if (execs.has(name)) at = addExec(args, at, found)
    else if (name === '-delete') ask(found, 'find -delete removes files')
    else if (writesFile.has(name)) at = addFile(args, at, found.writes, name === '-fprintf' ? 2 : 1)
    else if (readsFile.test(name) && !/^-newer.t$/.test(name)) at = addFile(args, at, found.reads, 1)
    else if (takesText.test(name) || name.startsWith('-newer')) at++
  }
}

function addFile(args: readonly Arg[], at: number, list: Arg[], words: number): number {
  const file = args[at + 1]
  if (file) list.push(file)
  return at + words
}

function addExec(args: readonly Arg[], at: number, found: Findings): number {
  const from = at + 1
  let end = from
  while (end < args.length && !isExecEnd(args, end, from)) end++
  const inner = args.slice(from, end)
  if (inner.length === 0) ask(found, 'what find runs is not said')
  else found.commands.push(inner)
  return end
}

function isExecEnd(args: readonly Arg[], at: number, from: number): boolean {
  const text = args[at]?.text
  return text === ';' || (text === '+' && at > from && args[at - 1]?.text === '{}')
}

/** fd: a pattern, folders, and -x or -X with a command to its end. */
export const fdProgram: Program = {
  operands: ['text', 'read'],
  readOnly: true,
  options: {
    text: '-d --max-depth --min-depth --exact-depth -t --type -e --extension -E --exclude -S --size -c --color -j --threads --changed-within --changed-before -o --owner --max-results --format --batch-size --and',
    read: '--base-directory -C --search-path --ignore-file',
    flag: '-x --exec -X --exec-batch -H -I -u -s -i -g -F -a -l -L -p -0 -1 -q',
  },
  inspect(call, found) {
    const at = call.args.findIndex(
      arg => /^(-\w*[xX]|--exec(-batch)?(=.*)?|--ex\w*)$/.test(arg.start) && !/^--(exc|ext|exa)/.test(arg.start),
    )
    if (at === -1) return
    const attached = call.args[at]?.text.split('=').slice(1).join('=')
    if (attached) ask(found, 'fd runs a command for each file')
    const rest = call.args.slice(at + 1)
    const end = rest.findIndex(arg => arg.text === ';')
    const inner = end === -1 ? rest : rest.slice(0, end)
    if (inner.length === 0) ask(found, 'fd runs a command for each file')
    else found.commands.push(inner)
    found.reads.push(...optionValues(call, '--base-directory -C --search-path'))
  },
}
