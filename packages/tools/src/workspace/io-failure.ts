import { ToolFailure } from '@deckhand/core'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied by the system',
  EPERM: 'not permitted by the system',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links, or a link in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
  EBUSY: 'it is in use',
  EIO: 'the device reports an error',
  ETXTBSY: 'it is a program that is running',
}

/**
 * Words for what the system answered: "Could not read x: permission denied by the system (EACCES)." Anything that is
 * not a system error is given back as it is, since it is a bug or a cancellation.
 */
export function createIoFailure(error: unknown, tried: string): unknown {
  const code = errorCode(error)
  if (code === undefined || error instanceof ToolFailure || !isSystemError(error)) return error
  return new ToolFailure('io', `Could not ${tried}: ${reasons[code] ?? 'the system refused'} (${code}).`, { code })
}

/** `ENOENT` and its like; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
