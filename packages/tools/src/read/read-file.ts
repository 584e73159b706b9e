import type { ToolContext, ToolResult } from '@deckhand/core'
import { classifyContent } from '../encoding/classify-content.ts'
import { detectEncoding, maxSampleBytes } from '../encoding/detect-encoding.ts'
import { isUtf8Encoding, type TextEncoding } from '../encoding/text-encoding.ts'
import type { Ledger, Sighting } from '../ledger/ledger.ts'
import { describeBytes } from '../workspace/describe-bytes.ts'
import { createIoFailure } from '../workspace/io-failure.ts'
import { createMissing, findTwin } from '../workspace/missing-path.ts'
import { createPathParts } from '../workspace/path-permission.ts'
import { showPath } from '../workspace/show-path.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { describeWindow } from './describe-window.ts'
import { describeListing, listFolder } from './directory.ts'
import { isShownImage, readImage } from './image.ts'
import type { FileLimits } from './limits.ts'
import { countChars } from './line-text.ts'
import { type OpenFile, withOpenFile } from './open-file.ts'
import { findTarget, type ReadTarget } from './read-target.ts'
import { createUnreadable } from './refusal.ts'
import { readTextWindow, type TextWindow, type WindowLimits, type WindowRequest } from './text-window.ts'

export interface ReadFileDeps {
  readonly workspace: Workspace
  readonly ledger: Ledger
  readonly limits: FileLimits
}

export interface ReadFileOptions {
  /** Shows the window even if it is known to be in the context. */
  readonly again: boolean
  readonly maxBytes: number
}

/** Reads one target that was allowed. Throws ToolFailure or PermissionDenied in words for the model. */
export async function readFile(
  target: ReadTarget,
  deps: ReadFileDeps,
  options: ReadFileOptions,
  context: ToolContext,
): Promise<ToolResult> {
  if (target.refusal) throw target.refusal
  if (target.isMissing) return readTwin(target, deps, options, context)
  if (target.isFolder) return readFolder(target, deps.limits, context.signal)
  return withOpenFile(target.target, async file => {
    const content = await classifyContent(file.head)
    if (content.kind === 'text') return readText(target, file, content.encoding, deps, options, context.signal)
    if (content.kind === 'typed' && isShownImage(content.type)) {
      const image = await readImage(file.source, content.type, target.target.shown)
      return describeImage(target, image.size, image.attachment, content.type.words, file.source.size)
    }
    throw createUnreadable(target.target.shown, file.source.size, content)
  })
}

// The twin is another path, which may be a secret or lead elsewhere: it is asked for by its own name.
async function readTwin(
  missing: ReadTarget,
  deps: ReadFileDeps,
  options: ReadFileOptions,
  context: ToolContext,
): Promise<ToolResult> {
  const { workspace } = deps
  const twin = await findTwin(missing.target.absolute)
  if (twin === undefined) throw await createMissing(workspace, missing.target, context.signal)
  const found = findTarget(workspace, { ...missing.request, path: twin })
  if (found.isMissing) throw await createMissing(workspace, missing.target, context.signal)
  const note = `there is no ${JSON.stringify(missing.target.shown)}; the only name that differs just in Unicode form, blanks or quotes was opened: ${JSON.stringify(found.target.shown)}`
  if (!found.refusal) {
    const act = { permission: 'read', effect: 'read', isFolder: found.isFolder } as const
    const parts = createPathParts(workspace, found.target, act)
    await context.ask({ title: `Read ${showPath(found.target.shown)}`, parts })
  }
  return readFile({ ...found, notes: [...missing.notes, note] }, deps, options, context)
}

async function readFolder(
  { target, request, notes }: ReadTarget,
  limits: FileLimits,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    const listing = await listFolder(target.real, signal)
    const window = { offset: request.offset, limit: request.limit ?? limits.maxLines }
    const { folders, others } = listing
    return {
      title: target.shown,
      output: describeListing(target.shown, listing, window, notes),
      metadata: { path: target.shown, kind: 'folder', folders, files: others },
    }
  } catch (error) {
    throw createIoFailure(error, `list ${showPath(target.shown)}`)
  }
}

function describeImage(
  { target, notes }: ReadTarget,
  { width, height }: { width: number; height: number },
  attachment: NonNullable<ToolResult['attachments']>[number],
  words: string,
  bytes: number,
): ToolResult {
  const header = `${showPath(target.shown)} · ${words} · ${width} x ${height} px · ${describeBytes(bytes)}`
  return {
    title: target.shown,
    output: [
      header,
      ...notes.map(note => `Note: ${note}`),
      'The image is attached at its full size (scale factor 1: its coordinates are those of the file).',
    ].join('\n'),
    metadata: { path: target.shown, kind: 'image', mime: attachment.mime, width, height, bytes },
    attachments: [attachment],
  }
}

async function readText(
  { target, request, notes }: ReadTarget,
  file: OpenFile,
  encoding: TextEncoding,
  { ledger, limits }: ReadFileDeps,
  { again, maxBytes }: ReadFileOptions,
  signal: AbortSignal,
): Promise<ToolResult> {
  const wanted: WindowRequest = {
    offset: request.offset,
    limit: request.limit ?? limits.maxLines,
    column: request.column,
  }
  const windowName = `${wanted.offset}:${wanted.limit}:${wanted.column ?? ''}:${maxBytes}`
  const metadata = { path: target.shown, kind: 'text', encoding: encoding.name, bytes: file.source.size }
  if (!again && ledger.hasWindow(target.real, windowName, file.stamp)) {
    return { title: target.shown, output: describeUnchanged(target.shown), metadata: { ...metadata, unchanged: true } }
  }
  const windowLimits = { ...limits, maxBytes }
  const read = await readDecoded(file, encoding, wanted, windowLimits, signal)
  if (file.source.size === 0 || read.window.lines.length > 0) {
    ledger.recordRead(target.real, file.stamp, createSighting(read.window))
    ledger.recordWindow(target.real, windowName, file.stamp)
  }
  const facts = {
    shown: target.shown,
    sizeBytes: file.source.size,
    encoding: read.encoding,
    notes,
    request: wanted,
    limitAsked: request.limit !== undefined,
    limits: windowLimits,
  }
  const { stop, nextOffset, totalLines } = read.window
  return {
    title: target.shown,
    output: describeWindow(facts, read.window),
    metadata: {
      ...metadata,
      encoding: read.encoding.name,
      lines: read.window.lines.length,
      stop,
      nextOffset,
      totalLines,
    },
  }
}

function describeUnchanged(shown: string): string {
  return `${showPath(shown)}: unchanged since you read the same lines; that earlier result still holds. To see them again, set again: true.`
}

// The start of a large file may be plain ASCII and say nothing of what comes later: then the damaged lines decide.
async function readDecoded(
  file: OpenFile,
  encoding: TextEncoding,
  request: WindowRequest,
  limits: WindowLimits,
  signal: AbortSignal,
): Promise<{ window: TextWindow; encoding: TextEncoding }> {
  const window = await readTextWindow(file.source, encoding, request, limits, signal)
  const startSaysNothing = isUtf8Encoding(encoding) && file.head.every(byte => byte < 0x80)
  if (window.damagedAt === undefined || !startSaysNothing) return { window, encoding }
  const later = await detectEncoding(Buffer.from(await file.source.read(window.damagedAt, maxSampleBytes)))
  if (later.kind !== 'text' || isUtf8Encoding(later.encoding)) return { window, encoding }
  return {
    window: await readTextWindow(file.source, later.encoding, request, limits, signal),
    encoding: later.encoding,
  }
}

/** What the ledger is told: lines shown in full, and how far cut ones were. Numbers from the end say nothing. */
function createSighting({ lines, totalLines }: TextWindow): Sighting {
  const numbered = lines.filter(({ number }) => number > 0)
  const isWhole = (line: (typeof numbered)[number]) => line.column === 1 && line.hiddenChars === 0
  const cut = numbered
    .filter(line => !isWhole(line))
    .map(({ number, column, text, hiddenChars }) => ({
      line: number,
      from: column,
      to: column + countChars(text) - 1,
      ended: hiddenChars === 0,
    }))
  const ranges = numbered.filter(isWhole).map(({ number }) => ({ from: number, to: number }))
  return { ranges, cut, ...(totalLines !== undefined && { totalLines }) }
}
