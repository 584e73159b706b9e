import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PermissionDenied, ToolFailure } from '@deckhand/core'
import { describeCallFailure, describeCallResult } from './call-result.ts'

test('text first, images as images, other attachments named; of the facts only what is small', () => {
  const result = describeCallResult({
    title: 'Read a.png, a.pdf',
    output: 'two files',
    metadata: {
      exit: 0,
      truncated: false,
      cwd: 'src',
      output: 'two files',
      diff: 'x'.repeat(201),
      list: [1],
      gone: null,
    },
    attachments: [
      { mime: 'image/png', filename: 'a.png', url: 'data:image/png;base64,AAAA' },
      { mime: 'application/pdf', filename: 'a.pdf', url: 'data:application/pdf;base64,AAAA' },
      { mime: 'image/svg+xml', url: 'data:image/svg+xml,<svg/>' },
    ],
  })
  assert.deepEqual(result, {
    content: [
      { type: 'text', text: 'two files' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'text', text: "(a.pdf, application/pdf, can't be shown over MCP.)" },
      { type: 'text', text: "(An attachment, image/svg+xml, can't be shown over MCP.)" },
    ],
    _meta: { 'deckhand/title': 'Read a.png, a.pdf', 'deckhand/facts': { exit: 0, truncated: false, cwd: 'src' } },
  })
})

test('a failure keeps its words; only a question that nobody could be asked gets the way to allow it', () => {
  const describe = (error: ToolFailure | PermissionDenied) => describeCallFailure(error, 'Allow it so.')
  assert.deepEqual(describe(new ToolFailure('not-found', 'No such file.')), {
    content: [{ type: 'text', text: 'No such file.' }],
    isError: true,
    _meta: { 'deckhand/error': 'not-found' },
  })
  assert.deepEqual(describe(new PermissionDenied('rule', 'A rule says no.')).content, [
    { type: 'text', text: 'A rule says no.' },
  ])
  assert.deepEqual(describe(new PermissionDenied('nobody-to-ask', 'Nobody is here.')).content, [
    { type: 'text', text: 'Nobody is here. Allow it so.' },
  ])
})
