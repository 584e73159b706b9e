// What the compiler tells the author of a plugin. `npm run check` compiles this file: an error that is expected here and
// does not come is an error.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionID } from '../id.ts'
import { definePlugin, type Plugin, type PluginFactory } from './plugin.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const isSame = <A, B>(_: Same<A, B>) => undefined

const plugin = definePlugin({
  name: 'typed',
  hooks: {
    'shell.env'(event) {
      isSame<typeof event.env, Readonly<Record<string, string>>>(true)
      isSame<typeof event.sessionID, SessionID>(true)
      isSame<typeof event.signal, AbortSignal>(true)
      // @ts-expect-error what a hook is given can't be changed
      event.env.PATH = '/bin'
      return { env: { SET: 'text', REMOVED: null } }
    },
    async 'tool.before'(event) {
      isSame<typeof event.input, Readonly<Record<string, unknown>>>(true)
      // @ts-expect-error nor can the input
      event.input.command = 'ls'
      if (event.tool === 'read') return { refuse: 'not now' }
      return event.tool === 'shell' ? { input: { ...event.input, timeoutMs: 5 } } : undefined
    },
    'tool.after'(event) {
      isSame<typeof event.result.output, string>(true)
      // @ts-expect-error attachments are not shown to plugins
      event.result.attachments
    },
  },
})
isSame<typeof plugin, Plugin>(true)

const factory = definePlugin(async ({ directory, root, options }) => {
  isSame<typeof directory, string>(true)
  isSame<typeof root, string>(true)
  // Whoever writes the configuration may write anything: the plugin checks it.
  isSame<typeof options.level, unknown>(true)
  return { name: 'made', hooks: {} }
})
isSame<typeof factory, PluginFactory>(true)

// @ts-expect-error there is no such hook
definePlugin({ name: 'wrong', hooks: { 'tool.befor': () => undefined } })

// @ts-expect-error a plugin has a name
definePlugin({ hooks: {} })

// @ts-expect-error a variable is a text, or null: one that the environment may lack has to be looked at first
definePlugin({ name: 'wrong', hooks: { 'shell.env': () => ({ env: { A: undefined as string | undefined } }) } })

// @ts-expect-error a number is no text
definePlugin({ name: 'wrong', hooks: { 'shell.env': () => ({ env: { A: 1 } }) } })

// @ts-expect-error either another input or a refusal
definePlugin({ name: 'wrong', hooks: { 'tool.before': () => ({ input: {}, refuse: 'no' }) } })

// @ts-expect-error the note is a text
definePlugin({ name: 'wrong', hooks: { 'tool.after': async () => ({ note: ['a'] }) } })

test('core.shell_env: definePlugin gives back what it was given', async () => {
  assert.equal(plugin.name, 'typed')
  assert.deepEqual(await factory({ directory: '/w', root: '/w', options: {} }), { name: 'made', hooks: {} })
})
