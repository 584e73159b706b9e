import { createInterface } from 'node:readline'
import { findNewLines, type UntrustedFile } from '../config/untrusted-file.ts'
import type { AskTrust, TrustAnswer } from '../permission/project-trust.ts'
import type { TerminalStreams } from './ask-on-terminal.ts'
import { oneLine } from './neutralise.ts'

const keys = '  Does that count? [y] yes, until it changes  [n] not now  [never] and do not ask again: '

/** Puts to the person at the terminal what a project's file would make looser. The end of input is "not now". */
export function createTrustQuestion({ input, output, onInterrupt }: TerminalStreams): AskTrust {
  return file => {
    output.write(describeUntrustedFile(file))
    const lines = createInterface({ input, output, terminal: true, prompt: keys })
    return new Promise(resolve => {
      function settle(answer: TrustAnswer): void {
        resolve(answer)
        lines.close()
      }
      lines.on('line', typed => {
        const answer = parseTrustAnswer(typed)
        if (answer) settle(answer)
        else lines.prompt()
      })
      lines.once('SIGINT', () => {
        onInterrupt()
        settle('later')
      })
      lines.once('close', () => settle('later'))
      lines.prompt()
    })
  }
}

/** All of it, since it is what the person answers for; what is new since they last did comes first. */
export function describeUntrustedFile(file: UntrustedFile): string {
  const added = findNewLines(file)
  const known = file.lines.filter(line => !added.includes(line))
  const { before } = file
  const intro =
    before?.decision === 'trusted'
      ? `has changed since you trusted it on ${new Date(before.decidedAt).toISOString().slice(0, 10)}.`
      : 'came with the project, and would make things looser than you have set them.'
  return [
    '',
    `${oneLine(file.path)} ${intro}`,
    ...section(before?.decision === 'trusted' ? 'New in it:' : 'It says:', added),
    ...section('As before:', known),
    '',
  ].join('\n')
}

// Indented, so that foreign text can't pass for our own lines.
function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines.map(line => `    ${oneLine(line)}`)]
}

/** Undefined for what is no answer: it is asked again. Only a plain yes is one. */
function parseTrustAnswer(typed: string): TrustAnswer | undefined {
  switch (typed.trim().toLowerCase()) {
    case 'y':
    case 'yes':
      return 'trusted'
    case '':
    case 'n':
    case 'no':
      return 'later'
    case 'never':
      return 'never'
    default:
      return undefined
  }
}
