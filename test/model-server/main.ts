// Runs the model server as a program, for benches and for driving other agents:
//   node test/model-server/main.ts STEPS.json [--port N] [--by history] [--side TEXT] [--log FILE] [--repeat-last]
// STEPS.json is a list of steps (step.ts). Prints its address as the first line; --log appends a JSON line per request.
import { appendFileSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startModelServer } from './model-server.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string' },
    by: { type: 'string' },
    side: { type: 'string' },
    log: { type: 'string' },
    'repeat-last': { type: 'boolean' },
  },
})
const file = positionals[0]
if (file === undefined) {
  console.error('usage: main.ts STEPS.json [--port N] [--by history] [--side TEXT] [--log FILE] [--repeat-last]')
  process.exit(2)
}
const { log } = values
const server = await startModelServer({
  steps: JSON.parse(readFileSync(file, 'utf8')),
  by: values.by === 'history' ? 'history' : 'order',
  repeatLast: values['repeat-last'],
  port: Number(values.port ?? 0),
  side: values.side === undefined ? undefined : { text: values.side },
  onRequest: request => {
    if (log !== undefined) appendFileSync(log, `${JSON.stringify(request)}\n`)
  },
})
console.log(server.url)
