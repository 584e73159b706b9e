// The table of programs: what is known of each. To teach a program, add a row to the file of its kind.
import { awkProgram } from './awk.ts'
import { builtinPrograms } from './builtins.ts'
import { deckhandProgram } from './deckhand.ts'
import { fdProgram, findProgram } from './find.ts'
import { gitProgram } from './git.ts'
import { interpreterPrograms } from './interpreters.ts'
import type { Program } from './program.ts'
import { readingPrograms } from './reading.ts'
import { sedProgram } from './sed.ts'
import { tarProgram } from './tar.ts'
import { wrapperPrograms } from './wrappers.ts'
import { writingPrograms } from './writing.ts'

const programs = new Map<string, Program>(
  Object.entries({
    ...readingPrograms,
    ...writingPrograms,
    ...interpreterPrograms,
    ...wrapperPrograms,
    ...builtinPrograms,
    deckhand: deckhandProgram,
    git: gitProgram,
    find: findProgram,
    gfind: findProgram,
    fd: fdProgram,
    fdfind: fdProgram,
    sed: sedProgram,
    gsed: sedProgram,
    awk: awkProgram,
    gawk: awkProgram,
    mawk: awkProgram,
    nawk: awkProgram,
    tar: tarProgram,
    gtar: tarProgram,
    bsdtar: tarProgram,
  }),
)

/** What is known of a program, by its name or the path that ends in it. */
export function lookupProgram(name: string): Program | undefined {
  return programs.get(name) ?? programs.get(baseName(name))
}

/** The last part of a path: `/bin/rm` is `rm`. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Does the name belong to a program of the table or to the shell itself? */
export function isKnownName(name: string): boolean {
  return programs.has(name)
}
