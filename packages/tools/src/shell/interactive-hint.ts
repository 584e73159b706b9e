import { noEditor } from '@deckhand/process'

const wantsPerson =
  /EOFError|EOF when reading|not a tty|not a terminal|no tty present|not connected to a terminal|terminal is required|requires a (tty|terminal)|inappropriate ioctl|terminal prompts disabled|could not read (username|password)|\/dev\/tty|failed tty get|host key verification failed|input is not from a terminal/i

/**
 * What to do instead, when a command failed since it wanted a person: an editor, an answer, a password.
 * Judged by the end of its output. Undefined when there is no sign of that.
 */
export function findInteractiveHint(output: string, deciders: readonly string[]): string | undefined {
  if (output.includes(noEditor))
    return 'there is no editor: give the message with -m or -F; to take a prepared text as it is, set GIT_EDITOR=true'
  if (wantsPerson.test(output) || deciders.includes('read'))
    return 'there is no stdin and no terminal: pass the answers as arguments, or pipe them in'
  return undefined
}
