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

/** Does the variable's value name this call? */
export function namesCall(value: string | undefined, token: string): boolean {
  return value?.split(':').includes(token) ?? false
}

/** Does the variable's value name any call of this runner? */
export function namesRun(value: string | undefined, runID: string): boolean {
  return value?.split(':').some(token => token.startsWith(`${runID}.`)) ?? false
}
