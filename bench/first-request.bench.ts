import { createDeckhandFixture } from './deckhand-fixture.ts'
import { measureProcess } from './measure.ts'
import type { Bench } from './result.ts'

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools: readonly { readonly function: { readonly name: string } }[]
}

/** What the model is sent before anything has happened: paid for with every request. */
const bench: Bench = async () => {
  const fixture = await createDeckhandFixture([{ text: 'Hello there.' }])
  try {
    await measureProcess(fixture.argv('hello'), fixture.options)
    const body = fixture.requests()[0]?.body as unknown as ChatBody
    const size = (value: unknown) => JSON.stringify(value).length
    const tools = body.tools.map(tool => `${tool.function.name} ${size(tool)}`)
    return [
      {
        name: 'first request, with all tools',
        figures: `system ${size(body.messages[0])}, ${tools.join(', ')} bytes`,
        value: size(body) / 1000,
        limit: 14,
        unit: 'kB',
      },
    ]
  } finally {
    await fixture.close()
  }
}

export default bench
