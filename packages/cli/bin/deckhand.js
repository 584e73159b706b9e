#!/usr/bin/env node
// Runs on any Node that knows ES modules (12.20 and newer), so that an old one says what is needed in a line instead of
// a stack trace: no syntax here that is newer than that. What is answered here needs no other file: start-up is felt on
// each call.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const least = [22, 18]
const here = fileURLToPath(new URL('.', import.meta.url))
const main = join(here, '../dist/main.js')

function isOld(version) {
  const parts = version.split('.').map(Number)
  return parts[0] < least[0] || (parts[0] === least[0] && parts[1] < least[1])
}

function readVersion() {
  return JSON.parse(readFileSync(join(here, '../package.json'), 'utf8')).version
}

// Node 22 and the first of Node 24 say on each start that node:sqlite is experimental. All other warnings stay.
function hideSqliteWarning() {
  const emit = process.emitWarning
  process.emitWarning = function emitWarning(warning, ...rest) {
    const message = String(warning && warning.message ? warning.message : warning)
    if (!/^SQLite is an experimental feature/.test(message)) emit.call(process, warning, ...rest)
  }
}

// In the user's own cache folder (the rules are those of src/places.ts): in a shared one, others could put code there.
function keepCompiledCode() {
  if (!nodeModule.enableCompileCache) return
  try {
    const folder = join(cacheFolder(process.env), 'compiled')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    nodeModule.enableCompileCache(folder)
  } catch (_) {
    // No home, no room, read-only: it starts a little slower.
  }
}

function cacheFolder(env) {
  if (env.DECKHAND_HOME) return join(resolve(env.DECKHAND_HOME), 'cache')
  const xdg = env.XDG_CACHE_HOME
  return join(xdg && isAbsolute(xdg) ? xdg : join(homedir(), '.cache'), 'deckhand')
}

function refuse(message) {
  process.stderr.write(`deckhand: ${message}\n`)
  process.exitCode = 1
}

function start(args) {
  if (isOld(process.versions.node)) {
    return refuse(
      `this is Node ${process.versions.node}; Node 22.18 or newer is needed. Install one, or run "npx deckhand" in the project that Deckhand is installed in: that brings Node 24.`,
    )
  }
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
    process.stdout.write(`${readVersion()}\n`)
    return
  }
  if (!existsSync(main)) return refuse('it has not been built yet. Run "npm run build" in its repository.')
  hideSqliteWarning()
  keepCompiledCode()
  import('../dist/main.js')
    .then(program => program.main(args))
    .then(code => {
      process.exitCode = code
    })
}

start(process.argv.slice(2))
