import { markerVariable } from '../command/call-marker.ts'
import { sandboxVariable } from '../sandbox/policy.ts'

/** Matches the names of variables that are not the user's: those in `names` (of a regular expression), and Deckhand's. */
export function matchOwnVariables(...names: readonly string[]): RegExp {
  return new RegExp(`^(${[...names, markerVariable, sandboxVariable].join('|')})$`)
}
