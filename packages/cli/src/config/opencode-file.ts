import { ConfigError, parseRules } from '@deckhand/core'

type Values = Readonly<Record<string, unknown>>

export interface OpencodeValues {
  /** What Deckhand has too, in its own form. */
  readonly used: Values
  /** Dotted keys of all else, for a notice. */
  readonly unused: readonly string[]
}

/** Is this one of OpenCode's files, which are read as they are? */
export function isOpencodeFile(path: string): boolean {
  return /(^|[\\/])opencode\.jsonc?$/.test(path)
}

const sameKeys = ['model', 'provider', 'instructions'] as const

/** Takes from the values of an `opencode.json` what Deckhand has too. What a person forbade there stays forbidden. */
export function takeOpencodeValues(values: Values): OpencodeValues {
  const same = Object.fromEntries(sameKeys.flatMap(key => (key in values ? [[key, values[key]]] : [])))
  const agents = takeAgents(values.agent)
  const permission = takePermission(values.permission, values.tools)
  const known = new Set<string>([...sameKeys, 'permission', 'tools', 'agent', '$schema', '__proto__'])
  return {
    used: { ...same, ...agents.used, ...permission.used },
    unused: [...Object.keys(values).filter(key => !known.has(key)), ...agents.unused, ...permission.unused],
  }
}

const sameAgentKeys = ['description', 'prompt', 'model']

// OpenCode's agents have more fields, and `mode` means something else there (primary, subagent).
function takeAgents(agents: unknown): OpencodeValues {
  if (agents === undefined) return { used: {}, unused: [] }
  if (!isMap(agents)) return { used: { agent: agents }, unused: [] }
  const enabled = Object.entries(agents).filter(([name, agent]) => name !== '__proto__' && !isDisabled(agent))
  const taken = enabled.map(([name, agent]) => ({ name, ...takeAgent(name, agent) }))
  return {
    used: { agent: Object.fromEntries(taken.map(({ name, used }) => [name, used])) },
    unused: taken.flatMap(({ unused }) => unused),
  }
}

function isDisabled(agent: unknown): boolean {
  return isMap(agent) && agent.disable === true
}

function takeAgent(name: string, agent: unknown): { used: unknown; unused: readonly string[] } {
  if (!isMap(agent)) return { used: agent, unused: [] }
  const { steps, maxSteps = steps, disable: _, permission: rules, tools, ...rest } = agent
  const entries = Object.entries(rest)
  const permission = takePermission(rules, tools)
  return {
    used: {
      ...Object.fromEntries(entries.filter(([key]) => sameAgentKeys.includes(key))),
      ...(maxSteps !== undefined && { maxSteps }),
      ...permission.used,
    },
    unused: [...entries.flatMap(([key]) => (sameAgentKeys.includes(key) ? [] : [key])), ...permission.unused].map(
      key => `agent.${name}.${key}`,
    ),
  }
}

/**
 * `permission`, and before it `tools`, its older form: `"tools": { "bash": false }` is a rule that denies. A permission
 * of a tool that Deckhand does not have (of an MCP server, of a plugin) can't be asked for here.
 */
function takePermission(permission: unknown, tools: unknown): OpencodeValues {
  const off = isMap(tools) ? Object.keys(tools).filter(name => tools[name] === false) : []
  const denied = Object.fromEntries(off.filter(isPermission).map(name => [name, 'deny']))
  const unusedTools = off.filter(name => !isPermission(name)).map(name => `tools.${name}`)
  if (permission === undefined) {
    return { used: off.length > 0 ? { permission: denied } : {}, unused: unusedTools }
  }
  if (!isMap(permission)) {
    return {
      used: { permission: off.length > 0 ? { '*': permission, ...denied } : permission },
      unused: unusedTools,
    }
  }
  const entries = Object.entries(permission)
  return {
    used: { permission: { ...denied, ...Object.fromEntries(entries.filter(([key]) => isPermission(key))) } },
    unused: [...unusedTools, ...entries.flatMap(([key]) => (isPermission(key) ? [] : [`permission.${key}`]))],
  }
}

function isPermission(key: string): boolean {
  if (key === '__proto__') return false
  try {
    parseRules({ [key]: 'ask' }, { source: 'user' })
    return true
  } catch (error) {
    if (error instanceof ConfigError) return false
    throw error
  }
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
