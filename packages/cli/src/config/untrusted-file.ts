import type { ProjectTrust } from '@deckhand/core'

/** A project's file that would make things looser, and is not trusted as it is now. */
export interface UntrustedFile {
  /** As it was found. */
  readonly path: string
  readonly realPath: string
  /** Of its content, in hexadecimal. */
  readonly sha256: string
  /** What it would make looser. */
  readonly lines: readonly string[]
  /** What the person said of it before: it has changed since, or they want no question of it. */
  readonly before?: ProjectTrust
}

/** Did the person trust this file with this very content? */
export function isTrusted(
  { realPath, sha256 }: Pick<UntrustedFile, 'realPath' | 'sha256'>,
  trust: readonly ProjectTrust[],
): boolean {
  return trust.some(each => each.decision === 'trusted' && each.path === realPath && each.sha256 === sha256)
}

/** Lines that were not there when the person trusted the file. */
export function findNewLines({ lines, before }: UntrustedFile): readonly string[] {
  return before?.decision === 'trusted' ? lines.filter(line => !before.lines.includes(line)) : lines
}

/** How to have it count, for a person. Nothing where they said that they want no question of it. */
export function describeUntrusted(file: UntrustedFile): readonly string[] {
  const { path, before } = file
  if (before?.decision === 'never') return []
  const how = '"deckhand permission trust" shows what it would allow, and asks you.'
  if (!before) return [`${path}: you have not trusted it so far. ${how}`]
  const added = findNewLines(file)
  return [
    `${path}: it has changed since you trusted it on ${new Date(before.decidedAt).toISOString().slice(0, 10)}${added.length > 0 ? `; these lines are new: ${added.join('; ')}` : ', though it allows nothing new'}. ${how}`,
  ]
}
