import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createDeckhandFixture } from './deckhand-fixture.ts'
import { compareProcesses } from './measure.ts'
import type { Bench } from './result.ts'

const producer = (bytes: number) => `yes 0123456789abcdefghijklmnopqrstuv | head -c ${bytes}`

/** Large output of one call: its cost over a text turn, against the same through `cat` into a file; and memory. */
const bench: Bench = async () => {
  const large = 1_000_000_000
  const text = await createDeckhandFixture([{ text: 'Hello there.' }])
  const flood = await createDeckhandFixture([
    { calls: [{ tool: 'shell', args: { command: producer(large) } }] },
    { text: 'Done.' },
  ])
  const medium = await createDeckhandFixture([
    { calls: [{ tool: 'shell', args: { command: 'seq 1 5000000' } }] },
    { text: 'Done.' },
  ])
  // Files of a gigabyte that pile up make the system hold back whoever writes next.
  const clear = () => {
    for (const { folder } of [text, flood, medium]) {
      rmSync(join(folder, 'home/data/logs'), { recursive: true, force: true })
      rmSync(join(folder, 'out'), { force: true })
    }
  }
  try {
    const figures = await compareProcesses(
      {
        cat: { argv: ['bash', '-c', `${producer(large)} | cat > ${join(text.folder, 'out')}`], before: clear },
        text: { argv: text.argv('hello'), options: text.options },
        flood: { argv: flood.argv('hello'), options: flood.options, before: clear },
        medium: { argv: medium.argv('hello'), options: medium.options, before: clear },
        seq: { argv: ['bash', '-c', `seq 1 5000000 | cat > ${join(text.folder, 'out')}`] },
      },
      5,
    )
    const extra = figures.flood.wallMs - figures.text.wallMs
    return [
      {
        name: '1 GB of output over `| cat > file`',
        figures: `${extra.toFixed(0)} ms over ${figures.cat.wallMs.toFixed(0)} ms`,
        value: extra / figures.cat.wallMs,
        limit: 1.2,
        unit: 'x',
      },
      {
        name: '1 GB of output: memory over 38.9 MB',
        figures: `${figures.flood.peakMiB.toFixed(0)} MiB over ${figures.medium.peakMiB.toFixed(0)} MiB; a text turn ${figures.text.peakMiB.toFixed(0)} MiB`,
        value: figures.flood.peakMiB - figures.medium.peakMiB,
        limit: 20,
        unit: 'MiB',
      },
      {
        name: '38.9 MB of output over `| cat > file`',
        figures: `${(figures.medium.wallMs - figures.text.wallMs).toFixed(0)} ms over ${figures.seq.wallMs.toFixed(0)} ms`,
        value: (figures.medium.wallMs - figures.text.wallMs) / figures.seq.wallMs,
        limit: 2.5,
        unit: 'x',
      },
    ]
  } finally {
    for (const fixture of [text, flood, medium]) await fixture.close()
  }
}

export default bench
