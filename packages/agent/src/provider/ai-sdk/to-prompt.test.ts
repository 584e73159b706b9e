import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ModelFile, ModelMessage } from '../contract.ts'
import { toPrompt } from './to-prompt.ts'

const facts = {
  dialect: { imagesInToolResults: true, errorFlag: true, cacheMarks: false },
  acceptsImages: true,
  sendsReasoning: true,
}
const prompt = (messages: readonly ModelMessage[], more = {}) =>
  toPrompt({ system: '', messages }, { ...facts, ...more })
const file = (mime: string, url: string, filename?: string): ModelFile => ({ type: 'file', mime, url, filename })
const user = (...content: Extract<ModelMessage, { role: 'user' }>['content']): ModelMessage => ({
  role: 'user',
  content,
})

describe('messages to a prompt', () => {
  it('what is empty is left out', () => {
    const messages: ModelMessage[] = [
      user({ type: 'text', text: '' }),
      { role: 'assistant', content: [{ type: 'text', text: '' }] },
      { role: 'tool', content: [] },
    ]
    assert.deepEqual(prompt(messages), [])
  })

  it('user messages in a row become one', () => {
    assert.deepEqual(prompt([user({ type: 'text', text: 'a' }), user({ type: 'text', text: 'b' })]), [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ])
  })

  it('files: text is inlined, PDF and images are sent, others are told', () => {
    const content = [
      file('text/plain', 'data:text/plain;base64,aMO2', 'a.txt'),
      file('text/plain', 'data:,h%C3%B6'),
      file('application/pdf', 'data:application/pdf;base64,JVBERg==', 'b.pdf'),
      file('IMAGE/PNG', 'data:image/png;base64,iVBO'),
      file('audio/wav', 'data:audio/wav;base64,AAAA', 'c.wav'),
      file('image/png', 'https://example.test/x.png', 'd.png'),
    ]
    assert.deepEqual(prompt([user(...content)])[0]?.content, [
      { type: 'text', text: 'hö' },
      { type: 'text', text: 'hö' },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: 'JVBERg==' }, filename: 'b.pdf' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBO' } },
      { type: 'text', text: '(c.wav (audio/wav) was not sent: the provider takes images and PDF.)' },
      { type: 'text', text: "(d.png (image/png) was not sent: its data can't be read.)" },
    ])
  })

  it('tool input is always an object', () => {
    const inputs = [{ a: 1 }, '{"a":1}', '', undefined, 'no json', [1], null]
    const messages: ModelMessage[] = [
      {
        role: 'assistant',
        content: inputs.map((input, index) => ({ type: 'tool-call', callID: `c${index}`, tool: 't', input })),
      },
    ]
    const content = prompt(messages)[0]?.content
    assert.ok(Array.isArray(content))
    assert.deepEqual(
      content.map(part => 'input' in part && part.input),
      [{ a: 1 }, { a: 1 }, {}, {}, { rawInvalidInput: 'no json' }, { rawInvalidInput: [1] }, { rawInvalidInput: null }],
    )
  })

  it('reasoning is left out for a service that refuses it', () => {
    const content = [
      { type: 'reasoning' as const, text: 'Hm.' },
      { type: 'text' as const, text: 'So.' },
    ]
    const sent = prompt([{ role: 'assistant', content }], { sendsReasoning: false })
    assert.deepEqual(sent[0]?.content, [{ type: 'text', text: 'So.' }])
  })

  it('metadata goes back under the name of its provider', () => {
    const metadata = { anthropic: { signature: 's' } }
    const messages: ModelMessage[] = [{ role: 'assistant', content: [{ type: 'reasoning', text: '', metadata }] }]
    assert.deepEqual(prompt(messages)[0]?.content, [{ type: 'reasoning', text: '', providerOptions: metadata }])
  })
})
