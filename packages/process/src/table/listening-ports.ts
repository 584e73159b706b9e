import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The TCP ports that a process listens on, lowest first. Empty when it has none or we may not look. Linux only. */
export function listListeningPorts(pid: number): readonly number[] {
  const sockets = listSocketInodes(pid)
  if (sockets.size === 0) return []
  const listening = ['tcp', 'tcp6'].flatMap(file => parseListening(readTable(`/proc/${pid}/net/${file}`)))
  const ports = listening.filter(({ inode }) => sockets.has(inode)).map(({ port }) => port)
  return [...new Set(ports)].sort((a, b) => a - b)
}

/** Does any process of this machine listen on the TCP port? False where that can't be known. */
export function isPortOpenOnHost(port: number): boolean {
  return ['tcp', 'tcp6'].some(file => parseListening(readTable(`/proc/net/${file}`)).some(found => found.port === port))
}

function listSocketInodes(pid: number): Set<string> {
  const inodes = new Set<string>()
  for (const fd of listFolder(`/proc/${pid}/fd`)) {
    const inode = /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${pid}/fd/${fd}`))?.[1]
    if (inode !== undefined) inodes.add(inode)
  }
  return inodes
}

const listenState = '0A'

// Columns: number, local address:port, remote address:port, state, …, and the inode as the tenth.
function parseListening(table: string): { port: number; inode: string }[] {
  return table
    .split('\n')
    .slice(1)
    .flatMap(line => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
      return state === listenState ? [{ port: Number.parseInt(local.split(':').at(-1) ?? '', 16), inode }] : []
    })
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function readTable(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
