import { join } from 'node:path'
import { test } from 'node:test'
import { createId } from '@deckhand/core'
import { killWhileAppending } from '../fixtures/kill-while-appending.ts'
import { createTemporaryFolder } from '../fixtures/temporary-folder.ts'

test('core.sessions: two hundred kills with -9 at random moments lose nothing that was acknowledged', async () => {
  // Several files, so that the checks do not grow with all that was written before.
  for (let file = 0; file < 10; file++)
    await killWhileAppending(join(createTemporaryFolder(), 'deckhand.db'), createId('session'), 20)
})
