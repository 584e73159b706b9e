import { findCloseNames } from '@deckhand/agent'
import { ConfigError, type PermissionMode } from '@deckhand/core'
import type { Config } from '../config/config-schema.ts'

export interface ChosenAgent {
  readonly name: string
  readonly prompt?: string
  readonly model?: string
  readonly mode?: PermissionMode
  readonly maxSteps?: number
}

/** The agent that is there without any configuration. */
export const defaultAgent = 'build'

/** The agent of a run. Throws ConfigError with close names when the configuration has none of this name. */
export function resolveAgent(name: string | undefined, { agent }: Config): ChosenAgent {
  if (name === undefined || (name === defaultAgent && !(name in agent)))
    return { name: defaultAgent, ...agent[defaultAgent] }
  const found = Object.hasOwn(agent, name) ? agent[name] : undefined
  if (found) return { ...found, name }
  const names = [...new Set([defaultAgent, ...Object.keys(agent)])]
  const close = findCloseNames(name, names)
  throw new ConfigError(
    'invalid',
    `There is no agent "${name}"${close.length > 0 ? `; did you mean ${close.join(' or ')}?` : `. There is: ${names.join(', ')}.`} Agents are made in "agent" of deckhand.json.`,
    { agent: name },
  )
}
