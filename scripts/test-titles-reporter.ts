// Writes a JSON line per finished test (title, passed), which `npm run requirements` reads.
interface TestEvent {
  readonly type: string
  readonly data: {
    readonly name?: string
    readonly skip?: unknown
    readonly todo?: unknown
    readonly details?: { readonly type?: string }
  }
}

export default async function* titles(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.details?.type === 'suite') continue
    const passed = type === 'test:pass' && data.skip === undefined && data.todo === undefined
    yield `${JSON.stringify({ title: data.name, passed })}\n`
  }
}
