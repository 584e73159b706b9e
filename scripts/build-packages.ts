// Compiles the @deckhand/* packages to their dist folders, each after those that it imports: for publishing only, as
// everything in this repository runs from source.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

for (const name of ['core', 'process', 'store', 'tools', 'agent']) {
  rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true })
  const { status } = spawnSync('tsc', ['-p', join(root, 'packages', name, 'tsconfig.build.json')], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
  console.log(`built @deckhand/${name}`)
}
