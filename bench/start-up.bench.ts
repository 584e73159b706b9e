import { deckhand } from './deckhand-fixture.ts'
import { compareProcesses } from './measure.ts'
import type { Bench } from './result.ts'

/** `--version` against a Node that does nothing. */
const bench: Bench = async () => {
  const { node, version } = await compareProcesses(
    { node: { argv: [process.execPath, '-e', '0'] }, version: { argv: [...deckhand, '--version'] } },
    15,
  )
  return [
    {
      name: 'start-up: --version over node -e 0',
      figures: `${version.wallMs.toFixed(0)} ms over ${node.wallMs.toFixed(0)} ms`,
      value: version.wallMs / node.wallMs,
      limit: 1.7,
      unit: 'x',
    },
  ]
}

export default bench
