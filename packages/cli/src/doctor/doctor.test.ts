import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeChecks } from './doctor.ts'

test('a check is a line, with what to do below it, and text of several lines stays in its column', () => {
  assert.equal(
    describeChecks([
      { name: 'node', status: 'ok', found: 'v24.0.0' },
      { name: 'ripgrep', status: 'broken', found: 'It does not run:\nno such file', fix: 'Install it.\nOr not.' },
      { name: 'git', status: 'missing', found: 'git is not on PATH', fix: 'Install git.' },
    ]),
    `✓ node     v24.0.0
✗ ripgrep  It does not run:
           no such file
           Install it.
           Or not.
– git      git is not on PATH
           Install git.
`,
  )
})
