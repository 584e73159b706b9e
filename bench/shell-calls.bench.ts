import { createDeckhandFixture } from './deckhand-fixture.ts'
import { compareProcesses } from './measure.ts'
import type { Bench } from './result.ts'

const calls = 20

/** A text turn, and a turn of twenty shell calls: what one call costs over a bare `bash -c`, the model request included. */
const bench: Bench = async () => {
  const text = await createDeckhandFixture([{ text: 'Hello there.' }])
  const shell = await createDeckhandFixture([
    ...Array.from({ length: calls }, (_, index) => ({
      calls: [{ tool: 'shell', args: { command: `true # ${index}` } }],
    })),
    { text: 'Done.' },
  ])
  try {
    const figures = await compareProcesses(
      {
        bash: { argv: ['bash', '-c', 'true'] },
        text: { argv: text.argv('hello'), options: text.options },
        shell: { argv: shell.argv('hello'), options: shell.options },
      },
      7,
    )
    const perCall = (figures.shell.wallMs - figures.text.wallMs) / calls
    return [
      {
        name: 'text turn: peak memory',
        figures: `${figures.text.wallMs.toFixed(0)} ms wall, ${figures.text.cpuMs.toFixed(0)} ms cpu`,
        value: figures.text.peakMiB,
        limit: 110,
        unit: 'MiB',
      },
      {
        name: 'shell call: over bare bash -c',
        figures: `${perCall.toFixed(1)} ms a call; bash -c true ${figures.bash.wallMs.toFixed(1)} ms; 20 calls ${figures.shell.wallMs.toFixed(0)} ms, ${figures.shell.peakMiB.toFixed(0)} MiB`,
        value: perCall - figures.bash.wallMs,
        limit: 8,
        unit: 'ms',
      },
    ]
  } finally {
    await text.close()
    await shell.close()
  }
}

export default bench
