// A consumer of `opencode run --format json`, written from the recorded lines in test/wire/opencode alone: it knows
// nothing of Deckhand, and passes over types that it does not know.

export interface ReadTool {
  readonly tool: string
  readonly callID: string
  readonly status: string
  readonly input: unknown
  /** The output, or the error. */
  readonly result: string
}

export interface ReadRun {
  readonly sessionID: string | undefined
  /** The texts of the last step that has some. */
  readonly reply: string
  readonly reasoning: readonly string[]
  /** In the order in which they ended. */
  readonly tools: readonly ReadTool[]
  readonly steps: number
  readonly finish: string | undefined
  readonly usage: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
  }
  readonly error: { readonly name: string; readonly message: string } | undefined
}

interface Line {
  readonly type: string
  readonly timestamp: number
  readonly sessionID: string
  readonly part: {
    readonly id: string
    readonly messageID: string
    readonly sessionID: string
    readonly type: string
    readonly text: string
    readonly time: { readonly start: number; readonly end: number }
    readonly reason: string
    readonly tokens: {
      readonly input: number
      readonly output: number
      readonly cache: { readonly read: number; readonly write: number }
    }
    readonly tool: string
    readonly callID: string
    readonly state: {
      readonly status: string
      readonly input: unknown
      readonly output?: string
      readonly error?: string
    }
  }
  readonly error: { readonly name: string; readonly data: { readonly message: string } }
}

const partTypes: Readonly<Record<string, string>> = {
  step_start: 'step-start',
  text: 'text',
  reasoning: 'reasoning',
  tool_use: 'tool',
  step_finish: 'step-finish',
}

/** Reads a run's stdout. Throws where a line is not as OpenCode prints it. */
export function readRun(stdout: string): ReadRun {
  const lines = stdout
    .split('\n')
    .filter(line => line !== '')
    .map((line): Line => JSON.parse(line))
  const parts = lines.flatMap(line => (partTypes[line.type] ? [takePart(line)] : []))
  const ofType = (type: string) => parts.filter(part => part.type === type)
  const texts = ofType('text')
  const finishes = ofType('step-finish')
  const error = lines.find(({ type }) => type === 'error')?.error
  const sum = (value: (tokens: Line['part']['tokens']) => number) =>
    finishes.reduce((total, { tokens }) => total + value(tokens), 0)
  return {
    sessionID: lines[0]?.sessionID,
    reply: texts
      .filter(({ messageID }) => messageID === texts.at(-1)?.messageID)
      .map(({ text }) => text)
      .join(''),
    reasoning: ofType('reasoning').map(({ text }) => text),
    tools: ofType('tool').map(({ tool, callID, state }) => ({
      tool,
      callID,
      status: state.status,
      input: state.input,
      result: (state.status === 'completed' ? state.output : state.error) ?? fail(`no result of ${callID}`),
    })),
    steps: ofType('step-start').length,
    finish: finishes.at(-1)?.reason,
    usage: {
      input: sum(tokens => tokens.input),
      output: sum(tokens => tokens.output),
      cacheRead: sum(tokens => tokens.cache.read),
      cacheWrite: sum(tokens => tokens.cache.write),
    },
    error: error && { name: error.name, message: error.data.message },
  }
}

function takePart({ type, timestamp, sessionID, part }: Line): Line['part'] {
  if (part.type !== partTypes[type]) fail(`a part ${part.type} in a line ${type}`)
  if (part.sessionID !== sessionID || !sessionID.startsWith('ses_')) fail(`a part of another session in ${type}`)
  if (!part.id.startsWith('prt_') || !part.messageID.startsWith('msg_')) fail(`a part without its ids in ${type}`)
  if (typeof timestamp !== 'number') fail(`no timestamp in ${type}`)
  if ((type === 'text' || type === 'reasoning') && !(part.time.end >= part.time.start)) fail(`an open part in ${type}`)
  if (type === 'tool_use' && !['completed', 'error'].includes(part.state.status)) fail('a call that has not ended')
  return part
}

function fail(what: string): never {
  throw new Error(`Not a line of OpenCode's: ${what}.`)
}
