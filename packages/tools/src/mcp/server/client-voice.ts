import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type Implementation,
  SdkError,
  SdkErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { FormAnswer } from './permission-form.ts'
import type { Rounds } from './rounds.ts'
import type { AskRoots } from './workspace-folders.ts'

/**
 * How the client is asked something while a call runs. Clients of the protocol up to 2025-11-25 take requests from the
 * server; later ones get the question as the call's result for now, and send the call again with the answer.
 */
export interface ClientVoice {
  /** Absent: the client has no forms. Gives nothing when no answer came in time; rejects when the client failed. */
  readonly ask?: (form: ElicitRequestFormParams, signal: AbortSignal) => Promise<FormAnswer | undefined>
  readonly askRoots: AskRoots
  /** Who answers, for the record: `mcp:` and the client's name. */
  readonly by: string
}

const rootsTimeoutMs = 10_000

/** For clients that take requests. */
export function createRequestVoice(
  server: Server,
  send: ServerContext['mcpReq']['send'],
  questionTimeoutMs: number,
): ClientVoice {
  const ask = (form: ElicitRequestFormParams, signal: AbortSignal) =>
    untilTimeout(send({ method: 'elicitation/create', params: { ...form } }, { signal, timeout: questionTimeoutMs }))
  return {
    ...(offersForms(server.getClientCapabilities()) && { ask }),
    askRoots: askRootsByRequest(server),
    by: nameClient(server.getClientVersion()),
  }
}

/** Asks a client that takes requests for its roots; undefined where it has none. */
export function askRootsByRequest(server: Server): AskRoots {
  if (!server.getClientCapabilities()?.roots) return undefined
  return async () => (await server.request({ method: 'roots/list' }, { timeout: rootsTimeoutMs })).roots
}

/** For clients that get questions as results. */
export function createRoundsVoice(
  request: ServerContext['mcpReq'],
  rounds: Rounds,
  questionTimeoutMs: number,
): ClientVoice {
  const capabilities = capabilitiesOf(request)
  const ask = async (form: ElicitRequestFormParams, signal: AbortSignal) => {
    const asked = { method: 'elicitation/create', params: { ...form, mode: 'form' } } as const
    return parseForm(await rounds.ask(asked, questionTimeoutMs, signal))
  }
  const askRoots = async () => parseRootList(await rounds.ask({ method: 'roots/list' }, rootsTimeoutMs))
  return {
    ...(offersForms(capabilities) && { ask }),
    askRoots: capabilities?.roots && askRoots,
    by: nameClient(readEnvelope<Implementation>(request, CLIENT_INFO_META_KEY)),
  }
}

/** Asks nothing, where a request can't: only says whether there are roots to be asked for later. */
export function putOffRoots(request: ServerContext['mcpReq']): AskRoots {
  return capabilitiesOf(request)?.roots && 'later'
}

function capabilitiesOf(request: ServerContext['mcpReq']): ClientCapabilities | undefined {
  return readEnvelope<ClientCapabilities>(request, CLIENT_CAPABILITIES_META_KEY)
}

// The library checked it, and gives it without its type.
function readEnvelope<Value>({ envelope }: ServerContext['mcpReq'], key: string): Value | undefined {
  return (envelope as Readonly<Record<string, Value | undefined>> | undefined)?.[key]
}

function nameClient(client: Implementation | undefined): string {
  return `mcp:${client?.name ?? 'unknown'}`
}

// A bare `elicitation: {}` means forms: it is from before there was another kind.
function offersForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

const noAnswer: readonly SdkErrorCode[] = [SdkErrorCode.RequestTimeout, SdkErrorCode.ConnectionClosed]

async function untilTimeout(answer: Promise<FormAnswer>): Promise<FormAnswer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof SdkError && noAnswer.includes(error.code)) return undefined
    throw error
  }
}

// What comes back in a later round was checked by nobody yet.
function parseForm(value: unknown): FormAnswer | undefined {
  if (!isRecord(value)) return undefined
  const { action, content } = value
  if (action !== 'accept' && action !== 'decline') return undefined
  return { action, ...(isRecord(content) && { content }) }
}

function parseRootList(value: unknown): readonly { readonly uri: string }[] {
  if (!isRecord(value) || !Array.isArray(value.roots)) throw new Error('it sent no list of roots')
  return value.roots.filter((root): root is { uri: string } => isRecord(root) && typeof root.uri === 'string')
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
