import type { NormalisedInput } from '@deckhand/core'
import { quoteForShell } from '@deckhand/process'
import { z } from 'zod'
import { createArgumentNormaliser } from '../workspace/argument-normaliser.ts'

export const readySchema = z
  .object({
    pattern: z.string().min(1).optional().describe('a line of its output matches'),
    port: z.number().int().min(1).max(65535).optional().describe('it listens on it'),
    url: z.string().min(1).optional().describe('http on this machine, answers'),
    withinMs: z.number().positive().optional().describe('30000 unless given'),
  })
  .refine(({ pattern, port, url }) => (pattern ?? port ?? url) !== undefined, {
    error: 'ready needs a pattern, a port or a url',
  })

/** When a job counts as ready: all that is given must come true. */
export type Ready = z.infer<typeof readySchema>

export const shellSchema = z.object({
  command: z.string().min(1),
  workdir: z.string().min(1).optional().describe('folder for this call alone'),
  timeoutMs: z.number().positive().optional(),
  onTimeout: z.enum(['kill', 'background']).optional().describe('background: then it goes on as a job'),
  background: z.boolean().optional().describe('starts a job and returns its id'),
  ready: readySchema.optional().describe('background: wait until then'),
  tty: z.boolean().optional().describe('background: on a terminal, for programs that ask or draw'),
  stdin: z.boolean().optional().describe('background: keep its input open, for job write'),
  leftovers: z.enum(['keep', 'end']).optional().describe('end: what it leaves running is ended with it'),
  shell: z.string().min(1).max(40).optional().describe('name of another shell, with a state of its own'),
  reset: z.boolean().optional().describe('start with a fresh state'),
  description: z.string().optional().describe('what it does, in a few words'),
})

export type ShellInput = z.infer<typeof shellSchema>

const putNamesRight = createArgumentNormaliser({
  names: Object.keys(shellSchema.shape),
  aliases: {
    cmd: 'command',
    script: 'command',
    code: 'command',
    bash: 'command',
    cwd: 'workdir',
    working_directory: 'workdir',
    workingDirectory: 'workdir',
    working_dir: 'workdir',
    workDir: 'workdir',
    directory: 'workdir',
    dir: 'workdir',
    dir_path: 'workdir',
    timeout_ms: 'timeoutMs',
    on_timeout: 'onTimeout',
    run_in_background: 'background',
    is_background: 'background',
    isBackground: 'background',
    pty: 'tty',
    restart: 'reset',
    session: 'shell',
    session_id: 'shell',
    sessionId: 'shell',
  },
  numbers: ['timeoutMs'],
  booleans: ['background', 'tty', 'stdin', 'reset'],
})

/** Puts right how models miscall this tool: other names, a timeout in seconds, a command as a list of words. */
export function normaliseShell(input: Readonly<Record<string, unknown>>): NormalisedInput {
  const { notes: timeNotes, ...timed } = readTimeout(input)
  const { input: named, notes } = putNamesRight(timed.input)
  const { input: joined, notes: listNotes } = joinCommand(named as Record<string, unknown>)
  return { input: joined, notes: [...timeNotes, ...notes, ...listNotes] }
}

type Input = Readonly<Record<string, unknown>>
interface Step {
  readonly input: Input
  readonly notes: readonly string[]
}

const secondsNames = ['timeout_seconds', 'timeoutSeconds', 'timeout_sec', 'timeoutSec', 'timeout_s']

// `timeout` is in milliseconds for some models and in seconds for others: nobody means 120 ms or 60,000 s.
const mostSeconds = 1000

function readTimeout(input: Input): Step {
  const name = ['timeout', ...secondsNames].find(candidate => Object.hasOwn(input, candidate))
  if (name === undefined) return { input, notes: [] }
  const { [name]: given, ...rest } = input
  const value = typeof given === 'string' ? Number.parseFloat(given) : given
  if (typeof value !== 'number' || !Number.isFinite(value) || Object.hasOwn(rest, 'timeoutMs'))
    return { input, notes: [] }
  const isSeconds = name !== 'timeout' || value < mostSeconds
  const timeoutMs = isSeconds ? value * 1000 : value
  return { input: { ...rest, timeoutMs }, notes: [`${name} ${String(given)} was taken as timeoutMs ${timeoutMs}`] }
}

const shells = /^(.*\/)?(bash|sh|zsh|dash)$/

function joinCommand(input: Input): Step {
  const { command } = input
  if (!Array.isArray(command) || !command.every(word => typeof word === 'string')) return { input, notes: [] }
  const [shell = '', option = '', script] = command as string[]
  const isScript = command.length === 3 && shells.test(shell) && /^-[a-z]*c$/.test(option)
  const joined = isScript ? script : command.map(quoteWord).join(' ')
  return { input: { ...input, command: joined }, notes: ['command was taken from a list of words'] }
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word)
}
