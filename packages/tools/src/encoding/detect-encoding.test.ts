import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { detectContentEncoding, detectEncoding } from './detect-encoding.ts'
import { decodeText, encodeText } from './text-encoding.ts'

async function decoded(bytes: Buffer): Promise<string> {
  const detected = await detectEncoding(bytes)
  if (detected.kind !== 'text') return detected.kind
  return decodeText(bytes.subarray(detected.encoding.bomBytes), detected.encoding)
}

const samples: Readonly<Record<string, string>> = {
  gbk: '今天的天气很好，我们一起去公园散步吧。程序员喜欢写代码。',
  big5: '今天的天氣很好，我們一起去公園散步吧。程式設計師喜歡寫程式。',
  shift_jis: '今日はとても良い天気です。プログラムを書きます。',
  eucjp: '今日はとても良い天気です。プログラムを書きます。',
  euckr: '오늘은 날씨가 매우 좋습니다. 프로그램을 작성합니다.',
  win1251: 'Привет, мир! Сегодня хорошая погода.',
  'koi8-r': 'Привет, мир! Сегодня хорошая погода.',
  win1252: 'Le café crème, déjà vu “à bientôt”',
  utf8: 'naïve café, 你好, привет',
}
for (const [encoding, text] of Object.entries(samples)) {
  test(`read.magic_bytes: a short text in ${encoding} is read as it was written`, async () => {
    assert.equal(await decoded(iconv.encode(text, encoding)), text)
  })
}

test('read.magic_bytes: two Chinese characters alone, and one accent alone, are read right', async () => {
  assert.equal(await decoded(Buffer.from('c4e3bac3', 'hex')), '你好')
  assert.equal(await decoded(Buffer.from('const x = 1;\n// caf\xe9\n', 'latin1')), 'const x = 1;\n// café\n')
})

test('read.magic_bytes: any text is found again in UTF-8 and, with a mark, in UTF-16', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async text => {
      const clean = text.replace(/[\0-\x1f\ufeff]/g, '')
      assert.equal(await decoded(Buffer.from(clean)), clean)
      assert.equal(await decoded(Buffer.from(`\ufeff${clean}`)), clean)
      assert.equal(await decoded(Buffer.from(`\ufeff${clean}`, 'utf16le')), clean)
    }),
  )
})

test('read.magic_bytes: a sample may end inside a character', async () => {
  const bytes = Buffer.from('a€😀')
  for (let length = 1; length <= bytes.length; length++) {
    const detected = await detectEncoding(bytes.subarray(0, length))
    assert.equal(detected.kind === 'text' && detected.encoding.name, 'UTF-8')
  }
})

test('read.magic_bytes: bytes without order are binary', async () => {
  assert.equal(await decoded(Buffer.from([1, 2, 0, 3, 4, 0, 0, 9])), 'binary')
  assert.equal(await decoded(Buffer.from([1, 2, 3, 4, 5, 6, 200, 201])), 'binary')
  assert.equal(await decoded(Buffer.from([0xff, 0xfe, 0, 0, 65, 0, 0, 0])), 'utf-32')
})

test('read.magic_bytes: of a whole content the first byte that is not ASCII decides, however late it comes', async () => {
  const late = Buffer.concat([Buffer.alloc(100_000, 'x'), Buffer.from(' caf\xe9 cr\xe8me', 'latin1')])
  const detected = await detectContentEncoding(late)
  assert.equal(detected.kind === 'text' && detected.encoding.name, 'windows-1252')
})

test('read.magic_bytes: what is encoded again is the same bytes, or nothing', async () => {
  const gb = { name: 'GB18030', bomBytes: 0, guessed: true }
  const western = { name: 'windows-1252', bomBytes: 0, guessed: true }
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  assert.deepEqual(await encodeText(decodeText(all, western), western), all)
  assert.deepEqual(await encodeText('你好', gb), Buffer.from('c4e3bac3', 'hex'))
  assert.equal(await encodeText('你好', western), undefined)
  assert.equal(await encodeText('\ud800', { name: 'UTF-8', bomBytes: 0, guessed: false }), undefined)
})
