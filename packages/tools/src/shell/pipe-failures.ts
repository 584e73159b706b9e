import type { Decider } from './command-shape.ts'
import { explainBenignExit } from './exit-meaning.ts'

/** A command of a pipe, not its last, that failed: the code of the pipe does not say so. */
export interface PipeFailure {
  /** Its name; undefined where the text does not tell. */
  readonly name: string | undefined
  /** Its place, from 1. */
  readonly place: number
  readonly code: number
}

// A command whose reader has ended (`yes | head`) is ended by SIGPIPE, as it should be.
const brokenPipe = 141

/**
 * Those of the pipe that ran last whose failure the pipe's own code hides. `stages` are its commands by the text, where
 * they are known.
 */
export function findPipeFailures(
  codes: readonly number[],
  stages: readonly (Decider | undefined)[] | undefined,
): readonly PipeFailure[] {
  const known = stages?.length === codes.length ? stages : undefined
  return codes.slice(0, -1).flatMap((code, index) => {
    const stage = known?.[index]
    const isFine =
      code === 0 || code === brokenPipe || (stage && explainBenignExit(code, [stage], undefined) !== undefined)
    if (isFine) return []
    const name = stage?.kind === 'words' ? stage.words[0] : undefined
    return [{ name, place: index + 1, code }]
  })
}

const places = ['first', 'second', 'third', 'fourth', 'fifth']

/** In words: `cargo, the first command of the pipe, failed with exit 101`. */
export function describePipeFailures(failures: readonly PipeFailure[]): string {
  return failures
    .map(({ name, place, code }) => {
      const which = `the ${places[place - 1] ?? `${place}th`} command of the pipe`
      return name === undefined ? `${which} failed with exit ${code}` : `${name}, ${which}, failed with exit ${code}`
    })
    .join('; ')
}
