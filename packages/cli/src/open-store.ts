import type { Store } from '@deckhand/core'
import { openSqliteStore } from '@deckhand/store'
import type { CliContext } from './cli-context.ts'
import { resolvePlaces } from './places.ts'

/** Opens the user's store, hands it to `act`, and closes it whatever happens. */
export async function withStore<Result>(context: CliContext, act: (store: Store) => Promise<Result>): Promise<Result> {
  const { databaseFile } = resolvePlaces(context.env, context.home)
  const log = {
    debug() {},
    warn: (message: string) => void context.stderr.write(`deckhand: ${message}\n`),
  }
  const store = await openSqliteStore({ file: databaseFile, clock: context.clock, log })
  try {
    return await act(store)
  } finally {
    await store.close()
  }
}
