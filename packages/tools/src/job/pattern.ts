import { createContext, Script } from 'node:vm'
import { ToolFailure } from '@deckhand/core'

/** Tests texts against a regular expression that somebody else wrote. */
export interface Pattern {
  /** The first line of the text that matches, or undefined. Throws ToolFailure when it takes too long to tell. */
  findLine(text: string): string | undefined
}

const longestMs = 200

/** Throws ToolFailure for one that is no regular expression. */
export function createPattern(source: string): Pattern {
  assertExpression(source)
  const sandbox = createContext({ source, text: '' })
  // Here and not in our own code, as only a script can be stopped when an expression backtracks without end.
  const script = new Script(`text.split(/\\r?\\n|\\r/).find(line => expression.test(line))`)
  new Script('var expression = new RegExp(source)').runInContext(sandbox)
  return {
    findLine(text) {
      sandbox.text = text
      try {
        return script.runInContext(sandbox, { timeout: longestMs }) as string | undefined
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
        throw new ToolFailure('invalid-input', `The pattern ${source} takes too long to test; write a simpler one.`)
      }
    },
  }
}

function assertExpression(source: string): void {
  try {
    new RegExp(source)
  } catch (error) {
    const why = (error as Error).message
    throw new ToolFailure(
      'invalid-input',
      `The pattern is no regular expression: ${why}. Escape ( [ { * + ? . with \\.`,
    )
  }
}
