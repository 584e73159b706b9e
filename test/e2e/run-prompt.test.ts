// What the model is handed: the words, attached files, the folder. A server keeps the requests.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ModelServer, startModelServer } from '../model-server/model-server.ts'
import { createTestFolder, parseLines, runDeckhand } from './deckhand-process.ts'

const folder = createTestFolder()
let server: ModelServer
before(async () => {
  server = await startModelServer({ handler: () => ({ text: 'OK' }) })
  const options = { baseURL: `${server.url}/v1`, apiKey: 'none' }
  folder.configure({ provider: { test: { options, models: { vision: { attachment: true } } } } })
})
after(async () => {
  await server.close()
  folder.remove()
})

type Content =
  | string
  | readonly { readonly type: string; readonly text?: string; readonly image_url?: { url: string } }[]

/** Runs the program, and gives what stood in the last message of the user. */
async function send(...args: string[]): Promise<{ readonly content: Content; readonly texts: string }> {
  const { code, stderr } = await runDeckhand(['run', '--quiet', ...args], folder.options)
  assert.equal(code, 0, stderr)
  const content = server.requests.at(-1)?.body.messages?.findLast(({ role }) => role === 'user')?.content as Content
  const texts = typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n')
  return { content, texts }
}

test('core.headless: words reach the model as they were typed, without quotes around them', async () => {
  assert.equal((await send('two words', 'and "more"')).content, 'two words and "more"')
  assert.equal((await send('--', '--help', '-x')).content, '--help -x')
})

test('core.opencode_compat: several files are attached, text as the read tool shows it and an image as an image', async () => {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
  writeFileSync(join(folder.workspace, 'dot.png'), Buffer.from(dot, 'base64'))
  folder.write('sub folder/three.txt', 'one\ntwo\nthree\n')
  const { content, texts } = await send('--file', 'dot.png', '--file', 'sub folder/three.txt', '--', 'what is this?')
  assert.ok(Array.isArray(content))
  assert.equal(content[0]?.text, 'what is this?')
  assert.match(texts, /Attached by the user:\n[^\n]*three\.txt[\s\S]*\n1\| one\n2\| two\n3\| three\n/)
  const images = content.filter(({ type }) => type === 'image_url')
  assert.deepEqual(
    images.map(({ image_url: image }) => image?.url),
    [`data:image/png;base64,${dot}`],
  )
})

test('core.headless: files alone are a prompt', async () => {
  folder.write('task.md', 'Say OK.\n')
  assert.match((await send('--file', 'task.md')).texts, /^Attached by the user:\n[\s\S]*1\| Say OK\./)
})

test('core.headless: --dir is where the work is done, and where files of --file are not looked for', async () => {
  const elsewhere = join(folder.path, 'elsewhere')
  mkdirSync(elsewhere)
  folder.write('here.txt', 'here\n')
  const model = folder.script([{ call: { shell: { command: 'pwd' } } }, { expect: elsewhere, say: 'OK' }])
  const args = ['run', '--auto', '--format', 'json', '--dir', elsewhere, '--file', 'here.txt', '--model', model, 'go']
  const { code, stdout } = await runDeckhand(args, folder.options)
  assert.equal(code, 0, stdout)
  assert.equal(parseLines(stdout)[0]?.directory, elsewhere)
})
