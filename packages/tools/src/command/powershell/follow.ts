// From the text of a PowerShell command to facts.
import { Facts } from '../facts.ts'
import type { FollowedCommand } from '../followed-command.ts'
import type { PathWorld } from '../world.ts'
import { canonicalName } from './cmdlets.ts'
import { walkPowershell } from './judge.ts'
import type { OwnParse } from './own-parser.ts'
import { parsePowershell } from './parse.ts'
import { PowershellSyntaxError, type Script } from './syntax.ts'

export interface FollowPowershellOptions extends PathWorld {
  readonly cwd: string
  /** Follows a text as a script of bash: what `bash -c` and the like are given. */
  readonly runBash: (text: string, facts: Facts) => void
}

/** Parses a text for PowerShell and walks through it. Never throws for what it can't read: that is a `problem`. */
export function followPowershell(text: string, options: FollowPowershellOptions): FollowedCommand {
  const facts = new Facts()
  const read = readScript(text)
  if ('problem' in read) return { facts, isEmpty: false, problem: `the command can't be judged: ${read.problem}` }
  const { script } = read
  walkPowershell(script, options.cwd, {
    workspace: options.workspace,
    folders: options.folders,
    facts,
    visited: new Set(),
    runScript(inner, site) {
      options.runBash(inner, facts)
      return site.cwds
    },
  })
  const isEmpty = script.pipelines.length === 0
  return facts.isTooMuch
    ? { facts, isEmpty, problem: 'it holds more commands and paths than can be followed' }
    : { facts, isEmpty }
}

/** With what PowerShell's own parser finds in the text and ours did not follow. */
export function addOwnParse(text: string, followed: FollowedCommand, { errors, commands }: OwnParse): FollowedCommand {
  if (errors > 0)
    return { ...followed, problem: "the command can't be judged: PowerShell's own parser finds errors in it" }
  const known = new Set(followed.facts.commands.flatMap(({ args }) => nameOf(args[0]?.text ?? '')))
  for (const name of commands) {
    if (name !== '' && known.has(nameOf(name))) continue
    const what = name === '' ? 'a computed command' : `the command ${name}`
    followed.facts.addDoubt(text, `PowerShell's own parser finds ${what} in it, which is not followed here`)
  }
  return followed
}

function nameOf(written: string): string {
  return (canonicalName(written) ?? written).toLowerCase()
}

function readScript(text: string): { readonly script: Script } | { readonly problem: string } {
  try {
    return { script: parsePowershell(text) }
  } catch (error) {
    if (error instanceof PowershellSyntaxError) return { problem: error.message }
    if (error instanceof RangeError) return { problem: 'it is nested too deep' }
    throw error
  }
}
