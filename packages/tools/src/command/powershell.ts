import type { PermissionPart } from '@deckhand/core'
import { createUnknownPart } from './parts.ts'

const aliases: Readonly<Record<string, string>> = {
  ri: 'Remove-Item',
  rm: 'Remove-Item',
  rmdir: 'Remove-Item',
  del: 'Remove-Item',
  erase: 'Remove-Item',
  rd: 'Remove-Item',
  iex: 'Invoke-Expression',
  iwr: 'Invoke-WebRequest',
  curl: 'Invoke-WebRequest',
  wget: 'Invoke-WebRequest',
  irm: 'Invoke-RestMethod',
  sc: 'Set-Content',
  ac: 'Add-Content',
  clc: 'Clear-Content',
  cp: 'Copy-Item',
  copy: 'Copy-Item',
  cpi: 'Copy-Item',
  mv: 'Move-Item',
  move: 'Move-Item',
  mi: 'Move-Item',
  ren: 'Rename-Item',
  rni: 'Rename-Item',
  ni: 'New-Item',
  si: 'Set-Item',
  saps: 'Start-Process',
  start: 'Start-Process',
  spps: 'Stop-Process',
  kill: 'Stop-Process',
  sajb: 'Start-Job',
  icm: 'Invoke-Command',
  gc: 'Get-Content',
  cat: 'Get-Content',
  type: 'Get-Content',
  gci: 'Get-ChildItem',
  ls: 'Get-ChildItem',
  dir: 'Get-ChildItem',
}

const maxSpellings = 64
const maxCharacters = 16 * 1024

/**
 * PowerShell can't be judged yet: one part, always asked. Deny rules are tried against each command that can be told
 * apart by separators outside of quotes, with aliases and letter case put right.
 */
export function assessPowershell(text: string): readonly PermissionPart[] {
  const spellings = text.length > maxCharacters ? [] : splitCommands(text).flatMap(spell)
  return [
    createUnknownPart(
      text,
      'PowerShell commands can not be judged yet',
      [...new Set(spellings)].slice(0, maxSpellings),
    ),
  ]
}

function splitCommands(text: string): readonly string[] {
  const commands: string[] = []
  let from = 0
  let quote: string | undefined
  for (let at = 0; at <= text.length; at++) {
    const character = text[at]
    if (quote) {
      if (character === quote) quote = undefined
    } else if (character === '"' || character === "'") quote = character
    else if (character === undefined || /[;|&(){}\n\r]/.test(character)) {
      commands.push(text.slice(from, at))
      from = at + 1
    }
  }
  if (quote) commands.push(text.slice(from))
  return commands.map(command => command.trim()).filter(command => command !== '')
}

function spell(command: string): readonly string[] {
  const plain = command.replace(/`(?=\S)/g, '').replace(/^[.&]\s*/, '')
  const [, quoted, bare, rest = ''] = /^(?:["']([^"']*)["']|(\S+))\s*([\s\S]*)$/.exec(plain) ?? []
  const name = quoted ?? bare ?? ''
  const known = aliases[name.toLowerCase()] ?? capitalize(name)
  return [...new Set([name, known, name.toLowerCase()])].map(spelling => `${spelling} ${rest}`.trim())
}

// Names of commands are not case-sensitive; rules are written as people write them: Remove-Item.
function capitalize(name: string): string {
  return name.includes('-') && !/[/\\]/.test(name)
    ? name.toLowerCase().replace(/(^|-)[a-z]/g, letter => letter.toUpperCase())
    : name
}
