import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeInstructions, findInstructions, type InstructionReader } from './instructions.ts'

function createReader(files: Record<string, string>, globs: Record<string, string[]> = {}): InstructionReader {
  return {
    readFile: async path => (path in files ? Buffer.from(files[path] ?? '') : undefined),
    glob: async pattern => globs[pattern] ?? [],
  }
}

const places = {
  directory: '/repo/a/b',
  root: '/repo',
  globalFile: '/config/AGENTS.md',
  extra: [] as { entry: string; directory: string }[],
}

test('core.agents_md: the global file comes first, then the root’s down to the folder’s, then those of the configuration', async () => {
  const reader = createReader(
    {
      '/config/AGENTS.md': 'global',
      '/repo/AGENTS.md': 'root',
      '/repo/a/b/AGENTS.md': 'folder',
      '/repo/docs/x.md': 'x',
      '/repo/a/b/local.md': 'local',
    },
    { '/repo/docs/*.md': ['/repo/docs/x.md'] },
  )
  const found = await findInstructions(
    { ...places, extra: ['local.md', '/repo/docs/*.md', 'typo.md'].map(entry => ({ entry, directory: '/repo/a/b' })) },
    reader,
  )
  assert.deepEqual(
    found.files.map(file => file.text),
    ['global', 'root', 'folder', 'local', 'x'],
  )
  assert.deepEqual(found.missing, ['typo.md'])
})

test('core.agents_md: a folder outside the root reads its own file only, and an empty file is not told', async () => {
  const reader = createReader({ '/other/AGENTS.md': 'other', '/repo/AGENTS.md': 'root', '/config/AGENTS.md': '' })
  const found = await findInstructions({ ...places, directory: '/other' }, reader)
  assert.deepEqual(
    found.files.map(file => file.path),
    ['/other/AGENTS.md'],
  )
})

test('core.agents_md: a huge file is cut at a character border, and the model is told', async () => {
  const { files } = await findInstructions(places, createReader({ '/repo/AGENTS.md': 'é'.repeat(20_000) }))
  assert.equal(
    describeInstructions(files),
    `# Instructions from the user's files (the later ones count more)\n\n## /repo/AGENTS.md\n${'é'.repeat(16_384)}\n[… 7,232 bytes left out; read the file for the rest]`,
  )
})
