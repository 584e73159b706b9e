import { ToolFailure } from '@deckhand/core'
import { describeBytes } from '../workspace/describe-bytes.ts'
import { showPath } from '../workspace/show-path.ts'
import type { ContentStamp } from './content-stamp.ts'
import { evaluateKnowledge, type Ledger, type SeenFile } from './ledger.ts'
import { describeRanges } from './line-range.ts'

/** A file that is about to be changed. */
export interface KnownFile {
  readonly real: string
  readonly shown: string
}

/**
 * Throws unless the session knows the file as it now is. `whole` asks that all of it was seen: for an overwrite, which
 * loses what was not. Each failure says how to go on.
 */
export function requireKnown(ledger: Ledger, file: KnownFile, current: ContentStamp, need: 'some' | 'whole'): void {
  const knowledge = evaluateKnowledge(ledger.get(file.real), current)
  const shown = showPath(file.shown)
  switch (knowledge.state) {
    case 'whole':
      return
    case 'never-read':
      throw new ToolFailure(
        'not-read',
        `${shown} exists (${describeBytes(current.size)}) and has not been read in this session, so it was left alone. Read it first, then do this again.`,
      )
    case 'changed':
      throw new ToolFailure(
        'changed-on-disk',
        `${shown} was changed on disk since you last read it, so it was left alone. Read it again, then do this with what it holds now.`,
      )
    case 'partly':
      if (need === 'whole') throw new ToolFailure('not-read', describePartly(shown, knowledge.seen))
  }
}

function describePartly(shown: string, { ranges, totalLines }: SeenFile): string {
  const of = totalLines === undefined ? '' : ` of ${totalLines}`
  return `${shown} was only partly read (${describeRanges(ranges)}${of}), and overwriting it would lose what you have not seen, so it was left alone. Read the rest, or change parts of it with edit.`
}
