// Deckhand itself: what may change its rules may do all else.
import { soleValue } from '../arg.ts'
import { ask, type Call, type Findings, type Program } from './program.ts'

export const deckhandProgram: Program = {
  operands: ['text'],
  options: {
    text: '--mode --model -m --agent -s --session --title --max-steps --timeout --format --scope',
    read: '-C --dir -f --file',
  },
  inspect: inspectDeckhand,
}

const harmless = ['list', 'test', 'log']

function inspectDeckhand(call: Call, found: Findings): void {
  const [command, action] = call.operands.map(soleValue)
  if (call.operands.length > 0 && command === undefined)
    return ask(found, 'what Deckhand is told to do is not known beforehand')
  if (command === 'permission' && !harmless.includes(action ?? '')) ask(found, 'it may change what Deckhand allows')
  if (call.has('--auto --mode')) ask(found, 'it starts an agent that may ask less')
}
