import { lstatSync, readFileSync } from 'node:fs'

const hidden = /^\/(run|tmp|var\/run|var\/tmp|proc|dev)\//

/**
 * Paths of the unix sockets that programs of this machine listen on, but for those below /run, /tmp and the like, which
 * a sandbox does not show anyway. A file system that can only be read does not keep anyone from connecting to one.
 */
export function listHostSockets(table = readTable()): readonly string[] {
  const paths = table.split('\n').flatMap(line => /(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? [])
  return [...new Set(paths)].filter(path => !hidden.test(path) && isSocket(path))
}

function readTable(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8')
  } catch {
    return ''
  }
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket()
  } catch {
    return false
  }
}
