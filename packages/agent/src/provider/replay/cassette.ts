import { readFile } from 'node:fs/promises'
import { ConfigError, messageOf } from '@deckhand/core'
import { z } from 'zod'

/**
 * A cassette is real traffic with a model, in a file: JSON lines, the first a header, then one per request. It is made
 * by `--record FILE` and played by `--model replay/FILE`. It holds no secrets: no key, no cookie, only harmless headers;
 * paths of the machine are replaced by `{workspace}`, `{home}` and the like.
 */
export interface Cassette {
  readonly header: CassetteHeader
  readonly exchanges: readonly Exchange[]
}

export const cassetteVersion = 1

const headerSchema = z.object({
  cassette: z.literal(cassetteVersion),
  npm: z.string(),
  provider: z.string(),
  model: z.string(),
  options: z.object({
    baseURL: z.string().optional(),
    api: z.string().optional(),
    queryParams: z.record(z.string(), z.string()).optional(),
    sendReasoning: z.boolean().optional(),
    includeUsage: z.boolean().optional(),
  }),
  apiModelID: z.string().optional(),
  reasoning: z.boolean().optional(),
  modelOptions: z.record(z.string(), z.unknown()).optional(),
  capabilities: z.object({
    contextTokens: z.number().optional(),
    outputTokens: z.number().optional(),
    acceptsImages: z.boolean(),
    price: z
      .object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() })
      .optional(),
  }),
})

const exchangeSchema = z.object({
  method: z.string(),
  /** Path and query, without the host. */
  path: z.string(),
  body: z.unknown(),
  /** How the connection failed, where there was no answer. */
  failed: z.object({ code: z.string(), message: z.string() }).optional(),
  status: z.number().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** The answer's body in the pieces in which it came. */
  chunks: z.array(z.string()).optional(),
  /** whole: to its end. cut: the connection broke. left: Deckhand did not want the rest. */
  end: z.enum(['whole', 'cut', 'left']).optional(),
})

export type CassetteHeader = z.infer<typeof headerSchema>
export type Exchange = z.infer<typeof exchangeSchema>

/** Is this the first line of a cassette, of whichever version? */
export function isCassetteHeader(line: string): boolean {
  return /^\s*\{\s*"cassette"\s*:/.test(line)
}

/** Reads a cassette. ConfigError that names the line when the file is not there, broken, cut or of another version. */
export async function readCassette(file: string): Promise<Cassette> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new ConfigError(
      'unreadable',
      `The cassette ${file} can't be read: ${messageOf(error)}.`,
      { file },
      { cause: error },
    )
  }
  return parseCassette(text, file)
}

function parseCassette(text: string, file: string): Cassette {
  const lines = text.split('\n')
  const [first = ''] = lines
  if (!isCassetteHeader(first)) {
    throw new ConfigError(
      'invalid',
      `${file} is not a cassette: its first line should begin with {"cassette":. Record one with --record FILE.`,
      {
        file,
      },
    )
  }
  const header = parseLine(first, 1, file, headerSchema)
  const exchanges = lines
    .slice(1)
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseLine(line, index + 2, file, exchangeSchema)]))
  return { header, exchanges }
}

function parseLine<T>(line: string, number: number, file: string, schema: z.ZodType<T>): T {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw invalid(
      file,
      number,
      `it is not whole JSON (${messageOf(error)}). Was the recording cut off? Remove the line, or record anew`,
    )
  }
  const version = (value as { cassette?: unknown }).cassette
  if (number === 1 && version !== cassetteVersion) {
    throw invalid(
      file,
      number,
      `it is of version ${String(version)}, and this Deckhand reads version ${cassetteVersion}. Record it anew`,
    )
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw invalid(file, number, `${issue?.path.join('.') || 'the line'}: ${issue?.message}`)
}

function invalid(file: string, line: number, words: string): ConfigError {
  return new ConfigError('invalid', `The cassette ${file}, line ${line}: ${words}.`, { file, line })
}
