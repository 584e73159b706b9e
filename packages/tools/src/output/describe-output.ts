import { describeCount } from '../workspace/describe-bytes.ts'
import { describeSize } from './describe-size.ts'
import type { CutFacts, OutputView } from './output-view.ts'

/** Where all of an output is kept, or why it is not. */
export interface SavedOutput {
  readonly path: string
  /** Bytes that are in the file. */
  readonly bytes: number
  readonly problem?: { readonly code: string; readonly message: string }
}

/** The text of an output as it is shown to the model, before it is fenced. Empty when there is none. */
export function describeOutput(view: OutputView, saved?: SavedOutput): string {
  switch (view.kind) {
    case 'none':
      return ''
    case 'whole':
      return view.text
    case 'cut':
      return `${endLine(view.head)}${describeCut(view.cut, saved)}\n${view.tail}`
    case 'binary': {
      const { before, after, type } = view.binary
      const kind = type ? ` (${type})` : ''
      return `${before}[${describeSize(view.bytes)} of binary data${kind}; ${describeSaved(saved)}]\n${after}`
    }
  }
}

// The line that stands where the middle was cut out.
function describeCut(cut: CutFacts, saved?: SavedOutput): string {
  const total = `${describeCount(cut.totalLines, 'line')}, ${describeSize(cut.totalBytes)}`
  const bytes = describeSize(cut.leftOutBytes)
  const leftOut =
    cut.leftOutLines === 0
      ? `${bytes} left out inside line ${cut.nextLine} of ${total}`
      : `${describeCount(cut.leftOutLines, 'line')}, ${bytes} left out of ${total}`
  return `[… ${leftOut}. ${describeWhole(saved, cut.nextLine)} …]`
}

function describeWhole(saved: SavedOutput | undefined, nextLine: number): string {
  if (!saved) return 'The rest was not kept'
  const how = `read it with read(path, offset ${nextLine}), or search it with grep`
  if (!saved.problem) return `All of it: ${saved.path}; ${how}`
  if (saved.bytes === 0) return `It could not be saved to ${saved.path} (${saved.problem.message})`
  return `Only its first ${describeSize(saved.bytes)} could be saved to ${saved.path} (${saved.problem.message}); ${how}`
}

function describeSaved(saved: SavedOutput | undefined): string {
  if (!saved) return 'not saved'
  if (!saved.problem) return `saved to ${saved.path}`
  if (saved.bytes === 0) return `it could not be saved to ${saved.path} (${saved.problem.message})`
  return `only its first ${describeSize(saved.bytes)} could be saved to ${saved.path} (${saved.problem.message})`
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
