/**
 * Every process of a call carries the call's token in its environment, so that one that left the process group (setsid,
 * a daemon) is still found. A call inside a call adds its token to the list. Readable on Linux only.
 */
export const markerVariable = 'DECKHAND_CALL'

/** The environment with the token added. */
export function markEnvironment(environment: Readonly<Record<string, string>>, token: string): Record<string, string> {
  const outer = environment[markerVariable]
  return { ...environment, [markerVariable]: outer ? `${outer}:${token}` : token }
}

/** The calls that the variable's value names, outermost first. */
export function listTokens(value: string | undefined): readonly string[] {
  return value?.split(':') ?? []
}

/** Is it the token of a call of this run? */
export function isOfRun(token: string, runID: string): boolean {
  return token.startsWith(`${runID}.`)
}
