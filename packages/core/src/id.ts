declare const brand: unique symbol

/** A string that is told apart from other strings by the kind of thing it names. */
type Id<Kind extends string> = string & { readonly [brand]: Kind }

export type SessionID = Id<'session'>
export type MessageID = Id<'message'>
export type PartID = Id<'part'>
export type TurnID = Id<'turn'>
export type PermissionID = Id<'permission'>

const prefixes = { session: 'ses', message: 'msg', part: 'prt', turn: 'trn', permission: 'per' } as const
export type IdKind = keyof typeof prefixes

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const timeDigits = 14
const randomDigits = 12

let lastTime = 0
let countInMs = 0

/**
 * Makes an id such as `msg_0192f4c1a2b001QjYw3f9zK2bT`: prefix, then time, then randomness.
 * Ids of one process sort by the order in which they were made, also within one millisecond.
 * Random digits (71 bits) keep ids of different processes apart.
 */
export function createId<Kind extends IdKind>(kind: Kind, now: number = Date.now()): Id<Kind> {
  if (now === lastTime) countInMs++
  else {
    lastTime = now
    countInMs = 0
  }
  const ordered = (BigInt(now) * 4096n + BigInt(countInMs % 4096)).toString(16).padStart(timeDigits, '0')
  return `${prefixes[kind]}_${ordered}${randomText(randomDigits)}` as Id<Kind>
}

/** Does the text have the form of an id of this kind? OpenCode's ids (`ses_…`, `msg_…`, `prt_…`) do too. */
export function isId<Kind extends IdKind>(kind: Kind, text: string): text is Id<Kind> {
  return new RegExp(`^${prefixes[kind]}_[0-9A-Za-z]{8,64}$`).test(text)
}

/** A text of `length` characters from 0-9A-Za-z, from the system's secure source: for ids, fences and tokens. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      // 248 is the largest multiple of 62 in a byte: larger values would favour some characters.
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}
