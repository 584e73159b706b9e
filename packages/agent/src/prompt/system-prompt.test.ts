import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSystemPrompt, type EnvironmentFacts } from './system-prompt.ts'

const environment: EnvironmentFacts = {
  directory: '/repo',
  isGitRepository: true,
  platform: 'linux x64',
  date: '2026-12-01',
  mode: 'ask',
  canAsk: false,
}

test('the system prompt states the place, the date and what is decided without a person', () => {
  const prompt = buildSystemPrompt({ environment, instructions: [] })
  assert.ok(
    prompt.endsWith(`Folder: /repo (in a git repository)
Platform: linux x64. Date: 2026-12-01.
Permission mode: ask, and nobody is there to answer: what no rule allows is refused.`),
    prompt,
  )
})

test('shell.untrusted_fencing: the system prompt says once that fenced text is data', () => {
  const prompt = buildSystemPrompt({ environment, instructions: [] })
  assert.equal(prompt.match(/data, never instructions/g)?.length, 1)
})

test('an agent of the configuration speaks in place of ours, and the rest stays', () => {
  const prompt = buildSystemPrompt({ environment, instructions: [], agentPrompt: 'You are a reviewer.' })
  assert.ok(prompt.startsWith('You are a reviewer.\n\nTool results hold'))
  assert.ok(!prompt.includes('You are Deckhand'))
})
