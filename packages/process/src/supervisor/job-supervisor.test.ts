import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createChildEnvironment } from '../command/child-environment.ts'
import { waitFor } from '../command/fixtures/test-runner.ts'
import { createRunResources } from '../command/run-resources.ts'
import type { Job } from './job.ts'
import { createJobSupervisor, type JobPlan, type SupervisorOptions } from './job-supervisor.ts'

function createTestJobs(options: Partial<SupervisorOptions> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'deckhand-jobs-'))
  const create = () => {
    const resources = createRunResources({ temporaryDirectory: join(root, 'run') })
    const supervisor = createJobSupervisor({ resources, directory: join(root, 'jobs'), ...options })
    return { resources, supervisor, jobs: supervisor.open('ses_1') }
  }
  const first = create()
  const { environment } = createChildEnvironment(process.env)
  return {
    ...first,
    root,
    createAnother: create,
    async bash(command: string, plan: Partial<JobPlan> = {}): Promise<Job> {
      const start = { argv: ['bash', '--noprofile', '--norc', '-c', command] as const, cwd: root, environment }
      const job = await first.jobs.start({
        command,
        cwd: root,
        start: () => ({ ...start, argv: [...start.argv] }),
        ...plan,
      })
      if ('kind' in job) assert.fail(JSON.stringify(job))
      return job
    },
    async [Symbol.asyncDispose]() {
      await first.supervisor.end(500)
      await first.resources.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

const logOf = (job: Job) => readFileSync(job.facts().logPath, 'utf8')

test('shell.native_background: a job runs beside us; its output is in its log from the first byte, its end is known', async () => {
  await using jobs = createTestJobs()
  const job = await jobs.bash('echo one; echo two >&2; echo three > /dev/stderr; exit 3')
  assert.equal(job.id, 'job-1')
  await job.ended
  assert.equal(logOf(job), 'one\ntwo\nthree\n')
  assert.deepEqual(job.facts().end, { kind: 'exited', code: 3 })
  const second = await jobs.bash('kill -9 $$')
  await second.ended
  assert.deepEqual(second.facts().end, { kind: 'killed', signal: 'SIGKILL' })
  assert.deepEqual(
    jobs.jobs.list().map(({ id }) => id),
    ['job-1', 'job-2'],
  )
})

test('shell.sigterm_escalation: a job is stopped with all that it started; what it took is told', async () => {
  await using jobs = createTestJobs()
  const job = await jobs.bash(`trap '' TERM; (trap '' TERM; setsid sleep 60) & echo up; sleep 60; sleep 60`)
  await waitFor(() => logOf(job) === 'up\n', 'the first line')
  const stopped = await job.stop('request', 200)
  assert.deepEqual(stopped, { wasRunning: true, signals: ['SIGTERM', 'SIGKILL'], survivors: [] })
  await job.ended
  assert.deepEqual(job.facts().end, {
    kind: 'stopped',
    cause: 'request',
    signals: ['SIGTERM', 'SIGKILL'],
    survivors: [],
  })
  assert.deepEqual(job.listProcesses(), [])
  assert.deepEqual((await job.stop('request', 200)).wasRunning, false)
})

test('shell.native_background: what the shell of a job left running belongs to it', async () => {
  await using jobs = createTestJobs()
  const job = await jobs.bash('sleep 61 & exit 0')
  await job.ended
  assert.deepEqual(
    job.listProcesses().map(({ command }) => command),
    ['sleep 61'],
  )
  assert.equal((await job.stop('request', 500)).wasRunning, true)
  assert.deepEqual(job.facts().end, { kind: 'exited', code: 0 })
})

test('standard input: words and its end reach the job; one that does not read is told', async () => {
  await using jobs = createTestJobs()
  const job = await jobs.bash('read -r a; echo "got $a"; cat', { hasStdin: true })
  const signal = AbortSignal.timeout(10_000)
  assert.deepEqual(await job.input?.write(Buffer.from('hello\nrest\n'), signal), { taken: 11, isClosed: false })
  job.input?.end()
  await job.ended
  assert.equal(logOf(job), 'got hello\nrest\n')
  const deaf = await jobs.bash('sleep 60', { hasStdin: true })
  const written = await deaf.input?.write(Buffer.alloc(1_000_000), AbortSignal.timeout(100))
  assert.ok(written && written.taken >= 4096 && written.taken < 1_000_000 && !written.isClosed, JSON.stringify(written))
})

test('a job on a terminal has a screen that can be read, and takes keys', async () => {
  await using jobs = createTestJobs()
  const command = `test -t 0 -a -t 1 && stty size; printf 'name? '; read -r name; printf '\\e[2J\\e[Hhello %s\\n' "$name"; read -r _`
  const job = await jobs.bash(command, { terminal: { columns: 90, rows: 20 } })
  await waitFor(() => existsSync(job.facts().logPath) && logOf(job).includes('name? '), 'the question')
  assert.equal(await job.terminal?.readScreen(), '20 90\nname?')
  await job.input?.write(Buffer.from('ann\r'), AbortSignal.timeout(5000))
  await waitFor(() => logOf(job).includes('hello ann'), 'the answer')
  assert.equal(await job.terminal?.readScreen(), 'hello ann')
  job.terminal?.resize(40, 10)
  await job.input?.write(Buffer.from('\r'), AbortSignal.timeout(5000))
  await job.ended
  assert.deepEqual(job.facts().end, { kind: 'exited', code: 0 })
})

test('a job that prints without end is ended at its limit, and its log holds no more', async () => {
  await using jobs = createTestJobs({ limits: { maxLogBytes: 100_000 } })
  const job = await jobs.bash('yes')
  await job.ended
  const { end, bytes, logProblem } = job.facts()
  assert.equal(end?.kind === 'stopped' && end.cause, 'log-limit')
  assert.ok(bytes >= 100_000 && bytes <= 100_352, String(bytes))
  assert.equal(logProblem, 'File too large')
})

test('a job that takes too much memory is ended', async () => {
  await using jobs = createTestJobs({ limits: { maxMemoryBytes: 60_000_000 } })
  const job = await jobs.bash(`x=$(head -c 80000000 /dev/zero | tr '\\0' x); sleep 60`)
  await job.ended
  const { end } = job.facts()
  assert.equal(end?.kind === 'stopped' && end.cause, 'memory-limit')
})

test('there are no more jobs at once than the limit, and it is told which run', async () => {
  await using jobs = createTestJobs({ limits: { maxJobs: 1 } })
  const job = await jobs.bash('sleep 60')
  const start = { argv: ['true'] as const, cwd: jobs.root, environment: {} }
  const refused = await jobs.jobs.start({
    command: 'true',
    cwd: jobs.root,
    start: () => ({ ...start, argv: ['true'] }),
  })
  assert.ok('kind' in refused && refused.kind === 'too-many')
  assert.deepEqual(refused.running, [job])
})

test('another run of the program finds the jobs of a session, follows and ends them', async () => {
  await using jobs = createTestJobs()
  const job = await jobs.bash('echo begun; sleep 60')
  await waitFor(() => logOf(job) === 'begun\n', 'the first line')
  const other = jobs.createAnother()
  const [found] = other.jobs.list()
  assert.ok(found)
  const { isFound, end, command, bytes } = found.facts()
  assert.deepEqual(
    { isFound, end, command, bytes },
    { isFound: true, end: undefined, command: 'echo begun; sleep 60', bytes: 6 },
  )
  assert.equal((await found.stop('request', 500)).wasRunning, true)
  await job.ended
  assert.equal(found.facts().end?.kind, 'stopped')
  await other.resources.close()
})

test('jobs are ended with the run, or kept when that is wished', async () => {
  await using jobs = createTestJobs()
  const job = await jobs.bash('sleep 62')
  const { ended, kept } = await jobs.supervisor.end(500)
  assert.deepEqual([ended.map(({ id }) => id), kept], [['job-1'], []])
  assert.deepEqual(job.facts().end, { kind: 'stopped', cause: 'session-end', signals: ['SIGTERM'], survivors: [] })
  await using keeping = createTestJobs({ keepsJobs: true })
  const stays = await keeping.bash('sleep 63')
  assert.deepEqual((await keeping.supervisor.end(500)).kept, [stays])
  assert.equal(stays.facts().end, undefined)
  await stays.stop('request', 500)
})
