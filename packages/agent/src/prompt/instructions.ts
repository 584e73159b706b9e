import { dirname, isAbsolute, join, relative } from 'node:path'
import { groupDigits } from '@deckhand/core'

/** A file of instructions for the model: AGENTS.md, or one named by `instructions` in the configuration. */
export interface InstructionFile {
  readonly path: string
  readonly text: string
  /** Bytes that were left out since the file is over the limit; 0 when it is whole. */
  readonly omittedBytes: number
}

/** Reading files, as an argument. Each gives undefined for what is not there. */
export interface InstructionReader {
  readFile(path: string): Promise<Buffer | undefined>
  /** Files that match a glob, absolute, sorted. */
  glob(pattern: string, directory: string): Promise<readonly string[]>
}

export interface InstructionPlaces {
  readonly directory: string
  /** Root of the repository; the directory itself where there is none. */
  readonly root: string
  /** The user's own AGENTS.md. */
  readonly globalFile: string
  /** Paths or globs from the configuration, each relative to the folder of the file that names it. */
  readonly extra: readonly { readonly entry: string; readonly directory: string }[]
}

export interface FoundInstructions {
  readonly files: readonly InstructionFile[]
  /** Entries of `instructions` that match no file: a notice, as a typing mistake would else go unseen. */
  readonly missing: readonly string[]
}

const maxFileBytes = 32_768

/**
 * Finds them in the order in which they are told, the most particular last: the user's own, the repository root's down
 * to the folder's, then those named in the configuration. A file is told once.
 */
export async function findInstructions(
  places: InstructionPlaces,
  reader: InstructionReader,
): Promise<FoundInstructions> {
  const standard = [
    places.globalFile,
    ...foldersDown(places.root, places.directory).map(folder => join(folder, 'AGENTS.md')),
  ]
  const missing: string[] = []
  const extra: string[] = []
  for (const { entry, directory } of places.extra) {
    const found = await resolveEntry(entry, directory, reader)
    if (found.length === 0) missing.push(entry)
    extra.push(...found)
  }
  const paths = [...new Set([...standard, ...extra])]
  const files = await Promise.all(paths.map(path => readInstruction(path, reader)))
  return { files: files.filter(file => file !== undefined), missing }
}

/** `/a`, `/a/b`, `/a/b/c` for root `/a` and directory `/a/b/c`; the directory alone when it is not below the root. */
function foldersDown(root: string, directory: string): string[] {
  const rest = relative(root, directory)
  if (rest.startsWith('..') || isAbsolute(rest)) return [directory]
  const folders = [directory]
  for (let folder = directory; folder !== root && dirname(folder) !== folder; ) {
    folder = dirname(folder)
    folders.unshift(folder)
  }
  return folders
}

// A path that exists is meant literally, also where it looks like a glob.
async function resolveEntry(entry: string, directory: string, reader: InstructionReader): Promise<readonly string[]> {
  const path = isAbsolute(entry) ? entry : join(directory, entry)
  if ((await reader.readFile(path)) !== undefined) return [path]
  return /[*?[{]/.test(entry) ? reader.glob(entry, directory) : []
}

async function readInstruction(path: string, reader: InstructionReader): Promise<InstructionFile | undefined> {
  const bytes = await reader.readFile(path)
  if (bytes === undefined || bytes.length === 0) return undefined
  const text = new TextDecoder().decode(bytes.subarray(0, maxFileBytes), { stream: bytes.length > maxFileBytes })
  return { path, text: text.trim(), omittedBytes: Math.max(0, bytes.length - maxFileBytes) }
}

/** The section of the system prompt that holds them; empty when there are none. */
export function describeInstructions(files: readonly InstructionFile[]): string {
  if (files.length === 0) return ''
  const sections = files.map(({ path, text, omittedBytes }) => {
    const cut = omittedBytes > 0 ? `\n[… ${groupDigits(omittedBytes)} bytes left out; read the file for the rest]` : ''
    return `## ${path}\n${text}${cut}`
  })
  return `# Instructions from the user's files (the later ones count more)\n\n${sections.join('\n\n')}`
}
