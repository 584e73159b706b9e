import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createDeckhandFixture, type DeckhandFixture } from './deckhand-fixture.ts'
import { compareProcesses, type Measure } from './measure.ts'
import type { Bench, BenchResult } from './result.ts'

/** A gigabyte from a program that makes its lines, and from the two that fill a pipe faster than anything else. */
const program = `perl -e 'for (1 .. 12_000_000) { print "line $_ of a program that prints many lines of a usual length, as this one is\\n" }'`
const hose = 'yes 0123456789abcdefghijklmnopqrstuv | head -c 1000000000'
const medium = 'seq 1 5000000'

const openCall = (command: string) =>
  createDeckhandFixture([{ calls: [{ tool: 'shell', args: { command } }] }, { text: 'Done.' }])

/** Large output of one call: its cost over a text turn, against the same through `cat` into a file; and memory. */
const bench: Bench = async () => {
  const fixtures = {
    text: await createDeckhandFixture([{ text: 'Hello there.' }]),
    program: await openCall(program),
    hose: await openCall(hose),
    medium: await openCall(medium),
  }
  const out = join(fixtures.text.folder, 'out')
  // Files of a gigabyte that pile up make the system hold back whoever writes next.
  const before = () => {
    for (const { folder } of Object.values(fixtures))
      rmSync(join(folder, 'home/data/logs'), { recursive: true, force: true })
    rmSync(out, { force: true })
  }
  const turn = ({ argv, options }: DeckhandFixture) => ({ argv: argv('hello'), options, before })
  const plain = (command: string) => ({ argv: ['bash', '-c', `${command} | cat > ${out}`] as const, before })
  try {
    const figures = await compareProcesses(
      {
        text: turn(fixtures.text),
        program: turn(fixtures.program),
        plainProgram: plain(program),
        hose: turn(fixtures.hose),
        plainHose: plain(hose),
        medium: turn(fixtures.medium),
        plainMedium: plain(medium),
      },
      7,
    )
    const compare = (name: string, { wallMs }: Measure, plainly: Measure, limit: number): BenchResult => {
      const extraMs = wallMs - figures.text.wallMs
      return {
        name: `${name} over \`| cat > file\``,
        figures: `${extraMs.toFixed(0)} ms over ${plainly.wallMs.toFixed(0)} ms`,
        value: extraMs / plainly.wallMs,
        limit,
        unit: 'x',
      }
    }
    return [
      compare('1 GB of lines of a program', figures.program, figures.plainProgram, 1.2),
      compare('1 GB of `yes | head -c`', figures.hose, figures.plainHose, 1.5),
      compare('38.9 MB of output', figures.medium, figures.plainMedium, 2.5),
      {
        name: '1 GB of output: memory over 38.9 MB',
        figures: `${figures.hose.peakMiB.toFixed(0)} MiB over ${figures.medium.peakMiB.toFixed(0)} MiB; a text turn ${figures.text.peakMiB.toFixed(0)} MiB`,
        value: figures.hose.peakMiB - figures.medium.peakMiB,
        limit: 20,
        unit: 'MiB',
      },
    ]
  } finally {
    for (const fixture of Object.values(fixtures)) await fixture.close()
  }
}

export default bench
