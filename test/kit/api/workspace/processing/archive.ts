import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

/** Returns a zip archive of these entries, in this order. An Office document is one. */
export function zipOf(entries: Readonly<Record<string, string | Buffer>>): Buffer<ArrayBuffer> {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(entries)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes, { level: 9 })
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    const version = Buffer.from([20, 0])
    central.push(Buffer.concat([Buffer.from('PK\x01\x02'), version, fields, rest, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(central.length, 4)
  end.writeUInt16LE(central.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end])
}

/** Returns a Word document whose body is this XML. */
export function wordDocument(body: string, doctype = ''): Buffer<ArrayBuffer> {
  return zipOf(wordParts(body, doctype))
}

/** Returns the entries of a Word document whose body is this XML. */
export function wordParts(body: string, doctype = ''): Record<string, string> {
  const types = 'http://schemas.openxmlformats.org/package/2006/content-types'
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
  return {
    '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="${types}"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    'word/document.xml': `<?xml version="1.0"?>${doctype}<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
  }
}

/** Returns a paragraph of a Word document. */
export function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
}

/** Returns a black PNG picture of so many pixels, of which eight take up one byte before they are packed. */
export function pngOf(width: number, height: number): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(1, 8)
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 9 })
  const chunk = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(typed))
    return Buffer.concat([length, typed, check])
  }
  const chunks = [chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}
