// What Deckhand would say to a command: the analysis, and the verdict of rules and mode. Nothing is run.
import {
  evaluateQuestion,
  offerAlways,
  type PermissionMode,
  type PermissionPart,
  type Rule,
  type Verdict,
} from '@deckhand/core'
import { type AssessOptions, analyseCommand, assessCommand, type CommandAnalysis } from '@deckhand/tools'

export interface JudgeOptions extends AssessOptions {
  readonly rules: readonly Rule[]
  readonly mode: PermissionMode
}

export interface JudgedCommand {
  readonly command: string
  readonly analysis: CommandAnalysis
  readonly verdict: Verdict
  /** Absolute paths outside the workspace that it would use, and the folders that are asked for. */
  readonly external: readonly string[]
  /** The rules that "always" would store. */
  readonly always: ReturnType<typeof offerAlways>
}

/** Judges a command. In mode `workspace` a sandbox is taken for granted. */
export async function judgeCommandText(command: string, options: JudgeOptions): Promise<JudgedCommand> {
  const isContained = options.mode === 'workspace'
  const [assessed, analysis] = await Promise.all([
    assessCommand(command, { ...options, asksNetwork: isContained }),
    analyseCommand(command, options),
  ])
  const parts = isContained ? assessed.map(contain) : assessed
  const verdict = evaluateQuestion({ parts }, options.rules, options.mode)
  const external = parts
    .filter(part => part.permission === 'external_directory')
    .flatMap(part => [part.pattern.replace(/(?<=.)\/\*$/, ''), ...(part.denyPatterns ?? [])])
  return { command, analysis, verdict, external: [...new Set(external)], always: offerAlways(verdict) }
}

function contain(part: PermissionPart): PermissionPart {
  return part.permission === 'shell' ? { ...part, contained: true } : part
}
