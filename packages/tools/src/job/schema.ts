import { z } from 'zod'
import { readySchema } from '../shell/schema.ts'
import { createArgumentNormaliser } from '../workspace/argument-normaliser.ts'

const jobActions = ['list', 'output', 'wait', 'write', 'resize', 'signal', 'stop', 'restart', 'start'] as const
export type JobAction = (typeof jobActions)[number]

export const jobSchema = z.object({
  action: z.enum(jobActions),
  id: z.string().min(1).optional().describe('such as job-1'),
  cursor: z.number().int().min(0).optional().describe('output, wait: only what came after it'),
  lines: z.number().int().positive().optional().describe('output: so many lines'),
  from: z.enum(['start', 'end']).optional().describe('output: of its start or its end (default)'),
  grep: z.string().min(1).optional().describe('output: only lines that match this regular expression'),
  context: z.number().int().min(0).max(100).optional().describe('grep: lines around each match'),
  view: z.enum(['screen']).optional().describe('output: what the terminal of the job shows now'),
  mode: z.enum(['now', 'output', 'pattern', 'exit']).optional().describe('wait: for what; default exit'),
  pattern: z.string().min(1).optional().describe('wait: a regular expression'),
  timeoutMs: z.number().min(0).optional().describe('wait, write: at most so long'),
  text: z.string().optional().describe('write: goes to its input as it is; a line needs its \\n'),
  keys: z.array(z.string()).optional().describe('write, after the text: enter, tab, escape, up, ctrl-c, …'),
  eof: z.boolean().optional().describe('write: end of its input'),
  columns: z.number().int().min(1).max(1000).optional(),
  rows: z.number().int().min(1).max(1000).optional(),
  signal: z.string().optional().describe('such as SIGHUP'),
  command: z.string().min(1).optional().describe('start: as in shell with background'),
  workdir: z.string().min(1).optional(),
  description: z.string().optional(),
  tty: z.boolean().optional(),
  stdin: z.boolean().optional(),
  ready: readySchema.optional(),
})

export type JobInput = z.infer<typeof jobSchema>

/** Puts right how models miscall this tool. */
export const normaliseJob = createArgumentNormaliser({
  names: Object.keys(jobSchema.shape),
  aliases: {
    job: 'id',
    jobId: 'id',
    job_id: 'id',
    bash_id: 'id',
    shell_id: 'id',
    task_id: 'id',
    session_id: 'id',
    input: 'text',
    chars: 'text',
    data: 'text',
    filter: 'grep',
    offset: 'cursor',
    since: 'cursor',
    until: 'mode',
    timeout: 'timeoutMs',
    timeout_ms: 'timeoutMs',
    tail: 'lines',
    cols: 'columns',
    cmd: 'command',
    cwd: 'workdir',
  },
  numbers: ['cursor', 'lines', 'context', 'timeoutMs', 'columns', 'rows'],
  booleans: ['eof', 'tty', 'stdin'],
  lists: ['keys'],
})
