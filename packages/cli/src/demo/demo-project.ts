/** The project that `deckhand demo` unpacks: real files, and a test that fails until the bug is mended. */
export const demoFiles: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "tide-table",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  'README.md': `# tide-table

When is the next high water? A small library with one bug in it.
`,
  'src/next-tide.js': `// Gives the first tide after \`now\`, from a list of times in ascending order.
export function nextTide(times, now) {
  return times.find(time => time >= now)
}

// Minutes from \`now\` until \`time\`, both as "HH:MM"; over midnight where needed.
export function minutesUntil(now, time) {
  const [nowHours, nowMinutes] = now.split(':').map(Number)
  const [hours, minutes] = time.split(':').map(Number)
  return (hours - nowHours) * 60 + (minutes - nowMinutes)
}
`,
  'test/next-tide.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minutesUntil, nextTide } from '../src/next-tide.js'

test('the next tide is the first one not before now', () => {
  assert.equal(nextTide(['03:10', '15:42'], '09:00'), '15:42')
})

test('a tide after midnight is counted over midnight', () => {
  assert.equal(minutesUntil('22:30', '03:10'), 280)
})
`,
}

/** What is asked in the demo. */
export const demoPrompt = 'The test of this project fails. Find out why and mend it.'

/**
 * What the scripted model does, request by request, in the form of docs/script.md: the same steps as in a script file.
 * The tools, the permissions, the session and the test runs are real.
 */
export const demoSteps: readonly unknown[] = [
  {
    say: 'I will look at the code and run its tests.',
    call: [{ read: { path: 'src/next-tide.js' } }, { shell: { command: 'node --test' } }],
  },
  {
    say: 'minutesUntil does not count over midnight: 22:30 to 03:10 gives a negative number. A whole day has to be added and the rest taken.',
    call: {
      edit: {
        path: 'src/next-tide.js',
        oldText: '  return (hours - nowHours) * 60 + (minutes - nowMinutes)\n',
        newText:
          '  const difference = (hours - nowHours) * 60 + (minutes - nowMinutes)\n  return (difference + 24 * 60) % (24 * 60)\n',
      },
    },
  },
  { call: { shell: { command: 'node --test' } } },
  {
    say: 'Mended: minutesUntil in src/next-tide.js now counts over midnight. Both tests pass; I changed nothing else.',
  },
]
