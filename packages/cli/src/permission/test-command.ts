// `deckhand permission test`: how people learn the rules, and how any set of rules is tried from outside.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import {
  builtinRules,
  messageOf,
  type PermissionMode,
  parseRules,
  permissionModes,
  permissionSchema,
  type Rule,
  toApprovalRule,
  UsageError,
} from '@deckhand/core'
import { type AskOwnParser, type AssessOptions, createOwnParser, createWorkspace } from '@deckhand/tools'
import type { CliContext } from '../cli-context.ts'
import { composeChildEnvironment } from '../compose.ts'
import { parseConfigText } from '../config/config-text.ts'
import { withStore } from '../open-store.ts'
import { resolveRules } from '../run/agent-choice.ts'
import { describeJudged, toJson } from './describe-judged.ts'
import { type JudgeOptions, judgeCommandText } from './judge-command.ts'
import { addLinks, type Links, listLinkedFolders } from './linked-workspace.ts'
import { loadTrustedConfig } from './project-trust.ts'

export interface TestCommandOptions {
  readonly rules?: string
  readonly shell?: string
  readonly workspace?: string
  readonly cwd?: string
  readonly home?: string
  readonly mode?: string
  readonly link?: readonly string[]
  readonly agent?: string
  readonly json?: boolean
  readonly jsonl?: boolean
}

/** Judges the command, or with `jsonl` each line of standard input, and gives the exit code. Nothing is run. */
export async function testCommand(
  command: string | undefined,
  options: TestCommandOptions,
  context: CliContext,
): Promise<number> {
  const setting = await readSetting(options, context)
  if (options.jsonl) {
    if (command !== undefined) throw new UsageError('With --jsonl the commands come from standard input; give none.')
    return judgeLines(setting, context)
  }
  if (command === undefined)
    throw new UsageError('Give the command as one argument: deckhand permission test "git push". Or use --jsonl.')
  const askOwnParser = findOwnParser(setting.options.shell, context)
  const judged = await judgeCommandText(command, { ...setting.options, askOwnParser })
  const facts = { ...judged, withheld: setting.withheld }
  context.stdout.write(
    options.json ? `${JSON.stringify(toJson(facts), null, 2)}\n` : describeJudged(facts, setting.options.mode),
  )
  return 0
}

// Starting PowerShell takes a while: worth it for one command, not for each of thousands.
function findOwnParser(shell: AssessOptions['shell'], { env }: CliContext): AskOwnParser | undefined {
  if (shell !== 'powershell') return undefined
  const folders = (env.PATH ?? '').split(delimiter).filter(isAbsolute)
  const pwsh = folders
    .map(folder => join(folder, 'pwsh'))
    .find(path => statSync(path, { throwIfNoEntry: false })?.isFile())
  return pwsh === undefined ? undefined : createOwnParser(pwsh)
}

interface Setting {
  readonly options: JudgeOptions
  /** Names of the variables that a command would not get. */
  readonly withheld: readonly string[]
}

async function readSetting(options: TestCommandOptions, context: CliContext): Promise<Setting> {
  const directory = resolve(context.cwd, options.workspace ?? '.')
  const home = options.home === undefined ? context.home : resolve(context.cwd, options.home)
  const links = parseLinks(options.link ?? [])
  const loaded = await loadRules(options, isFolder(directory) ? realpathSync(directory) : context.cwd, context)
  return {
    options: {
      rules: loaded.rules,
      mode: parseMode(options.mode) ?? 'ask',
      cwd: options.cwd === undefined ? directory : resolve(directory, options.cwd),
      workspace: addLinks(createWorkspace({ directory, home }), links),
      ...(links.size > 0 && { folders: listLinkedFolders(links) }),
      home,
      shell: parseShell(options.shell ?? 'bash'),
    },
    withheld: composeChildEnvironment(loaded.allowedEnvironment, context.env).withheld,
  }
}

interface LoadedRules {
  readonly rules: readonly Rule[]
  readonly allowedEnvironment: readonly string[]
}

// With a file of rules it is those alone, after the built-in ones: nothing of this machine takes part.
async function loadRules(
  { rules: file, agent }: TestCommandOptions,
  directory: string,
  context: CliContext,
): Promise<LoadedRules> {
  if (file === undefined)
    return withStore(context, async store => {
      const loaded = await loadTrustedConfig(directory, { store }, context)
      const approvals = await store.listApprovals({ directory })
      return {
        rules: [...resolveRules(agent, loaded), ...approvals.map(toApprovalRule)],
        allowedEnvironment: loaded.config.shell.allowEnvironment,
      }
    })
  const path = resolve(context.cwd, file)
  return { rules: [...builtinRules, ...parseSection(readSection(path), path)], allowedEnvironment: [] }
}

function readSection(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The rules could not be read: ${messageOf(error)}`)
  }
  const { values, repeated, lineOf } = parseConfigText(path, text)
  const [twice] = repeated
  if (twice)
    throw new UsageError(`${path}: ${twice.join('.')} stands there twice; only one can count (line ${lineOf(twice)}).`)
  return 'permission' in values ? values.permission : values
}

function parseSection(section: unknown, origin: string): readonly Rule[] {
  const checked = permissionSchema.safeParse(section)
  // parseRules says what is wrong in our words.
  return parseRules(checked.success ? checked.data : section, { source: 'user', origin })
}

const shells: readonly AssessOptions['shell'][] = ['bash', 'powershell', 'cmd']

function parseShell(name: unknown): AssessOptions['shell'] {
  const shell = shells.find(known => known === name)
  if (shell === undefined)
    throw new UsageError(`"${String(name)}" is no shell that is known here: ${shells.join(', ')}.`)
  return shell
}

function parseMode(name: string | undefined): PermissionMode | undefined {
  if (name === undefined || permissionModes.includes(name as PermissionMode)) return name as PermissionMode | undefined
  throw new UsageError(`"${name}" is no mode. Use one of ${permissionModes.join(', ')}.`)
}

function parseLinks(links: readonly string[]): Links {
  return new Map(
    links.map(text => {
      const [from = '', to = ''] = text.split('=', 2)
      if (isAbsolute(from) && isAbsolute(to)) return [from, to]
      throw new UsageError(`--link takes two absolute paths, such as /work/a=/etc; it was given ${text}.`)
    }),
  )
}

/** One answer a line, in order. A line that can't be judged gets an `error`, and the exit code is then 1. */
async function judgeLines({ options }: Setting, { stdin, stdout }: CliContext): Promise<number> {
  let code = 0
  for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const answer = await judgeLine(line, options)
    if ('error' in answer) code = 1
    if (!stdout.write(`${JSON.stringify(answer)}\n`)) await new Promise(resolve => stdout.once('drain', resolve))
  }
  return code
}

async function judgeLine(line: string, options: JudgeOptions): Promise<Readonly<Record<string, unknown>>> {
  let id: unknown
  try {
    const one = JSON.parse(line) as Readonly<Record<string, unknown>>
    if (typeof one !== 'object' || one === null) throw new UsageError('a line must be a JSON object')
    id = one.id
    if (typeof one.command !== 'string') throw new UsageError('"command" must be a text')
    const rules =
      one.rules === undefined
        ? options.rules
        : [...builtinRules, ...parseSection(sectionOf(one.rules), `the line's rules`)]
    const shell = one.shell === undefined ? options.shell : parseShell(one.shell)
    return {
      ...(id !== undefined && { id }),
      ...summarise(await judgeCommandText(one.command, { ...options, rules, shell })),
    }
  } catch (error) {
    return { ...(id !== undefined && { id }), error: messageOf(error) }
  }
}

function sectionOf(rules: unknown): unknown {
  return typeof rules === 'object' && rules !== null && 'permission' in rules ? rules.permission : rules
}

function summarise({ verdict, external, analysis }: Awaited<ReturnType<typeof judgeCommandText>>) {
  const deciding = verdict.parts.filter(part => part.action === verdict.action)
  return {
    decision: verdict.action,
    external,
    readOnly: analysis.readOnly === 'yes',
    reasons: deciding.map(({ part, reason }) => `${part.permission} ${part.pattern}: ${reason}`),
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
