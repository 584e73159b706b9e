// How PowerShell is started, and how it takes up and hands on its folder and its environment.
import { parseEnvironment } from './environment-lines.ts'
import { matchOwnVariables } from './own-variables.ts'
import type { ShellEnd } from './shell-end.ts'
import { createFreshState } from './shell-state.ts'

/**
 * The script that runs the command, which stands in a file of its own: so its line numbers are right, and what can't be
 * parsed is an error of its own. Output is UTF-8, without colours and progress bars. The exit code is that of `exit`,
 * else that of the last program if the command failed, else 1 where it failed or threw.
 */
export function createPowershellScript(commandPath: string, endPath: string): string {
  return `
$__utf8 = New-Object System.Text.UTF8Encoding $false
try { [Console]::OutputEncoding = $__utf8; [Console]::InputEncoding = $__utf8 } catch { }
$OutputEncoding = $__utf8
$ProgressPreference = 'SilentlyContinue'
if ($PSStyle) { $PSStyle.OutputRendering = 'PlainText' }
$global:LASTEXITCODE = 0
$__deckhand_code = 0
try {
  . ([scriptblock]::Create([System.IO.File]::ReadAllText(${quoteForPowershell(commandPath)})))
  if (-not $?) { $__deckhand_code = if ($LASTEXITCODE) { $LASTEXITCODE } else { 1 } } else { $__deckhand_code = $LASTEXITCODE }
} catch {
  [Console]::Error.WriteLine(($_ | Out-String).TrimEnd())
  $__deckhand_code = 1
} finally {
  $__lines = @([string]$__deckhand_code, (Get-Location -PSProvider FileSystem).ProviderPath)
  foreach ($__entry in [System.Environment]::GetEnvironmentVariables().GetEnumerator()) { $__lines += "$($__entry.Key)=$($__entry.Value)" }
  $__lines += 'end'
  try { [System.IO.File]::WriteAllText(${quoteForPowershell(endPath)}, ($__lines -join [char]0), $__utf8) } catch { }
}
exit $__deckhand_code
`.trim()
}

/** The arguments that hand a script over whatever is in it: UTF-16 in Base64. */
export function encodePowershellArguments(script: string): readonly string[] {
  const encoded = Buffer.from(script, 'utf16le').toString('base64')
  return ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', encoded]
}

/** A text for PowerShell, in single quotes. */
function quoteForPowershell(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

/** Reads what it wrote. Undefined when it is not whole. */
export function parsePowershellEnd(text: string): ShellEnd | undefined {
  const sections = text.split('\0')
  if (sections.length < 3 || sections.at(-1) !== 'end') return undefined
  const [code = '', cwd = '', ...lines] = sections.slice(0, -1)
  return { code: Number(code), state: createFreshState(cwd, parseEnvironment(lines, shellsOwn)) }
}

const shellsOwn = matchOwnVariables()
