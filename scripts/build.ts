// Bundles the CLI to packages/cli/dist: one small entry, and a chunk for each part that is loaded on demand.
// `--stale` builds only when a source has changed since the last build, and keeps the chunks that are there: a program
// that runs meanwhile (another test run) may still load them, and their names are hashes of what they hold.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '..')
const outdir = join(root, 'packages/cli/dist')
const stamp = join(outdir, 'built-from')

/** Every file that the bundle is made from, with the lock file, since that decides the libraries. */
function sources(): string[] {
  const files = readdirSync(join(root, 'packages'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(ts|json|yaml)$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => !/\/(node_modules|dist)\//.test(file))
  return [...files, join(root, 'package-lock.json'), import.meta.filename]
}

function fingerprint(): string {
  return sources()
    .sort()
    .map(file => `${file} ${statSync(file).mtimeMs}`)
    .join('\n')
}

function isStale(current: string): boolean {
  try {
    return readFileSync(stamp, 'utf8') !== current
  } catch {
    return true
  }
}

// zod carries its messages in fifty languages, a third of its size, and reads all of it on each start. Ours are English.
const englishOnly: Plugin = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js'",
      resolveDir: dirname(path),
    }))
  },
}

const current = fingerprint()
const onlyStale = process.argv.includes('--stale')
if (onlyStale && !isStale(current)) process.exit(0)

if (!onlyStale) rmSync(outdir, { recursive: true, force: true })
const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'))
const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: { main: 'packages/cli/src/main.ts' },
  outdir,
  write: false,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  conditions: ['deckhand-source'],
  // Some libraries' `main` is a UMD build whose inner requires esbuild can't follow.
  mainFields: ['module', 'main'],
  // They find their binaries beside their own files, so they stay dependencies.
  external: ['@vscode/ripgrep', '@lydell/node-pty'],
  plugins: [englishOnly],
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'linked',
  logLevel: 'warning',
  define: { __DECKHAND_VERSION__: JSON.stringify(version) },
  // CommonJS parts inside an ES module bundle expect these.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
})
mkdirSync(outdir, { recursive: true })
// The entry comes last, when all that it loads is there; each file appears whole.
const isEntry = (path: string) => path === join(outdir, 'main.js')
for (const { path, contents } of outputFiles.sort((a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)))) {
  const part = `${path}.${process.pid}`
  writeFileSync(part, contents)
  renameSync(part, path)
}
writeFileSync(stamp, current)
