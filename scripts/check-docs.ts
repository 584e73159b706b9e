// Reads every `deckhand …` and `npm run …` command in the documents and says which ones the program does not have:
// an unknown command, an option that was renamed, a script that is gone. test/docs.test.ts runs them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'

const root = join(import.meta.dirname, '..')
const { createProgram } = (await import('../packages/cli/src/main.ts')) as typeof import('../packages/cli/src/main.ts')
const { createCliContext } = await import('../packages/cli/src/cli-context.ts')

const program = createProgram(createCliContext('/home'), () => {})
const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
const documents = [...globSync(['*.md', 'docs/**/*.md'], { cwd: root })]
  .filter(file => file !== 'docs/requirements.md')
  .sort()

const problems = documents.flatMap(file => {
  const text = readFileSync(join(root, file), 'utf8')
  return [...checkCommands(text), ...checkScripts(text), ...checkLinks(text)].map(problem => `${file}: ${problem}`)
})

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`The commands of ${documents.length} documents are those of the program.`)

/** Commands in code: in blocks, at the start of a line, perhaps after `$ ` or `npx `; in the text, between backticks. */
function checkCommands(text: string): string[] {
  const inBlocks = [...text.matchAll(/^```[a-z]*\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    [...block.matchAll(/^\s*(?:\$ )?(?:npx )?deckhand(?: (.*))?$/gm)].map(match => match[1] ?? ''),
  )
  const inText = [...text.replace(/^```.*?^```/gms, '').matchAll(/`(?:npx )?deckhand ([^`]*)`/g)].map(
    match => match[1] ?? '',
  )
  return [...inBlocks, ...inText].flatMap(checkCommand)
}

function checkCommand(line: string): string[] {
  const [beforeDashes = ''] = line.split(/ -- | [|>&;#] | {2,}/)
  const words = [...beforeDashes.replace(/"[^"]*"|'[^']*'/g, 'TEXT').matchAll(/\S+/g)].map(match => match[0])
  let command: Command = program
  for (const word of words) {
    const inner = command.commands.find(candidate => candidate.name() === word)
    if (inner) command = inner
    else break
  }
  const first = words[0]
  const isUnknown = command === program && first !== undefined && /^[a-z]/.test(first) && first !== 'help'
  if (isUnknown) return [`"deckhand ${line}": there is no command "${first}"`]
  return words
    .filter(word => /^--?[a-zA-Z]/.test(word))
    .map(word => word.replace(/=.*/, ''))
    .filter(flag => !hasOption(command, flag))
    .map(flag => `"deckhand ${line}": ${command.name()} has no option ${flag}`)
}

function hasOption(command: Command, flag: string): boolean {
  if (flag === '--help' || flag === '-h') return true
  return command.options.some(option => option.long === flag || option.short === flag)
}

function checkScripts(text: string): string[] {
  return [...text.matchAll(/`?npm run ([a-z:]+)/g)]
    .map(match => match[1] ?? '')
    .filter(name => !(name in scripts))
    .map(name => `"npm run ${name}": package.json has no such script`)
}

/** Links to files of the repository must lead somewhere. */
function checkLinks(text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
    .map(match => match[1] ?? '')
    .filter(target => globSync([target, `docs/${target}`], { cwd: root }).length === 0)
    .map(target => `the link to ${target} leads nowhere`)
}
