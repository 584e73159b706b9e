import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../.cache/peers')

/** A program that was installed, or why it could not be. */
export type InstalledPeer = { readonly path: string } | { readonly missing: string }

/**
 * Installs a package of another agent into `.cache/peers`, once, at exactly this version, and gives the path of its
 * program. It is no dependency of the project: only `npm run test:peers` and `npm run bench:peers` need it.
 */
export function installPeer(name: string, version: string, program: string): InstalledPeer {
  mkdirSync(folder, { recursive: true })
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n')
  if (installedVersion(name) !== version) {
    const { status, stderr } = spawnSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--save-exact', `${name}@${version}`],
      {
        cwd: folder,
        encoding: 'utf8',
        timeout: 300_000,
      },
    )
    if (status !== 0)
      return { missing: `${name}@${version} could not be installed: ${stderr.trim().split('\n').at(-1)}` }
  }
  const path = join(folder, 'node_modules/.bin', program)
  return existsSync(path) ? { path } : { missing: `${name}@${version} brought no program ${program}` }
}

function installedVersion(name: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}
