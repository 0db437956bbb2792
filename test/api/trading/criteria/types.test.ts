import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { zipSync } from 'fflate'
import { measure } from '../../../../api/trading/criteria/measure.ts'
import { wordDocument, zipOf } from '../../../kit/api/workspace/processing/archive.ts'

type Given = string | Uint8Array
const bytesOf = (given: Given) => (typeof given === 'string' ? new TextEncoder().encode(given) : given)
const check = async (given: Given, asked: object) => {
  const [made] = await measure(bytesOf(given), [{ number: 1, check: asked as never }])
  return made
}
const typed = async (given: Given, type: string) => {
  const made = await check(given, { kind: 'media_types', any_of: [type] })
  return `${made?.result} ${made?.found}`
}
const latin = (text: string) => Buffer.from(text, 'latin1')

const PDF = '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n'
const RTF = '{\\rtf1\\ansi Rich words}'
const POSTSCRIPT = '%!PS-Adobe-3.0\nshowpage\n'
const HTML = '<!doctype html><html><body><p>One</p></body></html>'
const XML = '<?xml version="1.0"?><a>1</a>'
const SVG = '<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'
const CSV = 'name,age\nAda,36\n"Byron, Lord",36\n'
const AVIF = latin('\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf\0\0\0\x08mdat')
const HEIC = latin('\0\0\0\x18ftypmif1\0\0\0\0mif1heic\0\0\0\x08mdat')
const OPUS = latin(`OggS\0\x02${'\0'.repeat(22)}OpusHead\x01\x02${'\0'.repeat(20)}`)

describe('a media type that was agreed', () => {
  const cases: [string, Given, string, string][] = [
    ['a table', CSV, 'text/csv', 'pass text/plain'],
    ['a table of one column', 'line\none\ntwo\n', 'text/csv', 'pass text/plain'],
    ['a table whose name for a column begins as another format', 'BMI,age\n21,36\n', 'text/csv', 'pass text/plain'],
    ['a table with semicolons', 'name;price\nAda;1,50\nBob;12\n', 'text/csv', 'pass text/plain'],
    ['a table in windows-1252', latin('naïve,âge\nZoë,36\n'), 'text/csv', 'pass text/plain'],
    ['a table in UTF-16', Buffer.from(`\ufeff${CSV}`, 'utf16le'), 'text/csv', 'pass text/plain'],
    ['a PDF as a table', PDF, 'text/csv', 'fail application/pdf'],
    ['a PDF behind blank lines as a table', `\n\n${PDF}`, 'text/csv', 'fail application/pdf'],
    ['RTF as a table', RTF, 'text/csv', 'fail application/rtf'],
    ['RTF behind a blank line as a table', `\n${RTF}`, 'text/csv', 'fail application/rtf'],
    ['PostScript as a table', POSTSCRIPT, 'text/csv', 'fail application/postscript'],
    ['XML as a table', XML, 'text/csv', 'fail application/xml'],
    ['HTML as a table', HTML, 'text/csv', 'fail text/html'],
    ['HTML without a declaration as a table', '\n<HTML lang="en"><p>One', 'text/csv', 'fail text/html'],
    ['JSON as a table', '[{"a":1}]', 'text/csv', 'fail application/json'],
    ['prose as a table', 'Dear buyer,\nI could not do it, sorry, truly.\n', 'text/csv', 'fail text/plain'],
    ['text', 'One line.', 'text/plain', 'pass text/plain'],
    ['text that speaks of PDF', 'A file of this kind begins\n%PDF-1.7 and so on.', 'text/plain', 'pass text/plain'],
    ['JSON as text', '{"a":1}', 'text/plain', 'pass application/json'],
    ['a PDF as text', PDF, 'text/plain', 'fail application/pdf'],
    ['RTF as text', RTF, 'text/plain', 'fail application/rtf'],
    ['HTML as text, which it also is', HTML, 'text/plain', 'unchecked text/html'],
    ['bytes as text', latin('\0\x01\x02'), 'text/plain', 'fail application/octet-stream'],
    ['Markdown', '# One\n', 'text/markdown', 'pass text/plain'],
    ['PostScript as Markdown', POSTSCRIPT, 'text/markdown', 'fail application/postscript'],
    ['text of a kind that bytes do not tell', 'def one(): pass\n', 'text/x-python', 'unchecked text/plain'],
    ['a PDF as a kind that bytes do not tell', PDF, 'text/x-python', 'fail application/pdf'],
    ['HTML', HTML, 'text/html', 'pass text/html'],
    ['part of HTML', 'One &amp; <b>two</b>', 'text/html', 'unchecked text/plain'],
    ['prose as HTML', 'One and two', 'text/html', 'fail text/plain'],
    ['XML', XML, 'text/xml', 'pass application/xml'],
    ['XML without a declaration', '<a>1</a>', 'application/xml', 'unchecked text/plain'],
    ['prose as XML', 'One', 'application/xml', 'fail text/plain'],
    ['SVG', SVG, 'image/svg+xml', 'pass image/svg+xml'],
    ['SVG as XML', SVG, 'application/xml', 'pass image/svg+xml'],
    ['prose that speaks of SVG', 'It begins with <svg > and ends.', 'image/svg+xml', 'fail text/plain'],
    ['a PDF behind a byte order mark', `\ufeff${PDF}`, 'application/pdf', 'pass application/pdf'],
    ['a PDF behind a line end', `\n${PDF}`, 'application/pdf', 'pass application/pdf'],
    ['a PDF behind a header', latin(`\0\x80 job 1\r\n${PDF}`), 'application/pdf', 'pass application/pdf'],
    ['a PDF too far in', `${' '.repeat(1_024)}${PDF}`, 'application/pdf', 'fail text/plain'],
    ['AVIF of the brand mif1', AVIF, 'image/avif', 'pass image/avif'],
    ['AVIF as HEIC', AVIF, 'image/heic', 'fail image/avif'],
    ['HEIC of the brand mif1', HEIC, 'image/heic', 'pass image/heif'],
    ['BigTIFF', latin('II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0'), 'image/tiff', 'pass image/tiff'],
    ['a picture in words', 'GIF89a is what it begins with', 'image/gif', 'unchecked text/plain'],
    ['words that begin as a picture', 'BMW builds cars', 'text/plain', 'pass text/plain'],
    [
      'an OpenDocument that was packed again',
      zipOf({
        'content.xml': '<a/>',
        mimetype: 'application/vnd.oasis.opendocument.text',
        'META-INF/manifest.xml': '<a/>',
      }),
      'application/vnd.oasis.opendocument.text',
      'pass application/vnd.oasis.opendocument.text',
    ],
    [
      'an archive of a program',
      zipOf({ 'META-INF/MANIFEST.MF': 'x' }),
      'application/zip',
      'unchecked application/java-archive',
    ],
    [
      'a Word document',
      wordDocument(''),
      'application/zip',
      'unchecked application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['an archive of another kind', gzipSync('x'), 'application/zip', 'fail application/gzip'],
    ['sound whose codec is named', OPUS, 'audio/ogg', 'pass audio/ogg'],
  ]
  for (const [name, given, type, expected] of cases) {
    it(`${type} of ${name}: ${expected}`, async () => {
      expect(await typed(given, type)).to.equal(expected)
    })
  }

  it('is any of several: what passes by one passes', async () => {
    const any = (types: string[]) => check(HTML, { kind: 'media_types', any_of: types })
    expect((await any(['text/csv', 'text/html']))?.result).to.equal('pass')
    expect((await any(['text/csv', 'text/plain']))?.result).to.equal('unchecked')
    expect((await any(['text/csv', 'image/png']))?.result).to.equal('fail')
  })
})

describe('units that were agreed', () => {
  const units = async (given: Given, of: string, expected: number, distinct = false) => {
    const made = await check(given, { kind: 'units', of, expected, distinct })
    return [made?.result, made?.found]
  }

  it('are not counted in what is no text, or no table', async () => {
    for (const one of [PDF, RTF, POSTSCRIPT, `\n${RTF}`]) {
      expect(await units(one, 'lines', 1)).to.deep.equal(['fail', 0])
      expect(await units(one, 'csv_rows', 1)).to.deep.equal(['fail', 0])
    }
    for (const one of [`${HTML}\n${HTML}`, `${XML}\n1\n`, '[1,\n2,\n3]'])
      expect(await units(one, 'csv_rows', 1), one).to.deep.equal(['fail', 0])
    expect(await units('name;price\nAda;1,50\n', 'csv_rows', 1)).to.deep.equal(['pass', 1])
    expect(await units(latin('âge\n36\n37\n'), 'csv_rows', 2)).to.deep.equal(['pass', 2])
  })

  it('of an archive are distinct by what is in them, not by their names', async () => {
    const same = zipSync({ 'a.txt': latin('one'), 'b.txt': latin('one'), 'c/': latin(''), 'd.txt': latin('two') })
    expect(await units(same, 'zip_entries', 3)).to.deep.equal(['pass', 3])
    expect(await units(same, 'zip_entries', 3, true)).to.deep.equal(['fail', 2])
    expect(await units(same, 'zip_entries', 2, true)).to.deep.equal(['pass', 2])
    expect(await units(same, 'zip_entries', 4, true)).to.deep.equal(['fail', 2])
    const stored = zipSync({ 'a.txt': latin('one'), 'b.txt': latin('one') }, { level: 0 })
    expect(await units(stored, 'zip_entries', 2, true)).to.deep.equal(['fail', 1])
  })

  it('of an archive that lies about its sizes, or says that it inflates to too much, are unchecked', async () => {
    const lying = Buffer.from(zipSync({ 'a.txt': latin('same words'), 'b.txt': latin('same words') }))
    // The size of the first, where the directory says it: one byte less makes other bytes of the same words.
    lying.writeUInt32LE(9, lying.indexOf('PK\x01\x02') + 24)
    expect(await units(lying, 'zip_entries', 2, true)).to.deep.equal(['unchecked', undefined])
    const bomb = Buffer.from(zipSync({ a: latin('one'), b: latin('two') }))
    bomb.writeUInt32LE(300 * 1_048_576, bomb.indexOf('PK\x01\x02') + 24)
    expect(await units(bomb, 'zip_entries', 2, true)).to.deep.equal(['unchecked', undefined])
    // Only its content shows whether a file is empty.
    expect(await units(bomb, 'zip_entries', 2)).to.deep.equal(['unchecked', undefined])
  })

  it('do not include empty files of an archive', async () => {
    const four = Object.fromEntries(
      Array.from({ length: 4 }, (_, number) => [`${number}.txt`, latin(`Chapter ${number}`)]),
    )
    const six = Object.fromEntries(
      ['', '', ' ', '\n', '\r\n\t', ''].map((text, number) => [`e${number}.txt`, latin(text)]),
    )
    expect(await units(zipSync({ ...four, ...six }), 'zip_entries', 10)).to.deep.equal(['fail', 4])
    expect(await units(zipSync({ ...four, ...six }), 'zip_entries', 10, true)).to.deep.equal(['fail', 4])
    expect(await units(zipSync({ ...four, ...six }), 'zip_entries', 4)).to.deep.equal(['pass', 4])
  })

  it('do not include a file of an archive that announces more than it has', async () => {
    const lying = Buffer.from(zipSync({ 'a.txt': latin('one'), 'b.txt': latin('') }))
    lying.writeUInt32LE(100, lying.lastIndexOf('PK\x01\x02') + 24)
    expect(await units(lying, 'zip_entries', 1)).to.deep.equal(['pass', 1])
    expect(await units(lying, 'zip_entries', 2)).to.deep.equal(['unchecked', undefined])
  })

  it('do not include rows in which every cell is empty', async () => {
    const rows = Array.from({ length: 100 }, (_, n) => (n % 5 === 1 || n % 5 === 3 ? ',,' : `${n},Name ${n},City ${n}`))
    expect(await units(`id,name,city\n${rows.join('\n')}\n`, 'csv_rows', 100)).to.deep.equal(['fail', 60])
    expect(await units('a,b\n" ",\n"",""\n-,.\n0,\n', 'csv_rows', 4)).to.deep.equal(['fail', 1])
    expect(await units('a;b\n;\n1;2\n', 'csv_rows', 2)).to.deep.equal(['fail', 1])
  })

  it('are distinct rows by their cells without the white space around them', async () => {
    expect(await units('a,b\n1,2\n1, 2\n" 1",2\n', 'csv_rows', 3, true)).to.deep.equal(['fail', 1])
    expect(await units('a,b\n1,2\n1, 2\n" 1",2\n', 'csv_rows', 3)).to.deep.equal(['pass', 3])
  })

  it('do not include items of JSON that are empty', async () => {
    for (const empty of ['{}', '[]', 'null', '""', '" "', '{"a":null}', '{"a":{"b":[]}}', '[{},[null]]'])
      expect(await units(`[${empty},{"a":1}]`, 'json_items', 2), empty).to.deep.equal(['fail', 1])
    expect(await units('[0,false,"a",[0],{"a":false},"-"]', 'json_items', 6)).to.deep.equal(['pass', 6])
    const deep = `[${'['.repeat(100_000)}${']'.repeat(100_000)}]`
    expect((await units(deep, 'json_items', 1))[0]).to.equal('fail')
  })

  it('include empty items of JSON that a schema of the criteria accepts as items', async () => {
    const counted = async (...schemas: object[]) => {
      const checks = schemas.map((schema, place) => ({
        number: place + 2,
        check: { kind: 'json_schema', schema } as never,
      }))
      const asked = { number: 1, check: { kind: 'units', of: 'json_items', expected: 4 } as never }
      const made = await measure(bytesOf('[{},[],null,{"a":1}]'), [asked, ...checks])
      return made.find(({ kind }) => kind === 'units')?.found
    }
    expect(await counted({ type: 'array', items: {} })).to.equal(4)
    expect(await counted({ type: 'array', items: { type: ['object', 'null'] } })).to.equal(3)
    expect(await counted({ type: 'array', items: { type: 'object', required: ['a'] } })).to.equal(1)
    // A schema that says nothing of items allows no empty ones.
    expect(await counted({ type: 'array', minItems: 4 })).to.equal(1)
    expect(await counted({ type: 'array', items: {} }, { items: { type: 'null' } })).to.equal(2)
  })

  it('do not include lines without a letter, a digit or a symbol', async () => {
    expect(await units('one\n.\n \n---\n"!"\n2\n→\n😀\n諾\n', 'lines', 9)).to.deep.equal(['fail', 5])
    expect(await units(`${'a\n'.repeat(4)}${'.\n'.repeat(6)}`, 'lines', 10)).to.deep.equal(['fail', 4])
  })
})
