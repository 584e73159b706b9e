#!/usr/bin/env node
// Runs on any Node that knows ES modules, so that an old one says what is needed in a line instead of a stack trace.
// What is answered here needs no other file: start-up is felt on each call.
import { existsSync, readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
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

// node:sqlite is stable in Node 24; in Node 22 it says on each start that it is experimental.
function hideSqliteWarning() {
  const emit = process.emitWarning
  process.emitWarning = function emitWarning(warning, ...rest) {
    const isSqlite = /SQLite is an experimental feature/.test(
      String(warning && warning.message ? warning.message : warning),
    )
    if (!isSqlite) emit.call(process, warning, ...rest)
  }
}

function start(args) {
  if (isOld(process.versions.node)) {
    process.stderr.write(
      `deckhand: this is Node ${process.versions.node}; Node 22.18 or newer is needed. Install one, or run "npx deckhand" where Deckhand is installed: that brings its own.\n`,
    )
    process.exitCode = 1
    return
  }
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
    process.stdout.write(`${readVersion()}\n`)
    return
  }
  if (!existsSync(main)) {
    process.stderr.write('deckhand: it has not been built yet. Run "npm run build" in its repository.\n')
    process.exitCode = 1
    return
  }
  hideSqliteWarning()
  if (nodeModule.enableCompileCache) nodeModule.enableCompileCache()
  import('../dist/main.js')
    .then(program => program.main(args))
    .then(code => {
      process.exitCode = code
    })
}

start(process.argv.slice(2))
