import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfigJsonSchema } from './config-actions.ts'
import { hideSecrets } from './hide-secrets.ts'

interface SchemaNode {
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | boolean
}

function listFields(node: SchemaNode, place: string): [string, SchemaNode][] {
  const own = Object.entries(node.properties ?? {}).flatMap(([key, inner]): [string, SchemaNode][] => {
    const at = place === '' ? key : `${place}.${key}`
    return [[at, inner], ...listFields(inner, at)]
  })
  const more = typeof node.additionalProperties === 'object' ? listFields(node.additionalProperties, `${place}.*`) : []
  return [...own, ...more]
}

test('the JSON Schema has every section, forbids unknown keys, and says a sentence about each field', () => {
  const schema = createConfigJsonSchema() as SchemaNode
  assert.deepEqual(Object.keys(schema.properties ?? {}), [
    '$schema',
    'model',
    'mode',
    'provider',
    'permission',
    'instructions',
    'plugins',
    'agent',
    'shell',
    'jobs',
    'sandbox',
    'limits',
    'retry',
  ])
  assert.equal(schema.additionalProperties, false)
  const fields = listFields(schema, '').filter(([place]) => !/\.(modalities|limit|cost)\./.test(place))
  assert.deepEqual(
    fields.filter(([, { description }]) => description === undefined).map(([place]) => place),
    [],
  )
  assert.equal(schema.properties?.shell?.properties?.timeoutMs?.default, 120_000)
})

test('secrets are hidden by name, in headers and in addresses; references and other values are not', () => {
  assert.deepEqual(
    hideSecrets({
      apiKey: 'sk',
      access_token: 'x',
      maxTokens: 5,
      env: ['A_KEY'],
      headers: { any: 'v', ref: '{env:V}' },
      secretKey: '{file:~/k}',
      url: 'https://u@h/p?token=t&y=2',
      note: 'plain',
    }),
    {
      apiKey: '(hidden)',
      access_token: '(hidden)',
      maxTokens: 5,
      env: ['A_KEY'],
      headers: { any: '(hidden)', ref: '{env:V}' },
      secretKey: '{file:~/k}',
      url: 'https://(hidden)@h/p?token=(hidden)&y=2',
      note: 'plain',
    },
  )
})
