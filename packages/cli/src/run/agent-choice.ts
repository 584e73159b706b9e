import { findCloseNames, type ReferenceContext, resolveReferences } from '@deckhand/agent'
import { ConfigError, type PermissionMode, type Rule } from '@deckhand/core'
import type { Config } from '../config/config-schema.ts'
import type { LoadedConfig } from '../config/load-config.ts'

export interface ChosenAgent {
  readonly name: string
  readonly prompt?: string
  readonly model?: string
  readonly mode?: PermissionMode
  readonly maxSteps?: number
}

/** The agent that is there without any configuration. */
export const defaultAgent = 'build'

/**
 * The agent of a run, with the files and variables that its prompt refers to (`{file:PATH}`) put in. Throws ConfigError
 * with close names when the configuration has none of this name, or `missing-secret` for a reference to nothing.
 */
export async function resolveAgent(
  name: string | undefined,
  { agent }: Config,
  context: ReferenceContext,
): Promise<ChosenAgent> {
  const found = findAgent(name, agent)
  if (found.prompt === undefined) return found
  const { value } = await resolveReferences(found.prompt, `agent.${found.name}.prompt`, context)
  return { ...found, prompt: value }
}

/** The rules that hold for an agent, in order. Throws ConfigError when there is none of this name. */
export function resolveRules(
  name: string | undefined,
  { config, rules, agentRules }: Pick<LoadedConfig, 'config' | 'rules' | 'agentRules'>,
): readonly Rule[] {
  return [...rules, ...(agentRules.get(findAgent(name, config.agent).name) ?? [])]
}

function findAgent(name: string = defaultAgent, agents: Config['agent']): ChosenAgent {
  const found = Object.hasOwn(agents, name) ? agents[name] : undefined
  if (found || name === defaultAgent) return { ...found, name }
  const names = [...new Set([defaultAgent, ...Object.keys(agents)])]
  const close = findCloseNames(name, names)
  throw new ConfigError(
    'invalid',
    `There is no agent "${name}"${close.length > 0 ? `; did you mean ${close.join(' or ')}?` : `. There is: ${names.join(', ')}.`} Agents are made in "agent" of deckhand.json.`,
    { agent: name },
  )
}
