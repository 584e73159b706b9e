// Is a server that was just started ready? By a line of its output, a port that it listens on, or an answer to a request.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ToolFailure } from '@deckhand/core'
import type { CommandOptions, Job } from '@deckhand/process'
import type { Ready } from '../shell/schema.ts'
import { type Condition, hasLine } from './wait-for-job.ts'

/** From a job and where it runs to a condition that is met when all that was asked for has come true, in any order. */
export type Readiness = (job: Job, where: CommandOptions['sandbox']) => Condition

/** Throws ToolFailure for what can't be asked, before anything is started. */
export function planReadiness({ pattern, port, url }: Ready): Readiness {
  const line = pattern === undefined ? [] : [hasLine(pattern, 0)]
  const target = url === undefined ? [] : [{ url, ...parseTarget(url) }]
  return (job, where) => {
    const conditions = [
      ...line,
      ...(port === undefined ? [] : [() => listensOn(job, port)]),
      ...target.map(each => () => answers(each, where)),
    ].map(keepMet)
    return async facts => {
      const met = await Promise.all(conditions.map(condition => condition(facts)))
      return met.every(words => words !== undefined) ? met.join(', ') : undefined
    }
  }
}

// What has come true once is not asked again.
function keepMet(condition: Condition): Condition {
  let met: string | undefined
  return async facts => {
    met ??= await condition(facts)
    return met
  }
}

function listensOn(job: Job, port: number): string | undefined {
  const isThere = job.listProcesses().some(({ listeningPorts }) => listeningPorts.includes(port))
  return isThere ? `it listens on ${port}` : undefined
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/

function parseTarget(address: string): Target {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' || !loopback.test(url.hostname))
    throw new ToolFailure(
      'invalid-input',
      `ready.url must be an http address of this machine, such as http://localhost:3000/, and not ${address}; nothing was run.`,
    )
  const host = url.hostname === '0.0.0.0' ? '127.0.0.1' : url.hostname.replace(/[[\]]/g, '')
  return { host, port: url.port || '80', path: url.pathname + url.search, name: url.host }
}

async function answers(
  { url, ...target }: Target & { readonly url: string },
  where: CommandOptions['sandbox'],
): Promise<string | undefined> {
  const status = await requestStatus(target, where)
  return status === undefined ? undefined : `${url} answers with ${status}`
}

interface Target {
  readonly host: string
  readonly port: string
  readonly path: string
  readonly name: string
}

// By a small program, as in a sandbox there is a network of its own, in which we are not.
const request = `exec 3<>"/dev/tcp/$1/$2" && printf 'GET %s HTTP/1.0\\r\\nHost: %s\\r\\n\\r\\n' "$3" "$4" >&3 && IFS= read -r -t 2 line <&3 && printf %s "$line"`
const longestMs = 3000

async function requestStatus(
  { host, port, path, name }: Target,
  where: CommandOptions['sandbox'],
): Promise<string | undefined> {
  const argv = ['bash', '--norc', '--noprofile', '-c', request, 'bash', host, port, path, name] as const
  const answer = await runQuietly([...argv], where)
  return /^HTTP\/[\d.]+ (\d{3})/.exec(answer)?.[1]
}

async function runQuietly(argv: readonly [string, ...string[]], where: CommandOptions['sandbox']): Promise<string> {
  const start = await where?.sandbox.enter(argv, '/', where.policy)
  const [program, ...args] = start?.argv ?? argv
  const child = spawn(program, args, {
    cwd: '/',
    env: { PATH: process.env.PATH, ...start?.environment },
    stdio: ['ignore', 'pipe', 'ignore', ...(start?.descriptors ?? [])],
    timeout: longestMs,
  })
  const ended = once(child, 'close').catch(() => undefined)
  let answer = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    answer += chunk.toString()
  })
  await ended
  start?.hasStarted()
  return answer
}
