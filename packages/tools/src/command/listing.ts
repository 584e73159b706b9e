import { type Arg, soleValue } from './arg.ts'

/** Of a program: the words with which it prints names of files, and those with which it does more. */
const listers: Readonly<Record<string, readonly (readonly [RegExp, RegExp])[]>> = {
  git: [
    [/^git ls-files( |$)/, /--format|--recurse-submodules/],
    [/^git (diff|show|log|diff-tree)( .*)? --name-only( |$)/, /--format|--pretty|--output/],
    [/^git grep( .*)? (-l|--files-with-matches|--name-only)( |$)/, /-O|--open/],
  ],
  find: [[/^find( |$)/, / -(exec|ok|printf|fprint|fls|delete|files0)/]],
  fd: [[/^fd( |$)/, / (-x|-X|--exec|--format)/]],
  fdfind: [[/^fdfind( |$)/, / (-x|-X|--exec|--format)/]],
  rg: [[/^rg( .*)? (--files|-l|--files-with-matches|-\w*l\w*)( |$)/, / (--pre|-r|--replace|--hostname)/]],
  grep: [[/^grep( .*)? -\w*l\w*( |$)/, / --label/]],
}

/**
 * Does the command print nothing but names of files below the current folder? Its words must be known and lead nowhere
 * else. Then a program that takes the names (xargs) stays inside too.
 */
export function isListing(args: readonly Arg[]): boolean {
  const name = args[0]?.text ?? ''
  if (!Object.hasOwn(listers, name) || !staysBelow(args)) return false
  const text = args.map(arg => arg.text).join(' ')
  return listers[name]?.some(([names, unless]) => names.test(text) && !unless.test(text)) === true
}

const filters = new Set(['grep', 'egrep', 'fgrep', 'rg', 'head', 'tail', 'sort', 'uniq'])

/** Does it hand on some of the lines that it reads, as they are? */
export function passesListing(args: readonly Arg[]): boolean {
  const name = soleValue(args[0]) ?? ''
  if (!filters.has(name) || !staysBelow(args)) return false
  const words = args.slice(1).filter(arg => !arg.text.startsWith('-'))
  const takesPattern = name.endsWith('grep') || name === 'rg'
  const takesNumber = (name === 'head' || name === 'tail') && args.some(arg => arg.text === '-n' || arg.text === '-c')
  return (
    words.length <= (takesPattern || takesNumber ? 1 : 0) &&
    !args.some(arg => /^-\w*[or]$|--only-matching|--replace/.test(arg.text))
  )
}

function staysBelow(args: readonly Arg[]): boolean {
  return args.every(arg => arg.values?.every(value => !/^[/~]|(^|\/)\.\.(\/|$)/.test(value)))
}
