// What the shell does itself: its builtins that run, define, assign or load. `cd` and its like are followed in cd.ts.

import { type Arg, cutStart, soleValue } from '../arg.ts'
import { findAssignmentRisk } from '../assignments.ts'
import { ask, type Call, type Findings, optionValues, type Program } from './program.ts'
import { joinScript, wrapper } from './wrapper.ts'

const printsOnly: Program = { operands: ['text'], readOnly: true }

/** Declares variables: each operand is `NAME` or `NAME=value`. */
const declares: Program = {
  operands: ['text'],
  inspect(call, found) {
    const letters = call.args
      .filter(arg => /^[-+][A-Za-z]+$/.test(arg.text))
      .map(arg => arg.text)
      .join('')
    if (letters.includes('n')) ask(found, 'a name that stands for another one can run what it is set to')
    if (/-[A-Za-z]*i/.test(letters)) ask(found, 'what is assigned to an integer variable is evaluated')
    for (const arg of call.args) if (!/^[-+]/.test(arg.start) || !arg.values) inspectName(arg, found)
  },
}

/** Builtins of bash. */
export const builtinPrograms: Readonly<Record<string, Program>> = {
  builtin: wrapper({ transparent: true }),
  command: {
    ...wrapper({ options: { flag: '-p -v -V' }, transparent: true }),
    inspect: inspectCommand,
  },
  exec: wrapper({ options: { flag: '-c -l', text: '-a' } }),
  eval: {
    operands: ['text'],
    optionsFirst: true,
    inspect: (call, found) => {
      if (call.operands.length > 0) found.scripts.push(joinScript(call.operands))
    },
  },
  source: {
    operands: ['read', 'text'],
    inspect: (_, found) => ask(found, 'it runs the commands of a file in this shell'),
  },
  '.': {
    operands: ['read', 'text'],
    inspect: (_, found) => ask(found, 'it runs the commands of a file in this shell'),
  },
  trap: { operands: ['text'], inspect: inspectTrap },
  alias: {
    operands: ['text'],
    inspect: (call, found) => {
      if (call.operands.some(arg => arg.text.includes('=') || !arg.values))
        ask(found, 'an alias changes what a name runs')
    },
  },
  unalias: printsOnly,
  enable: {
    operands: ['text'],
    inspect: (call, found) => askIfGiven(call, found, 'it changes which builtins there are'),
  },
  hash: { operands: ['text'], options: { ask: '-p', flag: '-r -l -d -t' } },
  bind: { operands: ['text'], inspect: (call, found) => askIfGiven(call, found, 'it changes what keys run') },
  complete: { operands: ['text'], options: { ask: '-C -F -W' } },
  compgen: {
    operands: ['text'],
    options: { ask: '-C -F', text: '-A -G -P -S -X -o', flag: '-a -b -c -d -e -f -g -j -k -s -u -v' },
    inspect: (call, found) => {
      const hasList = call.args.some(arg => /^-\w*W/.test(arg.start))
      if (hasList && call.args.some(arg => !arg.values || /[$`]/.test(arg.text)))
        ask(found, 'compgen -W runs the substitutions in its list')
    },
  },
  compopt: printsOnly,
  fc: { inspect: (_, found) => ask(found, 'it runs commands of the history') },
  history: { operands: ['text'], options: { ask: '-p -s', write: '-w -a', read: '-r -n' } },
  export: declares,
  readonly: declares,
  declare: declares,
  typeset: declares,
  local: declares,
  unset: {
    operands: ['text'],
    inspect: (call, found) => {
      for (const arg of call.operands) inspectName(arg, found)
    },
  },
  read: {
    operands: ['text'],
    readOnly: true,
    options: { text: '-d -i -n -N -p -t -u', flag: '-r -s -e' },
    inspect: (call, found) => inspectNames([...call.operands, ...optionValuesAfter(call, 'a')], found),
  },
  mapfile: {
    operands: ['text'],
    options: { script: '-C', text: '-d -n -O -s -u -c' },
    inspect: (call, found) => inspectNames(call.operands, found),
  },
  readarray: {
    operands: ['text'],
    options: { script: '-C', text: '-d -n -O -s -u -c' },
    inspect: (call, found) => inspectNames(call.operands, found),
  },
  getopts: {
    operands: ['text'],
    readOnly: true,
    inspect: (call, found) => inspectNames(call.operands.slice(1, 2), found),
  },
  printf: {
    operands: ['text'],
    readOnly: true,
    optionsFirst: true,
    options: { text: '-v' },
    inspect: (call, found) => {
      inspectNames(optionValues(call, '-v'), found)
      if (call.operands[0]?.start === '' && !call.operands[0].values)
        ask(found, 'its first word may turn out to be the option -v')
    },
  },
  let: {
    operands: ['text'],
    inspect: (call, found) => {
      for (const arg of call.args) inspectArithmeticText(arg, found)
    },
  },
  test: { operands: ['text'], readOnly: true, inspect: inspectTest },
  '[': { operands: ['text'], readOnly: true, inspect: inspectTest },
  set: { operands: ['text'], inspect: inspectSet },
  shopt: {
    operands: ['text'],
    inspect: (call, found) => {
      const risky =
        /^(expand_aliases|lastpipe|extdebug|cdable_vars|cdspell|autocd|sourcepath|execfail|inherit_errexit|localvar_inherit|assoc_expand_once|array_expand_once|checkwinsize_|promptvars|globskipdots)$/
      if (call.has('-s -u') && call.operands.some(arg => !arg.values || risky.test(arg.text)))
        ask(found, 'this option changes how commands are read')
    },
  },
  wait: {
    operands: ['text'],
    readOnly: true,
    options: { text: '-p' },
    inspect: (call, found) => inspectNames(optionValues(call, '-p'), found),
  },
  jobs: { operands: ['text'], readOnly: true, inspect: (call, found) => addAfter(call, found, '-x') },
  coproc: wrapper({}),
  type: printsOnly,
  break: printsOnly,
  continue: printsOnly,
  return: printsOnly,
  exit: printsOnly,
  shift: printsOnly,
  times: printsOnly,
  caller: printsOnly,
  dirs: printsOnly,
  help: printsOnly,
  umask: { operands: ['text'] },
  ulimit: { operands: ['text'] },
  cd: { operands: ['text'], readOnly: true },
  pushd: { operands: ['text'], readOnly: true },
  popd: { operands: ['text'], readOnly: true },
}

function askIfGiven(call: Call, found: Findings, reason: string): void {
  if (call.args.length > 0) ask(found, reason)
}

// `command -v NAME` only says where NAME is.
function inspectCommand(call: Call, found: Findings): void {
  const inner = builtinWrapper.inspect
  if (!call.has('-v -V')) inner?.(call, found)
}

const builtinWrapper = wrapper({ options: { flag: '-p -v -V' }, transparent: true })

function inspectTrap(call: Call, found: Findings): void {
  const [script] = call.operands
  if (call.operands.length < 2 || !script) return
  if (!['-', ''].includes(soleValue(script) ?? '?')) found.scripts.push(script)
}

function optionValuesAfter(call: Call, letter: string): readonly Arg[] {
  const at = call.args.findIndex(arg => new RegExp(`^-\\w*${letter}$`).test(arg.text))
  const value = at === -1 ? undefined : call.args[at + 1]
  return value ? [value] : []
}

function addAfter(call: Call, found: Findings, flag: string): void {
  const at = call.args.findIndex(arg => arg.text === flag)
  if (at !== -1 && at + 1 < call.args.length) found.commands.push(call.args.slice(at + 1))
}

function inspectNames(args: readonly Arg[], found: Findings): void {
  for (const arg of args) inspectName(arg, found)
}

/** A word that names a variable, with or without a value. */
function inspectName(arg: Arg, found: Findings): void {
  if (!arg.values && !/^[A-Za-z_]\w*\+?=/.test(arg.start))
    return ask(found, `the name of a variable can't be known: ${arg.unknown}`)
  const name = /^[^=]*/.exec(arg.start)?.[0].replace(/\+$/, '') ?? ''
  const base = name.replace(/\[.*/s, '')
  const value = arg.values ? cutStart(arg, name.length + 1).text : undefined
  const risk = findAssignmentRisk(base, value)
  if (risk) ask(found, risk)
  const index = /\[(.*)/s.exec(name)?.[1]
  if (index !== undefined && !/^[@*\]]|^\w+\]?$/.test(index))
    ask(found, 'the index of an array is evaluated, and may run a command')
}

function inspectArithmeticText(arg: Arg, found: Findings): void {
  if (!arg.values || arg.values.some(value => !/^[\w\s+\-*/%=<>!&|^~?:,()]*$/.test(value))) {
    ask(found, 'the arithmetic in it may run a command')
  }
  const assigned = /^\s*([A-Za-z_]\w*)\s*[-+*/%&|^<>]*=/.exec(arg.text)?.[1]
  const risk = assigned && findAssignmentRisk(assigned)
  if (risk) ask(found, risk)
}

function inspectTest(call: Call, found: Findings): void {
  call.args.forEach((arg, index) => {
    const before = call.args[index - 1]?.text
    if (before !== '-v' && before !== '-R') return
    if (!arg.values || arg.text.includes('[')) ask(found, 'the index of an array is evaluated, and may run a command')
  })
  if (call.args.some(arg => !arg.values && !arg.text.startsWith('"'))) askIfOperatorHidden(call, found)
}

// An unquoted variable may bring -v with it.
function askIfOperatorHidden(call: Call, found: Findings): void {
  const first = call.args[0]
  if (first && !first.values && call.args.length <= 2 && !first.text.startsWith('"')) return
  if (call.args.some(arg => arg.text === '-v')) ask(found, 'the index of an array is evaluated, and may run a command')
}

function inspectSet(call: Call, found: Findings): void {
  const marks = call.args.findIndex(arg => arg.text === '--')
  const options = marks === -1 ? call.args : call.args.slice(0, marks)
  if (options.some(arg => !arg.values || /^[-+]\w*[kPT]/.test(arg.text)))
    ask(found, 'this option changes how commands are read')
}
