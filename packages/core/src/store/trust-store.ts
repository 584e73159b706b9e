/** What a person said about one configuration file of a project. */
export interface ProjectTrust {
  /** Real path of the file. */
  readonly path: string
  /** `trusted`: what it allows counts as long as its content stays; `never`: it doesn't, and they want no question of it. */
  readonly decision: 'trusted' | 'never'
  /** Of the content that was shown, in hexadecimal. */
  readonly sha256: string
  /** What it would allow, as it was shown: for what is new when it changes. */
  readonly lines: readonly string[]
  readonly decidedAt: number
  readonly decidedBy: string
}

/** Keeps which projects a person trusts. Every method may throw StoreError. */
export interface TrustStore {
  /** By path. */
  listTrust(): Promise<readonly ProjectTrust[]>
  /** In place of what was said before of this path. */
  setTrust(trust: ProjectTrust): Promise<void>
  /** False when nothing was said of this path. */
  removeTrust(path: string): Promise<boolean>
}
