import { describe, it } from 'node:test'
import { expect } from 'chai'
import { zipSync } from 'fflate'
import { measure } from '../../../../api/trading/criteria/measure.ts'
import { wordDocument, zipOf } from '../../../kit/api/workspace/processing/archive.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const resultOf = async (bytes: Uint8Array, asked: object) => {
  const [made] = await measure(bytes, [{ number: 1, check: asked as never }])
  return [made?.result, made?.found]
}
const typed = (bytes: Uint8Array, type: string) => resultOf(bytes, { kind: 'media_types', any_of: [type] })
const entries = (bytes: Uint8Array, expected: number, distinct = false) =>
  resultOf(bytes, { kind: 'units', of: 'zip_entries', expected, distinct })

const ENCRYPTED = 1
const STRONG = 0x41
const AES = 99

/** Marks the entries of an archive from a number on, as a program does that encrypts them. */
function marked(archive: Uint8Array, { from = 0, flags = ENCRYPTED, method = 8 } = {}): Buffer {
  const bytes = Buffer.from(archive)
  for (const [signature, at] of [
    ['PK\x01\x02', 8],
    ['PK\x03\x04', 6],
  ] as const) {
    let place = -1
    for (let number = 0; ; number++) {
      place = bytes.indexOf(signature, place + 1, 'latin1')
      if (place < 0) break
      if (number < from) continue
      bytes.writeUInt16LE(bytes.readUInt16LE(place + at) | flags, place + at)
      bytes.writeUInt16LE(method, place + at + 2)
    }
  }
  return bytes
}

const THREE = zipSync({ 'a.txt': latin('one'), 'b.txt': latin('two'), 'c.txt': latin('three') })
const PDF = '%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n'
const locked = (name = '/Encrypt') => latin(PDF.replace('/Root', `${name} 5 0 R/Root`))
const ODT = 'application/vnd.oasis.opendocument.text'
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const openDocument = (manifest: string) =>
  zipOf({
    mimetype: ODT,
    'content.xml': 'x',
    'META-INF/manifest.xml': `<manifest:manifest>${manifest}</manifest:manifest>`,
  })

const EPUB = 'application/epub+zip'
const epub = (algorithm: string) =>
  zipOf({
    mimetype: EPUB,
    'META-INF/encryption.xml': `<e:EncryptionMethod xmlns:e="http://www.w3.org/2001/04/xmlenc#" Algorithm="${algorithm}"/>`,
  })

/** Returns a compound file of streams that begin so. */
function compound(streams: Readonly<Record<string, Buffer>>): Buffer {
  const header = Buffer.alloc(512)
  latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1').copy(header)
  header.writeUInt16LE(9, 30)
  const sectors: Buffer[] = []
  const directory = Object.entries(streams).map(([name, begin], place) => {
    const entry = Buffer.alloc(128)
    entry.write(name, 'utf16le')
    entry.writeUInt16LE(2 * name.length + 2, 64)
    entry[66] = 2
    entry.writeUInt32LE(1 + place, 116)
    entry.writeUInt32LE(4_096, 120)
    sectors.push(Buffer.concat([begin, Buffer.alloc(512 - begin.length)]))
    return entry
  })
  const listed = Buffer.concat(directory)
  return Buffer.concat([header, listed, Buffer.alloc(512 - listed.length), ...sectors, Buffer.alloc(4_096)])
}

/** Returns a 7z archive with this list of what is in it. */
function sevenZip(list: Buffer): Buffer {
  const start = Buffer.alloc(32)
  latin('7z\xbc\xaf\x27\x1c\x00\x04').copy(start)
  start.writeBigUInt64LE(BigInt(list.length), 20)
  return Buffer.concat([start, list])
}
const SEVEN = 'application/x-7z-compressed'
// A folder of one coder: the AES of 7-Zip, or plain copying.
const AES_CODER = Buffer.from(`010411070b0100012406f107010a13${'00'.repeat(10)}`, 'hex')
const COPY_CODER = Buffer.from('010411070b0100010100', 'hex')
describe('an encrypted delivery', () => {
  const zips: [string, Uint8Array][] = [
    ['with a password', marked(THREE)],
    ['by AES', marked(THREE, { method: AES })],
    ['by strong encryption', marked(THREE, { flags: STRONG })],
    ['in its last file', marked(THREE, { from: 2 })],
  ]
  for (const [name, bytes] of zips) {
    it(`of a ZIP ${name} is unchecked`, async () => {
      expect(await entries(bytes, 3)).to.deep.equal(['unchecked', undefined])
      expect(await entries(bytes, 3, true)).to.deep.equal(['unchecked', undefined])
      // What is encrypted does not count as a share either.
      expect(await entries(bytes, 10)).to.deep.equal(['unchecked', undefined])
      expect(await typed(bytes, 'application/zip')).to.deep.equal(['unchecked', 'application/zip'])
      expect((await typed(bytes, 'image/png'))[0]).to.equal('fail')
    })
  }

  it('has enough units if enough are not encrypted', async () => {
    expect(await entries(marked(THREE, { from: 2 }), 2)).to.deep.equal(['pass', 2])
  })

  it('of a ZIP whose list is encrypted is unchecked', async () => {
    const bytes = marked(THREE)
    bytes.fill(0xa5, bytes.indexOf('PK\x01\x02'), bytes.indexOf('PK\x05\x06'))
    expect(await entries(bytes, 3)).to.deep.equal(['unchecked', undefined])
  })

  const pdfs: [string, Buffer][] = [
    ['', locked()],
    [' whose name for it is written in another way', locked('/Encr#79pt')],
  ]
  for (const [name, bytes] of pdfs) {
    it(`of a PDF${name} is unchecked`, async () => {
      expect(await typed(bytes, 'application/pdf')).to.deep.equal(['unchecked', 'application/pdf'])
    })
  }

  it('of an Office document is unchecked, though its container is of another type', async () => {
    const bytes = compound({ EncryptionInfo: latin('\x04\0\x04\0'), EncryptedPackage: latin('x') })
    expect(await typed(bytes, DOCX)).to.deep.equal(['unchecked', 'application/x-cfb'])
    expect(await typed(bytes, 'application/x-cfb')).to.deep.equal(['unchecked', 'application/x-cfb'])
    expect((await typed(bytes, 'application/pdf'))[0]).to.equal('fail')
  })

  it('of an Office document of before 2007 is unchecked', async () => {
    const fields = Buffer.alloc(64)
    fields.writeUInt16LE(0x0100, 10)
    expect((await typed(compound({ WordDocument: fields }), 'application/x-cfb'))[0]).to.equal('unchecked')
    const begin = Buffer.from(`09081000${'00'.repeat(16)}`, 'hex')
    const workbook = (next: string) => compound({ Workbook: Buffer.concat([begin, Buffer.from(next, 'hex')]) })
    expect((await typed(workbook('2f000600010000000000'), 'application/x-cfb'))[0]).to.equal('unchecked')
    expect((await typed(workbook('e1000200b004'), 'application/x-cfb'))[0]).to.equal('pass')
    const slides = {
      'PowerPoint Document': latin('x'),
      'Current User': latin('\0\0\xf6\x0f\x14\0\0\0\x14\0\0\0\xdf\xc4\xd1\xf3'),
    }
    expect((await typed(compound(slides), 'application/x-cfb'))[0]).to.equal('unchecked')
  })

  it('of an EPUB is unchecked', async () => {
    expect(await typed(epub('http://www.w3.org/2001/04/xmlenc#aes128-cbc'), EPUB)).to.deep.equal(['unchecked', EPUB])
  })

  it('of an OpenDocument is unchecked, also if its manifest is in UTF-16', async () => {
    const mark = '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>'
    const wide = Buffer.from(`\ufeff${mark}`, 'utf16le')
    const other = zipOf({ mimetype: ODT, 'content.xml': 'x', 'META-INF/manifest.xml': wide })
    expect(await typed(other, ODT)).to.deep.equal(['unchecked', ODT])
    const bytes = openDocument(mark)
    expect(await typed(bytes, ODT)).to.deep.equal(['unchecked', ODT])
    expect(await entries(bytes, 3)).to.deep.equal(['unchecked', undefined])
  })

  it('of a 7z archive is unchecked, also where its list of files is packed and could say so', async () => {
    for (const list of [[0x01, ...AES_CODER], [0x17, ...AES_CODER], [0x17]])
      expect(await typed(sevenZip(Buffer.from(list)), SEVEN)).to.deep.equal(['unchecked', SEVEN])
  })

  it('within an archive is not counted', async () => {
    const documents = [locked(), marked(THREE), compound({ EncryptedPackage: latin('x') }), sevenZip(AES_CODER)]
    for (const [place, document] of documents.entries()) {
      const bytes = zipSync({ a: document, b: latin('two') })
      expect(await entries(bytes, 2), `${place}`).to.deep.equal(['unchecked', undefined])
      expect(await entries(bytes, 1), `${place}`).to.deep.equal(['pass', 1])
    }
  })
})

describe('a delivery that is not encrypted', () => {
  const files: [string, Uint8Array, string][] = [
    ['a ZIP', THREE, 'application/zip'],
    ['a PDF', latin(PDF), 'application/pdf'],
    [
      'a PDF that speaks of it',
      latin(PDF.replace('/Root', '/Title (Encrypt)/EncryptMetadata true/Root')),
      'application/pdf',
    ],
    ['a Word document', wordDocument(''), DOCX],
    ['an EPUB whose fonts are obfuscated', epub('http://www.idpf.org/2008/embedding'), EPUB],
    ['an OpenDocument', openDocument('<manifest:file-entry/>'), ODT],
    ['a compound file', compound({ WordDocument: Buffer.alloc(64) }), 'application/x-cfb'],
    ['a 7z archive', sevenZip(Buffer.concat([Buffer.from([1]), COPY_CODER])), SEVEN],
  ]
  for (const [name, bytes, type] of files) {
    it(`passes as what it is: ${name}`, async () => {
      expect(await typed(bytes, type)).to.deep.equal(['pass', type])
    })
  }
})
