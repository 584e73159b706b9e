import { appendFile, chmod, type FileHandle, open, writeFile } from 'node:fs/promises'
import { ConfigError, messageOf, ProviderError } from '@deckhand/core'
import { createRedactor } from '../redact.ts'
import { type CassetteHeader, cassetteVersion, type Exchange, isCassetteHeader } from './cassette.ts'
import { hideValues, normaliseBody, type Replacement } from './volatile.ts'

export interface RecorderSettings {
  readonly file: string
  readonly header: Omit<CassetteHeader, 'cassette'>
  /** What differs from machine to machine: workspace, home, data folder. */
  readonly replacements: readonly Replacement[]
  /** Values that must not be in the file: keys, tokens. */
  readonly secrets: readonly string[]
}

/**
 * Wraps fetch so that every exchange is written to a cassette (mode 0600), each when it ends. A cassette that is there
 * is replaced; another file is not (ConfigError). A file that can't be written ends the request that was to be
 * recorded, with a ConfigError.
 */
export async function createRecorder(base: typeof fetch, settings: RecorderSettings): Promise<typeof fetch> {
  const redact = createRedactor(settings.secrets)
  const clean = (text: string) => redact(hideValues(text, settings.replacements))
  await startFile(settings, clean)
  const write = createLineWriter(settings.file, redact)

  return async (input, init) => {
    const exchange = describeRequest(input, init, settings.replacements, clean)
    let response: Response
    try {
      response = await base(input, init)
    } catch (error) {
      const failed = describeFailure(error)
      if (failed) await write({ ...exchange, failed })
      throw error
    }
    const answer = { ...exchange, status: response.status, headers: pickHeaders(response.headers, clean) }
    if (!response.body) {
      await write({ ...answer, chunks: [], end: 'whole' })
      return response
    }
    const body = recordBody(response.body, (chunks, end) => write({ ...answer, chunks: chunks.map(clean), end }))
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
  }
}

async function startFile({ file, header }: RecorderSettings, clean: (text: string) => string): Promise<void> {
  await refuseOtherFiles(file)
  const line = clean(JSON.stringify({ cassette: cassetteVersion, ...header }))
  try {
    await writeFile(file, `${line}\n`, { mode: 0o600 })
    await chmod(file, 0o600)
  } catch (error) {
    throw unwritable(file, error)
  }
}

async function refuseOtherFiles(file: string): Promise<void> {
  const start = await readStart(file)
  if (start === '' || isCassetteHeader(start)) return
  throw new ConfigError(
    'invalid',
    `--record would overwrite ${file}, which is not a cassette. Give it the name of a new file.`,
    { file },
  )
}

async function readStart(file: string): Promise<string> {
  let handle: FileHandle | undefined
  try {
    handle = await open(file, 'r')
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw unwritable(file, error)
  } finally {
    await handle?.close()
  }
}

// One line after the other, though requests may overlap.
function createLineWriter(file: string, redact: (text: string) => string): (exchange: Exchange) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return exchange => {
    const line = `${redact(JSON.stringify(exchange))}\n`
    const written = last.then(() => appendFile(file, line)).catch(error => Promise.reject(unwritable(file, error)))
    last = written.catch(() => undefined)
    return written
  }
}

function unwritable(file: string, error: unknown): ConfigError {
  return new ConfigError(
    'unreadable',
    `The cassette ${file} can't be written: ${messageOf(error)}.`,
    { file },
    { cause: error },
  )
}

function describeRequest(
  input: Parameters<typeof fetch>[0],
  init: Parameters<typeof fetch>[1],
  replacements: readonly Replacement[],
  clean: (text: string) => string,
): Exchange {
  return {
    method: init?.method ?? 'GET',
    path: clean(describePath(String(input))),
    body: normaliseBody(parseBody(init?.body), replacements),
  }
}

/** Path and query of a URL, without a key in the query. */
export function describePath(url: string): string {
  const { pathname, searchParams } = new URL(url)
  for (const name of [...searchParams.keys()]) if (/key|token|secret/i.test(name)) searchParams.delete(name)
  const query = searchParams.toString()
  return query === '' ? pathname : `${pathname}?${query}`
}

/** The JSON of a request's body; its text where it is no JSON. */
export function parseBody(body: unknown): unknown {
  if (typeof body !== 'string') return body === undefined || body === null ? null : String(body)
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

const safeHeaders = /^(content-type|retry-after|retry-after-ms|x-ratelimit-.*|anthropic-ratelimit-.*)$/

function pickHeaders(headers: Headers, clean: (text: string) => string): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => safeHeaders.test(name)).map(([name, value]) => [name, clean(value)]),
  )
}

function describeFailure(error: unknown): Exchange['failed'] {
  // Our own limit: to be played as what it was, a server that did not answer.
  if (error instanceof ProviderError) return { code: 'ETIMEDOUT', message: error.message }
  for (let current = error, depth = 0; current instanceof Error && depth < 8; current = current.cause, depth++) {
    const { code } = current as { code?: unknown }
    if (typeof code === 'string') return { code, message: current.message }
  }
  // An abort is no traffic.
  return undefined
}

function recordBody(
  body: ReadableStream<Uint8Array>,
  onEnd: (chunks: readonly string[], end: NonNullable<Exchange['end']>) => Promise<void>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const chunks: string[] = []
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (value) {
            chunks.push(decoder.decode(value, { stream: true }))
            return controller.enqueue(value as Uint8Array<ArrayBuffer>)
          }
          if (done) await onEnd(chunks, 'whole')
          controller.close()
        } catch (error) {
          if (!(error instanceof ConfigError)) await onEnd(chunks, 'cut')
          controller.error(error)
        }
      },
      async cancel(reason) {
        await reader.cancel(reason)
        await onEnd(chunks, 'left')
      },
    },
    { highWaterMark: 0 },
  )
}
