// What is known of PowerShell's commands. To teach one, add a row; each has a test.

/** What a parameter's value, or a word without a parameter, is. `script`: a script block, or a text that is run. */
export type ValueKind = 'text' | 'read' | 'write' | 'script' | 'ask'

export interface Cmdlet {
  /** Other names of it, with blanks between them. */
  readonly aliases?: string
  /** Changes nothing, apart from what `write` and `script` parameters do. */
  readonly readOnly?: boolean
  /** Parameters by the kind of their values, with blanks between them. */
  readonly parameters?: Partial<Readonly<Record<ValueKind, string>>>
  /** Parameters without a value. */
  readonly switches?: string
  /** Kinds of the words without a parameter, in order; the last holds for the rest. Default: `text`. */
  readonly positions?: readonly ValueKind[]
  /** Why it is always asked for. */
  readonly asks?: string
  /** Its paths may come from the pipeline. */
  readonly takesPaths?: boolean
  readonly network?: 'yes'
}

const paths = { read: 'Path LiteralPath PSPath LP' } as const
const lists: Cmdlet = {
  readOnly: true,
  takesPaths: true,
  positions: ['read', 'text'],
  parameters: { ...paths, text: 'Filter Include Exclude Depth Attributes Stream' },
  switches: 'Recurse s Force File Directory Name Hidden ReadOnly System FollowSymlink ad af',
}
const prints: Cmdlet = {
  readOnly: true,
  parameters: { text: 'InputObject Object ForegroundColor BackgroundColor Separator Message MessageData' },
  switches: 'NoNewline NoEnumerate',
}
const shapes: Cmdlet = {
  readOnly: true,
  parameters: {
    text: 'Property InputObject First Last Skip SkipLast Index Unique ExpandProperty ExcludeProperty Top Bottom Culture Width GroupBy View Depth Delimiter Header Encoding ReferenceObject DifferenceObject SyncWindow As AsString Title PageSize',
  },
  switches:
    'Unique Wait Descending Ascending Stable CaseSensitive Sum Average Maximum Minimum StandardDeviation AllStats Line Word Character IgnoreWhiteSpace AutoSize Wrap HideTableHeaders NoElement AsHashTable Stream Compress NoTypeInformation IncludeEqual ExcludeDifferent PassThru Force AsArray EnumsAsStrings UseCulture NoHeader',
}
const looks: Cmdlet = {
  readOnly: true,
  parameters: {
    text: 'Name Id Module Verb Noun CommandType ParameterName Parameter Category Scope Property InputObject Count Format UFormat Date Year Month Day Hour Minute Second Definition Milliseconds Maximum Minimum SetSeed Seconds ComputerName_ MemberType Type',
  },
  switches: 'All ListImported Syntax Full Examples Detailed Online_ ListAvailable Static Force ShowCommandInfo AsUTC',
}
const writesContent: Cmdlet = {
  takesPaths: true,
  positions: ['write', 'text'],
  parameters: {
    write: 'Path LiteralPath FilePath PSPath LP',
    text: 'Value InputObject Encoding Delimiter Filter Include Exclude Width Variable Name Depth Stream',
  },
  switches: 'Append NoClobber Force NoNewline NoTypeInformation PassThru AsByteStream UseCulture Confirm',
}
const changes: Cmdlet = {
  takesPaths: true,
  positions: ['write', 'write'],
  parameters: { write: 'Path LiteralPath Destination PSPath LP', text: 'Filter Include Exclude NewName Name Value' },
  switches: 'Recurse Force Container PassThru Confirm',
}
const archives: Cmdlet = {
  positions: ['read', 'write'],
  parameters: { read: 'Path LiteralPath', write: 'DestinationPath', text: 'CompressionLevel' },
  switches: 'Force Update PassThru',
}
const requests: Cmdlet = {
  network: 'yes',
  positions: ['text'],
  parameters: {
    text: 'Uri Method Headers Body ContentType UserAgent TimeoutSec MaximumRedirection Credential SessionVariable WebSession Token Authentication Form',
    write: 'OutFile',
    read: 'InFile',
  },
  switches: 'UseBasicParsing PassThru SkipCertificateCheck DisableKeepAlive Resume FollowRelLink SkipHttpErrorCheck',
}
const runs = (why: string): Cmdlet => ({ asks: why })

/** By their names as PowerShell writes them. */
export const cmdlets: Readonly<Record<string, Cmdlet>> = {
  'Get-ChildItem': { ...lists, aliases: 'gci ls dir' },
  'Get-Item': { ...lists, aliases: 'gi' },
  'Get-ItemProperty': {
    ...lists,
    aliases: 'gp',
    parameters: { ...lists.parameters, text: 'Name Filter Include Exclude' },
  },
  'Get-ItemPropertyValue': { ...lists, aliases: 'gpv', parameters: { ...paths, text: 'Name' } },
  'Test-Path': {
    ...lists,
    parameters: { ...paths, text: 'PathType Filter Include Exclude NewerThan OlderThan' },
    switches: 'IsValid',
  },
  'Resolve-Path': { ...lists, aliases: 'rvpa', switches: 'Relative' },
  'Convert-Path': { ...lists, aliases: 'cvpa' },
  'Get-FileHash': { ...lists, parameters: { ...paths, text: 'Algorithm' } },
  'Get-Acl': lists,
  'Get-Content': {
    ...lists,
    aliases: 'gc cat type',
    parameters: {
      ...paths,
      text: 'TotalCount Head First Tail Last ReadCount Encoding Delimiter Filter Include Exclude Stream',
    },
    switches: 'Raw Wait Force AsByteStream',
  },
  'Select-String': {
    ...lists,
    aliases: 'sls',
    positions: ['text', 'read'],
    parameters: { ...paths, text: 'Pattern Context Encoding Include Exclude InputObject Culture' },
    switches: 'SimpleMatch CaseSensitive Quiet List NotMatch AllMatches NoEmphasis Raw',
  },
  'Import-Csv': {
    ...lists,
    aliases: 'ipcsv',
    parameters: { ...paths, text: 'Delimiter Header Encoding' },
    switches: 'UseCulture',
  },
  'Split-Path': {
    ...prints,
    parameters: { text: 'Path LiteralPath' },
    switches: 'Parent Leaf LeafBase Extension Qualifier NoQualifier Resolve_ IsAbsolute',
  },
  'Join-Path': { ...prints, parameters: { text: 'Path ChildPath AdditionalChildPath' } },
  'Get-Location': { ...looks, aliases: 'gl pwd' },
  'Set-Location': { ...lists, aliases: 'sl cd chdir', switches: 'PassThru' },
  'Push-Location': { ...lists, aliases: 'pushd', switches: 'PassThru' },
  'Pop-Location': { readOnly: true, aliases: 'popd', switches: 'PassThru', parameters: { text: 'StackName' } },
  'Write-Output': { ...prints, aliases: 'echo write' },
  'Write-Host': prints,
  'Write-Error': { ...prints, parameters: { text: 'Message Exception Category ErrorId TargetObject' } },
  'Write-Warning': prints,
  'Write-Verbose': prints,
  'Write-Debug': prints,
  'Write-Information': prints,
  'Out-Null': prints,
  'Out-String': { ...shapes, aliases: 'oss' },
  'Out-Host': { ...shapes, aliases: 'oh', switches: 'Paging' },
  'Select-Object': { ...shapes, aliases: 'select' },
  'Sort-Object': { ...shapes, aliases: 'sort' },
  'Group-Object': { ...shapes, aliases: 'group' },
  'Measure-Object': { ...shapes, aliases: 'measure' },
  'Compare-Object': { ...shapes, aliases: 'compare diff' },
  'Format-Table': { ...shapes, aliases: 'ft' },
  'Format-List': { ...shapes, aliases: 'fl' },
  'Format-Wide': { ...shapes, aliases: 'fw' },
  'Get-Unique': { ...shapes, aliases: 'gu' },
  'ConvertTo-Json': shapes,
  'ConvertFrom-Json': shapes,
  'ConvertTo-Csv': shapes,
  'ConvertFrom-Csv': shapes,
  'ConvertTo-Html': shapes,
  'Where-Object': {
    readOnly: true,
    aliases: 'where ?',
    // A script block is judged wherever it stands; without one these are the name of a property and a value.
    positions: ['text'],
    parameters: { script: 'FilterScript', text: 'Property Value InputObject' },
    switches:
      'EQ NE GT GE LT LE Like NotLike Match NotMatch Contains NotContains In NotIn Is IsNot Not CEQ CNE CMatch CLike',
  },
  'ForEach-Object': {
    readOnly: true,
    aliases: 'foreach %',
    positions: ['script'],
    parameters: {
      script: 'Process Begin End RemainingScripts Parallel',
      ask: 'MemberName ArgumentList',
      text: 'InputObject ThrottleLimit TimeoutSeconds',
    },
    switches: 'AsJob UseNewRunspace',
  },
  'Get-Date': looks,
  'Get-Process': { ...looks, aliases: 'gps ps' },
  'Get-Service': { ...looks, aliases: 'gsv' },
  'Get-Command': { ...looks, aliases: 'gcm' },
  'Get-Help': { ...looks, aliases: 'help man' },
  'Get-Member': { ...looks, aliases: 'gm' },
  'Get-Alias': { ...looks, aliases: 'gal' },
  'Get-Module': { ...looks, aliases: 'gmo' },
  'Get-PSDrive': { ...looks, aliases: 'gdr' },
  'Get-Host': looks,
  'Get-Random': looks,
  'Get-Culture': looks,
  'Get-Job': { ...looks, aliases: 'gjb' },
  'Start-Sleep': { ...looks, aliases: 'sleep' },
  'Clear-Host': { readOnly: true, aliases: 'clear cls' },
  'Measure-Command': {
    readOnly: true,
    positions: ['script'],
    parameters: { script: 'Expression', text: 'InputObject' },
  },
  'Set-Content': { ...writesContent },
  'Add-Content': { ...writesContent, aliases: 'ac' },
  'Clear-Content': { ...writesContent, aliases: 'clc' },
  'Out-File': writesContent,
  'Tee-Object': { ...writesContent, aliases: 'tee' },
  'Export-Csv': { ...writesContent, aliases: 'epcsv' },
  'Export-Clixml': writesContent,
  'New-Item': {
    aliases: 'ni md mkdir',
    positions: ['write'],
    parameters: { write: 'Path', text: 'ItemType Type Name', ask: 'Value Target' },
    switches: 'Force Confirm',
  },
  'Remove-Item': { ...changes, aliases: 'ri rm rmdir del erase rd' },
  'Copy-Item': {
    ...changes,
    aliases: 'cpi cp copy',
    positions: ['read', 'write'],
    parameters: { read: 'Path LiteralPath', write: 'Destination', text: 'Filter Include Exclude' },
  },
  'Move-Item': { ...changes, aliases: 'mi mv move' },
  'Rename-Item': { ...changes, aliases: 'rni ren' },
  'Set-Item': { ...changes, aliases: 'si', positions: ['write', 'text'] },
  'Clear-Item': { ...changes, aliases: 'cli' },
  'Set-ItemProperty': { ...changes, aliases: 'sp', positions: ['write', 'text'] },
  'Remove-ItemProperty': { ...changes, aliases: 'rp', positions: ['write', 'text'] },
  'New-ItemProperty': {
    ...changes,
    positions: ['write', 'text'],
    parameters: { ...changes.parameters, text: 'Name Value PropertyType' },
  },
  'Compress-Archive': archives,
  'Expand-Archive': archives,
  'Invoke-WebRequest': { ...requests, aliases: 'iwr curl wget' },
  'Invoke-RestMethod': { ...requests, aliases: 'irm' },
  'Test-Connection': { ...looks, network: 'yes' },
  'Invoke-Expression': { aliases: 'iex', positions: ['script'], parameters: { script: 'Command' } },
  'Invoke-Command': {
    aliases: 'icm',
    positions: ['script'],
    parameters: {
      script: 'ScriptBlock',
      ask: 'FilePath ComputerName Session HostName VMName ContainerId ConnectionUri',
      text: 'ArgumentList InputObject JobName Credential',
    },
    switches: 'NoNewScope AsJob',
  },
  'Start-Job': {
    aliases: 'sajb',
    positions: ['script'],
    parameters: {
      script: 'ScriptBlock InitializationScript',
      ask: 'FilePath LiteralPath',
      text: 'Name ArgumentList InputObject WorkingDirectory_',
    },
  },
  'Receive-Job': { ...looks, aliases: 'rcjb', switches: 'Keep Wait AutoRemoveJob' },
  'Wait-Job': { ...looks, aliases: 'wjb' },
  'Stop-Process': {
    aliases: 'spps kill',
    parameters: { text: 'Id Name InputObject' },
    switches: 'Force PassThru Confirm',
  },
  'Start-Process': runs('what it starts, and how, is not followed here'),
  'Invoke-Item': { ...runs('it opens files with the programs that they belong to'), aliases: 'ii' },
  'Invoke-History': { ...runs('it runs commands of the history'), aliases: 'r ihy' },
  'Set-Alias': { ...runs('it gives a name another meaning'), aliases: 'sal' },
  'New-Alias': { ...runs('it gives a name another meaning'), aliases: 'nal' },
  'Import-Alias': { ...runs('it gives names another meaning'), aliases: 'ipal' },
  'Set-Variable': { ...runs('it can change what other commands do'), aliases: 'sv set' },
  'New-Variable': { ...runs('it can change what other commands do'), aliases: 'nv' },
  'Import-Module': { ...runs('it loads code'), aliases: 'ipmo' },
  'Install-Module': { ...runs('it fetches and installs code'), network: 'yes' },
  'Add-Type': runs('it compiles and loads code'),
  'New-Object': runs('what the object does when it is made is not known'),
  'Set-ExecutionPolicy': runs('it changes which scripts may run'),
  'Register-ScheduledTask': runs('it has something run later'),
  'New-Service': runs('it has something run later'),
  'Register-ObjectEvent': runs('it has something run later'),
}

const byName = new Map<string, string>()
for (const [name, { aliases = '' }] of Object.entries(cmdlets)) {
  for (const each of [name, ...aliases.split(' ')]) if (each !== '') byName.set(each.toLowerCase(), name)
}
// In Windows PowerShell alone; in PowerShell 7 it is a program that manages services.
byName.set('sc', 'Set-Content')

/** The name of a command as PowerShell writes it, for a name, an alias or a name with its module; names know no case. */
export function canonicalName(written: string): string | undefined {
  return byName.get(written.slice(written.lastIndexOf('\\') + 1).toLowerCase())
}

const commonText =
  'ErrorAction EA WarningAction WA InformationAction InfA ProgressAction ErrorVariable EV WarningVariable WV InformationVariable IV OutVariable OV OutBuffer OB PipelineVariable PV'
const commonSwitches = 'Verbose vb Debug db WhatIf wi Confirm cf'

/** What a parameter takes; `switch` for none. Undefined: not known, or several begin like that. */
export function parameterKind(cmdlet: Cmdlet, written: string): ValueKind | 'switch' | undefined {
  const all = [
    ...(Object.entries(cmdlet.parameters ?? {}) as [ValueKind, string][]),
    ['text', commonText] as const,
    ['switch', `${cmdlet.switches ?? ''} ${commonSwitches}`] as const,
  ].flatMap(([kind, names]) => names.split(' ').map(name => ({ kind, name: name.toLowerCase() })))
  const wanted = written.toLowerCase()
  const exact = all.find(({ name }) => name === wanted)
  if (exact) return exact.kind
  const kinds = new Set(all.filter(({ name }) => name.startsWith(wanted)).map(({ kind }) => kind))
  return kinds.size === 1 ? [...kinds][0] : undefined
}
