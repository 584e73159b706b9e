import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Config, configSchema } from '../config/config-schema.ts'
import { resolveAgent } from './agent-choice.ts'

function createConfig(agent: unknown): Config {
  return configSchema.parse({ agent })
}

function createContext(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'deckhand-agent-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return { env: { TONE: 'Be brief.' }, home: directory, directory }
}

test('without a name it is the agent "build", with what the configuration says of it', async t => {
  const context = createContext(t)
  assert.deepEqual(await resolveAgent(undefined, createConfig({}), context), { name: 'build' })
  assert.deepEqual(await resolveAgent('build', createConfig({ build: { maxSteps: 3 } }), context), {
    name: 'build',
    maxSteps: 3,
  })
})

test("core.opencode_compat: files and variables that an agent's prompt refers to are put in", async t => {
  const context = createContext(t)
  writeFileSync(join(context.directory, 'review.txt'), 'You review.\n')
  const config = createConfig({ review: { prompt: '{file:review.txt} {env:TONE}', model: 'a/b' } })
  assert.deepEqual(await resolveAgent('review', config, context), {
    name: 'review',
    prompt: 'You review. Be brief.',
    model: 'a/b',
  })
})

test("a prompt's file that is not there is told with its place", async t => {
  const context = createContext(t)
  await assert.rejects(resolveAgent('review', createConfig({ review: { prompt: '{file:none.txt}' } }), context), {
    name: 'ConfigError',
    message: `agent.review.prompt refers to the file none.txt, which can't be read: ENOENT: no such file or directory, open '${context.directory}/none.txt'.`,
  })
})

test('an agent that is not there is told with close names', async t => {
  const context = createContext(t)
  const config = createConfig({ review: {} })
  await assert.rejects(resolveAgent('reveiw', config, context), {
    message: 'There is no agent "reveiw"; did you mean review? Agents are made in "agent" of deckhand.json.',
  })
  await assert.rejects(resolveAgent('toString', config, context), {
    message: 'There is no agent "toString". There is: build, review. Agents are made in "agent" of deckhand.json.',
  })
})
