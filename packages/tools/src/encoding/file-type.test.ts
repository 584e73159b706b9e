import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyContent } from './classify-content.ts'

function zipOf(members: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(members).map(([name, data]) => {
    const header = Buffer.alloc(30)
    header.write('PK\x03\x04', 'latin1')
    header.writeUInt32LE(data.length, 18)
    header.writeUInt16LE(name.length, 26)
    return Buffer.concat([header, Buffer.from(name + data)])
  })
  return Buffer.concat(parts)
}

const binaries: readonly (readonly [string, Buffer, string])[] = [
  ['docx', zipOf({ '[Content_Types].xml': 'x', 'word/document.xml': 'y' }), 'Word document (docx)'],
  ['xlsx', zipOf({ '[Content_Types].xml': 'x', '_rels/.rels': 'x', 'xl/workbook.xml': 'y' }), 'Excel workbook (xlsx)'],
  ['pptx', zipOf({ '[Content_Types].xml': 'x', 'ppt/slides/slide1.xml': 'y' }), 'PowerPoint presentation (pptx)'],
  ['odt', zipOf({ mimetype: 'application/vnd.oasis.opendocument.text' }), 'OpenDocument text'],
  ['epub', zipOf({ mimetype: 'application/epub+zip' }), 'EPUB book'],
  ['zip', zipOf({ 'a.txt': 'xl/ and word/ are only words here' }), 'ZIP archive'],
  ['elf', Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), 'ELF program or library'],
  ['sqlite', Buffer.from('SQLite format 3\0\x10\0', 'latin1'), 'SQLite database'],
  ['pe', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), 'Windows program or library'],
  ['bmp', Buffer.from('BM\x36\0\0\0\0\0', 'latin1'), 'BMP image'],
  ['wav', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'), 'WAV audio'],
]
for (const [id, bytes, words] of binaries) {
  test(`read.magic_bytes: ${words} is known by its bytes`, async () => {
    const content = await classifyContent(bytes)
    assert.ok(content.kind === 'typed')
    assert.deepEqual([content.type.id, content.type.words], [id, words])
  })
}

const texts = [
  'MZ is not always a program',
  'BM',
  'PAR1 PACK OTTO ID3',
  'RIFF 1234WAVE of text',
  'GIF89a is a format',
  '{\\rtf1 source}',
  '',
]
for (const text of texts) {
  test(`read.magic_bytes: text that begins like a binary is text: ${JSON.stringify(text)}`, async () => {
    assert.equal((await classifyContent(Buffer.from(text))).kind, 'text')
  })
}
