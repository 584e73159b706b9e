import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { identifyFileType } from '../encoding/file-type.ts'
import { findImageSize } from './image.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const le16 = (value: number) => latin(String.fromCharCode(value & 255, value >> 8))
const be16 = (value: number) => latin(String.fromCharCode(value >> 8, value & 255))
const riff = (body: Buffer) => Buffer.concat([latin('RIFF\0\0\0\0WEBP'), body])

const images: Readonly<Record<string, Buffer>> = {
  gif: Buffer.concat([latin('GIF89a'), le16(300), le16(200), Buffer.alloc(3)]),
  jpeg: Buffer.concat([
    latin('\xff\xd8\xff\xe1\0\x06Exif\xff\xff\xdb\0\x04\0\0\xff\xc2\0\x11\x08'),
    be16(200),
    be16(300),
    Buffer.alloc(12),
  ]),
  'webp lossy': riff(Buffer.concat([latin('VP8 \0\0\0\0\0\0\0\x9d\x01\x2a'), le16(300), le16(200)])),
  'webp lossless': riff(
    (() => {
      const body = Buffer.alloc(20)
      body.write('VP8L')
      body[8] = 0x2f
      body.writeUInt32LE(299 | (199 << 14), 9)
      return body
    })(),
  ),
  'webp extended': riff(
    (() => {
      const body = Buffer.alloc(20)
      body.write('VP8X')
      body.writeUIntLE(299, 12, 3)
      body.writeUIntLE(199, 15, 3)
      return body
    })(),
  ),
}

for (const [name, bytes] of Object.entries(images)) {
  test(`read.magic_bytes: the size of a ${name} image stands in its header`, () => {
    const type = identifyFileType(bytes)
    assert.equal(type?.id, name.split(' ')[0])
    assert.deepEqual(findImageSize(bytes, { id: type?.id ?? '' }), { width: 300, height: 200 })
  })
}

test('read.magic_bytes: a damaged header gives no size and no failure', () => {
  fc.assert(
    fc.property(fc.constantFrom('png', 'gif', 'jpeg', 'webp'), fc.uint8Array({ maxLength: 60 }), (id, bytes) => {
      findImageSize(Buffer.from(bytes), { id })
      findImageSize(Buffer.concat([latin('\xff\xd8'), Buffer.from(bytes)]), { id })
    }),
  )
})
