/** Longer diffs than this many milliseconds of work are not made. */
const timeoutMs = 2000
const maxInputChars = 4_000_000

/** A unified diff and its counts. */
export interface UnifiedDiff {
  readonly patch: string
  readonly added: number
  readonly removed: number
}

/** The diff of two texts; undefined where it would take too long. */
export async function createUnifiedDiff(path: string, before: string, after: string): Promise<UnifiedDiff | undefined> {
  if (before.length + after.length > maxInputChars) return undefined
  const { structuredPatch, formatPatch } = await import('diff')
  const patch = structuredPatch(path, path, before, after, undefined, undefined, { context: 3, timeout: timeoutMs })
  if (!patch) return undefined
  const lines = patch.hunks.flatMap(hunk => hunk.lines)
  return {
    patch: cutPatch(formatPatch(patch)),
    added: lines.filter(line => line.startsWith('+')).length,
    removed: lines.filter(line => line.startsWith('-')).length,
  }
}

// It is kept with the session: more than this is of no use to anyone who reads it.
const maxPatchChars = 256 * 1024

function cutPatch(patch: string): string {
  if (patch.length <= maxPatchChars) return patch
  const end = patch.lastIndexOf('\n', maxPatchChars) + 1
  return `${patch.slice(0, end)}[${patch.length - end} more characters of the diff left out]\n`
}

const maxShownLines = 60
const maxShownChars = 4000

/** The hunks alone, for the model, shortened at a line's end. */
export function describeDiff({ patch }: UnifiedDiff): string {
  const lines = patch.split('\n').filter((line, index) => index > 3 || line.startsWith('@@'))
  const body = lines.slice(lines.findIndex(line => line.startsWith('@@'))).map(line => line.replace(/\r$/, ''))
  while (body.at(-1) === '') body.pop()
  const shown: string[] = []
  let chars = 0
  for (const line of body) {
    const cut = line.length > 300 ? `${line.slice(0, 300)}… [${line.length - 300} more characters]` : line
    chars += cut.length
    if (shown.length >= maxShownLines || chars > maxShownChars) break
    shown.push(cut)
  }
  const left = body.length - shown.length
  return left > 0 ? [...shown, `[${left} more lines of the diff left out]`].join('\n') : shown.join('\n')
}
