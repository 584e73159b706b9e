import { type Clock, messageOf, type PermissionAnswerer } from '@deckhand/core'
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { type ClientVoice, createRequestVoice, createRoundsVoice } from './client-voice.ts'
import { createPermissionForm, parseFormAnswer } from './permission-form.ts'
import { createRounds, type Rounds } from './rounds.ts'
import type { SessionHolder } from './session-holder.ts'
import { startToolCall, type ToolCall } from './tool-call.ts'

export interface RunningCallsOptions {
  readonly clock: Clock
  readonly questionTimeoutMs: number
  readonly tell: (line: string) => void
}

/** The parameters of `tools/call`. */
interface CallParams {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>>
}

type Request = ServerContext['mcpReq']

/** The calls of a connection that have not ended. */
export interface RunningCalls {
  /** Puts a permission question to the client in the name of the call that raised it. */
  readonly answerer: PermissionAnswerer
  /** Serves a request of a client that takes requests itself while the call runs. */
  serve(params: CallParams, request: Request, server: Server, holder: SessionHolder): Promise<CallToolResult>
  /** Serves one round for a client that doesn't: gives the result, or what the client is asked before there is one. */
  serveRound(params: CallParams, request: Request, holder: SessionHolder): Promise<CallToolResult | InputRequiredResult>
  /** Aborts all, and waits until they have ended. */
  end(reason: string): Promise<void>
}

interface RunningCall extends ToolCall {
  readonly rounds?: Rounds
}

/** How long the result of a call waits for a client that was asked something and has not come back yet. */
const keptForMs = 5 * 60_000

/** Makes it; no call runs yet. */
export function createRunningCalls({ clock, questionTimeoutMs, tell }: RunningCallsOptions): RunningCalls {
  const calls = new Map<string, RunningCall>()
  const ended = new AbortController()

  function start(params: CallParams, voice: ClientVoice, holder: SessionHolder, rounds?: Rounds): RunningCall {
    const { name, arguments: input = {} } = params
    const call = { ...startToolCall({ name, input, holder, clock, tell }, voice), rounds }
    calls.set(call.id, call)
    const forget = () => forgetOnceFetched(call)
    call.result.then(forget, forget)
    return call
  }

  // One that ended between two rounds (its question expired, or another answer settled it) is kept for the next round.
  async function forgetOnceFetched(call: RunningCall): Promise<void> {
    if (!call.isAttached()) await clock.sleep(keptForMs, ended.signal).catch(() => undefined)
    calls.delete(call.id)
  }

  function startRounds(params: CallParams, request: Request, holder: SessionHolder): Required<RunningCall> {
    const rounds = createRounds(clock)
    return { ...start(params, createRoundsVoice(request, rounds, questionTimeoutMs), holder, rounds), rounds }
  }

  // The call goes on as it was asked for: what else the repeated request says is not looked at.
  function resume(state: unknown, answers: Readonly<Record<string, unknown>>): Required<RunningCall> {
    const call = typeof state === 'string' ? calls.get(state) : undefined
    if (!call?.rounds) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState')
    call.rounds.answer(answers)
    return { ...call, rounds: call.rounds }
  }

  return {
    async answerer(_, question, verdict, signal) {
      const voice = calls.get(question.callID)?.voice
      if (!voice?.ask) return { reply: 'unanswered', why: 'nobody-to-ask' }
      try {
        return parseFormAnswer(await voice.ask(createPermissionForm(question, verdict), signal), voice.by)
      } catch (error) {
        if (!signal.aborted) tell(`the client could not ask its user: ${messageOf(error)}`)
        return { reply: 'unanswered', why: 'nobody-to-ask' }
      }
    },
    serve(params, request, server, holder) {
      const call = start(params, createRequestVoice(server, request.send, questionTimeoutMs), holder)
      call.attach(request)
      return call.result
    },
    async serveRound(params, request, holder) {
      const state = request.requestState()
      const call =
        state === undefined ? startRounds(params, request, holder) : resume(state, request.inputResponses ?? {})
      call.attach(request)
      const question = call.rounds.next().then(inputRequests => {
        call.detach()
        return inputRequired({ inputRequests: { ...inputRequests }, requestState: call.id })
      })
      return Promise.race([call.result, question])
    },
    async end(reason) {
      const all = [...calls.values()]
      for (const call of all) {
        call.abort(reason)
        call.rounds?.giveUp()
      }
      ended.abort()
      await Promise.allSettled(all.map(call => call.result))
    },
  }
}
