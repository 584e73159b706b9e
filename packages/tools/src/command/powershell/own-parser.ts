// PowerShell's own parser, where PowerShell is installed: the one that is never wrong about what a text is.
import { spawn } from 'node:child_process'
import { z } from 'zod'

/** What PowerShell's own parser finds in a text. */
export interface OwnParse {
  /** It would not run: PowerShell takes no part of a text that has an error. */
  readonly errors: number
  /** Names of all commands in it, as written; empty for one that is computed. */
  readonly commands: readonly string[]
}

/** Asks PowerShell's own parser; undefined where it can't be asked or does not answer in time. */
export type AskOwnParser = (text: string) => Promise<OwnParse | undefined>

// Nothing of the text is run: it comes in as data, and only its tree is looked at.
const program = `
$text = [Console]::In.ReadToEnd(); $tokens = $null; $errors = $null
$tree = [System.Management.Automation.Language.Parser]::ParseInput($text, [ref]$tokens, [ref]$errors)
$found = $tree.FindAll({ $args[0] -is [System.Management.Automation.Language.CommandAst] }, $true)
$names = @($found | ForEach-Object { [string]$_.GetCommandName() })
[Console]::Out.Write((ConvertTo-Json -Compress @{ errors = @($errors).Count; commands = $names }))
`

const answerSchema = z.object({ errors: z.number(), commands: z.array(z.string()) })
const limitMs = 5000

/** Makes it for an installed PowerShell, by the absolute path of its program (`pwsh`, `powershell.exe`). */
export function createOwnParser(pwsh: string): AskOwnParser {
  return text =>
    new Promise(resolve => {
      const child = spawn(pwsh, ['-NoProfile', '-NonInteractive', '-NoLogo', '-Command', program], {
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: limitMs,
        windowsHide: true,
      })
      let answer = ''
      child.once('error', () => resolve(undefined))
      child.stdout.setEncoding('utf8').on('data', piece => {
        answer += piece
      })
      child.once('close', () => resolve(parseAnswer(answer)))
      child.stdin.on('error', () => undefined)
      child.stdin.end(text)
    })
}

function parseAnswer(answer: string): OwnParse | undefined {
  try {
    return answerSchema.parse(JSON.parse(answer))
  } catch {
    return undefined
  }
}
