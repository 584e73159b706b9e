import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { ToolFailure } from '../error.ts'
import { createId } from '../id.ts'
import type { Tool, ToolContext } from './tool.ts'
import { ToolSet } from './tool-set.ts'

const context: ToolContext = {
  sessionID: createId('session'),
  callID: 'c',
  signal: new AbortController().signal,
  ask: async () => {},
  evaluate: async () => ({ action: 'allow', parts: [] }),
  report() {},
}

const schema = z.object({ path: z.string().describe('Which file.'), limit: z.number().int().positive().optional() })
const echo: Tool<typeof schema> = {
  name: 'read',
  description: 'Reads a file.',
  schema,
  annotations: {
    title: 'Read',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  normalise: ({ file, ...rest }) =>
    file === undefined
      ? { input: rest, notes: [] }
      : { input: { path: file, ...rest }, notes: ['"file" was taken as "path"'] },
  execute: async input => ({ title: input.path, output: `read ${input.path}`, metadata: {} }),
}
const tools = new ToolSet([echo as unknown as Tool], { cat: 'read' })

test('read.aliased_input: input that was put right is told before the output', async () => {
  const result = await tools.call('read', { file: 'a.ts' }, context)
  assert.equal(result.output, '("file" was taken as "path")\nread a.ts')
})

test('a common other name of a tool is taken, whatever its case', async () => {
  assert.equal((await tools.call('Cat', { path: 'a' }, context)).output, 'read a')
})

test('arguments that come as a JSON text are read', async () => {
  assert.equal((await tools.call('read', '{"path": "b"}', context)).output, 'read b')
})

const failures: readonly [string, string, unknown, string][] = [
  ['an unknown tool', 'reed', {}, 'There is no tool "reed". The tools are: read.'],
  [
    'arguments that are no object',
    'read',
    [1],
    'The input of read must be an object with its arguments; it was a list.',
  ],
  [
    'a wrong argument',
    'read',
    { path: 'a', limit: -1 },
    'The input of read is not valid, so nothing was done. limit: Too small: expected number to be >0.',
  ],
  [
    'a missing argument',
    'read',
    {},
    'The input of read is not valid, so nothing was done. path: Invalid input: expected string, received undefined.',
  ],
]
for (const [what, name, input, message] of failures) {
  test(`the model is told about ${what}`, async () => {
    await assert.rejects(
      tools.call(name, input, context),
      error => error instanceof ToolFailure && error.message === message,
    )
  })
}

test('broken JSON is told in words, and nothing is done', async () => {
  await assert.rejects(
    tools.call('read', '{"path": ', context),
    /^ToolFailure: The arguments of read are not valid JSON \(.*\)\. Nothing was done; send the call again\.$/,
  )
})

test('what a provider is told of a tool is plain JSON Schema', () => {
  assert.deepEqual(tools.specs(), [
    {
      name: 'read',
      description: 'Reads a file.',
      inputSchema: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Which file.' },
          limit: { type: 'integer', exclusiveMinimum: 0 },
        },
        required: ['path'],
      },
    },
  ])
  assert.equal(tools.specs(), tools.specs())
})
