import type { Facts } from './facts.ts'

/** What was found in a text; with a `problem` it is not all. */
export interface FollowedCommand {
  readonly facts: Facts
  /** Why it can't be judged, in words for a person. */
  readonly problem?: string
  readonly isEmpty: boolean
}
