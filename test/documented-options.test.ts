// Each option that a file may hold stands in the tables of the documents, with its default.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createScriptJsonSchema } from '@deckhand/agent'
import { createConfigJsonSchema } from '../packages/cli/src/config/config-actions.ts'

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode
  readonly anyOf?: readonly SchemaNode[]
  readonly default?: unknown
}

/** First two cells of each row of a page's tables. */
function readTables(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(import.meta.dirname, '../docs', page), 'utf8')
  const rows = [...text.matchAll(/^\| (.+?) *\| (.*?) *\|/gm)].map(
    ([, first = '', second = '']) => [first, second] as const,
  )
  return new Map(rows.map(([first, second]) => [first.replaceAll('`', ''), second]))
}

/** Dotted names of what may stand in a file; what a person names themselves is NAME. Maps of anything have no inside. */
function listOptions(node: SchemaNode, place = ''): readonly (readonly [string, SchemaNode])[] {
  const named = Object.entries(node.properties ?? {})
  const free = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined
  const inner = free?.properties ? [...named, ['NAME', free] as const] : named
  if (inner.length === 0) return [[place, node]]
  return inner.flatMap(([name, child]) => listOptions(child, place === '' ? name : `${place}.${name}`))
}

const options = listOptions(createConfigJsonSchema() as SchemaNode).filter(([name]) => name !== '$schema')

test('docs/configuration.md names each option with its default', () => {
  const table = readTables('configuration.md')
  const own = options.filter(([name]) => !name.startsWith('provider.'))
  assert.ok(own.length > 15)
  for (const [name, { default: value }] of own) {
    const told = table.get(name)
    assert.ok(told !== undefined, `${name} is not in the table`)
    if (value !== undefined) assert.equal(told, `\`${JSON.stringify(value)}\``, name)
  }
})

test('docs/models.md names each option of a provider and of a model', () => {
  const table = readTables('models.md')
  const ofProvider = options.filter(([name]) => name.startsWith('provider.NAME.'))
  assert.ok(ofProvider.length > 15)
  for (const [name] of ofProvider) {
    const place = name.replace('provider.NAME.', '').replace('models.NAME.', 'models.ID.')
    const [group = '', leaf = ''] = /^models\.ID\.\w+\.\w+$/.test(place) ? split(place) : [place]
    const told = table.get(group)
    assert.ok(told !== undefined, `${place} is not in the table`)
    assert.ok(leaf === '' || told.includes(`\`${leaf}\``), `${place} is not in the row of ${group}`)
  }
})

function split(place: string): readonly string[] {
  const dot = place.lastIndexOf('.')
  return [place.slice(0, dot), place.slice(dot + 1)]
}

test('docs/script.md names each key of a step', () => {
  const table = readTables('script.md')
  const [list] = (createScriptJsonSchema() as SchemaNode).anyOf ?? []
  const keys = Object.keys(list?.items?.properties ?? {})
  assert.ok(keys.includes('say'))
  for (const key of keys) assert.ok(table.has(key), `${key} is not in the table`)
  for (const key of Object.keys(list?.items?.properties?.usage?.properties ?? {}))
    assert.ok(table.get('usage')?.includes(`\`${key}\``), `usage.${key}`)
})
