import { type Attachment, PermissionDenied, type ToolContext, ToolFailure, type ToolResult } from '@deckhand/core'
import { describeBytes, describeCount } from '../workspace/describe-bytes.ts'
import { showPath } from '../workspace/show-path.ts'
import type { ReadLimits } from './limits.ts'
import { type ReadFileDeps, readFile } from './read-file.ts'
import type { ReadTarget } from './read-target.ts'

// Less of a file than this says little: better to read fewer files.
const minShareBytes = 2 * 1024

interface ReadManyDeps extends ReadFileDeps {
  readonly limits: ReadLimits
}

interface Outcome {
  readonly result?: ToolResult
  /** It could not be read, in words. */
  readonly failure?: string
  /** The budget did not reach it. */
  readonly unreached?: boolean
}

/**
 * Reads several targets within one budget, shared fairly: small files take what they need, and what they leave goes
 * to the larger ones. What fails is told in its place and stops no other.
 */
export async function readMany(
  targets: readonly ReadTarget[],
  deps: ReadManyDeps,
  again: boolean | undefined,
  context: ToolContext,
): Promise<ToolResult> {
  const { reached, unreached } = chooseReached(targets, deps.limits.maxTotalBytes)
  const outcomes = new Map<ReadTarget, Outcome>(unreached.map(target => [target, { unreached: true }]))
  let room = deps.limits.maxTotalBytes
  for (const [index, target] of reached.entries()) {
    context.signal.throwIfAborted()
    const share = Math.min(deps.limits.maxBytes, Math.floor(room / (reached.length - index)))
    const outcome = await readOne(target, deps, again ?? false, share, context)
    room = Math.max(0, room - Buffer.byteLength(outcome.result?.output ?? ''))
    outcomes.set(target, outcome)
  }
  return describeMany(targets, outcomes, deps.limits)
}

/** The smallest first, as many as can each have a share that says something. */
function chooseReached(
  targets: readonly ReadTarget[],
  totalBytes: number,
): { reached: readonly ReadTarget[]; unreached: readonly ReadTarget[] } {
  const bySize = [...targets].sort((a, b) => neededBytes(a) - neededBytes(b))
  let taken = 0
  const count = bySize.findIndex((target, index) => {
    taken += Math.min(minShareBytes, neededBytes(target))
    return taken > totalBytes && index > 0
  })
  return count < 0
    ? { reached: bySize, unreached: [] }
    : { reached: bySize.slice(0, count), unreached: bySize.slice(count) }
}

function neededBytes({ isFolder, isMissing, refusal, sizeBytes }: ReadTarget): number {
  return isFolder || isMissing || refusal ? 0 : sizeBytes
}

async function readOne(
  target: ReadTarget,
  deps: ReadManyDeps,
  again: boolean,
  maxBytes: number,
  context: ToolContext,
): Promise<Outcome> {
  try {
    return { result: await readFile(target, deps, { again, maxBytes }, context) }
  } catch (error) {
    if (error instanceof ToolFailure || error instanceof PermissionDenied) return { failure: error.message }
    throw error
  }
}

function describeMany(
  targets: readonly ReadTarget[],
  outcomes: ReadonlyMap<ReadTarget, Outcome>,
  limits: ReadLimits,
): ToolResult {
  const of = (target: ReadTarget): Outcome => outcomes.get(target) ?? {}
  const texts = targets.flatMap(target => of(target).result?.output ?? of(target).failure ?? [])
  const unreached = targets.filter(target => of(target).unreached)
  const results = targets.flatMap(target => of(target).result ?? [])
  const failed = targets.filter(target => of(target).failure !== undefined).length
  const counts = `${describeCount(results.length, 'file')} read${failed > 0 ? `, ${failed} could not be read` : ''}`
  const attachments: readonly Attachment[] = results.flatMap(({ attachments = [] }) => attachments)
  return {
    title: describeCount(targets.length, 'file'),
    output: [...texts, `${counts}.${describeUnreached(unreached, limits)}`].join('\n\n'),
    metadata: {
      files: results.map(({ metadata }) => metadata),
      failed,
      unreached: unreached.map(({ target }) => target.shown),
    },
    ...(attachments.length > 0 && { attachments }),
  }
}

function describeUnreached(unreached: readonly ReadTarget[], limits: ReadLimits): string {
  if (unreached.length === 0) return ''
  const names = unreached.map(({ target, sizeBytes }) => `${showPath(target.shown)} (${describeBytes(sizeBytes)})`)
  return ` Left out, as one call shows at most ${describeBytes(limits.maxTotalBytes)}; read them in another: ${names.join(', ')}.`
}
