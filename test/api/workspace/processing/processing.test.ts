import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { strToU8, zipSync } from 'fflate'
import { pino } from 'pino'
import sharp from 'sharp'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { removeBlobs } from '../../../../api/platform/blobs/removeBlobs.ts'
import { typeReader } from '../../../../api/workspace/attachments/mediaType.ts'
import { purgeTrash } from '../../../../api/workspace/attachments/purge.ts'
import { keepMade } from '../../../../api/workspace/processing/internal/keep.ts'
import { processFiles } from '../../../../api/workspace/processing/process.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { paragraph, wordDocument, wordParts, zipOf } from '../../../kit/api/workspace/processing/archive.ts'
import { expectCode, startWorkspace, type TestAttachment, type Workspace } from '../../../kit/api/workspace/world.ts'

const FILES = new URL('../../../kit/api/workspace/processing/files/', import.meta.url)

describe('what is made of an attachment', () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  const services = () => ({
    ...{ db: world.api.db, rpc: openRpc('http://127.0.0.1:9'), settings: world.api.settings },
    log: pino({ level: 'silent' }),
  })
  const attach = async (content: string | Buffer<ArrayBuffer>, name = 'verse.txt') =>
    world.attach(await world.newPage(), content, name)
  const process = async (content: string | Buffer<ArrayBuffer>, name?: string) => {
    const made = await attach(content, name)
    await processFiles(services())
    return made
  }
  const statesOf = async ({ id }: TestAttachment) => {
    const { text_state, preview_state } = (await world.call('GET', `/attachments/${id}`)).body
    return [text_state, preview_state]
  }
  const textOf = async ({ id }: TestAttachment, query = '', by = world.ada) => {
    const { status, body } = await world.call('GET', `/attachments/${id}/text${query}`, by)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body as unknown as { text: string; characters: number; total_characters: number; next_offset: number | null }
  }
  const previewOf = async ({ id }: TestAttachment, query = '') => {
    const reply = await world.call('GET', `/attachments/${id}/preview${query}`, world.agent)
    expect(reply.status, JSON.stringify(reply.body)).to.equal(302)
    const link = String(reply.headers.get('location')).replace(world.api.settings.baseUrl, world.api.baseUrl)
    const response = await fetch(link)
    expect(response.headers.get('content-type')).to.equal('image/webp')
    return sharp(Buffer.from(await response.arrayBuffer())).metadata()
  }

  it('is pending, and then a text that agents read too', async () => {
    const made = await attach('Forty-two lines.')
    expect(await statesOf(made)).to.deep.equal(['pending', 'pending'])
    expect(await textOf(made)).to.include({ state: 'pending', text: '', total_characters: 0, next_offset: null })
    await processFiles(services())
    expect(await statesOf(made)).to.deep.equal(['ready', 'unsupported'])
    expect(await textOf(made, '', world.agent)).to.deep.equal({
      ...{ attachment_id: made.id, version: 1, state: 'ready', text: 'Forty-two lines.', offset: 0 },
      ...{ characters: 16, total_characters: 16, next_offset: null },
    })
  })

  it('is the text of HTML and Office documents, without what is not shown', async () => {
    const html =
      '<html><head><style>p{}</style></head><body><p>Hello &amp; you</p><script>evil()</script></body></html>'
    expect((await textOf(await process(html, 'x.html'))).text).to.equal('Hello & you')
    const document = wordDocument(paragraph('First line') + paragraph('Second line'))
    expect((await textOf(await process(document, 'x.docx'))).text).to.match(/^First line\n+Second line\n*$/)
    const rtf = '{\\rtf1\\ansi Rich \\b words\\b0 .}'
    expect((await textOf(await process(rtf, 'x.rtf'))).text).to.include('Rich words')
  })

  it('is that of documents that another program has packed again', async () => {
    const office = 'urn:oasis:names:tc:opendocument:xmlns'
    const body = '<office:body><office:text><text:p>Packed again</text:p></office:text></office:body>'
    const content = `<?xml version="1.0"?><office:document-content xmlns:office="${office}:office:1.0" xmlns:text="${office}:text:1.0">${body}</office:document-content>`
    const open = await process(
      // A picture that does not compress stands before the type.
      zipOf({
        'Pictures/1.png': randomBytes(40_000),
        mimetype: 'application/vnd.oasis.opendocument.text',
        'content.xml': content,
      }),
      'x.odt',
    )
    expect((await textOf(open)).text).to.match(/^Packed again\n*$/)
    const word = zipOf({ 'docProps/thumbnail.jpeg': randomBytes(20_000), ...wordParts(paragraph('Picture first')) })
    expect((await textOf(await process(word, 'x.docx'))).text).to.match(/^Picture first\n*$/)
  })

  it('is none of an archive that only has documents in it', () => {
    const open = zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<a/>' })
    const document = wordDocument(paragraph('Within'))
    const archives = [
      zipSync({ 'a.odt': open, 'b.md': strToU8('b') }, { level: 0 }),
      zipSync({ 'b.md': strToU8('b'), 'a.docx': document }, { level: 0 }),
      zipSync({ 'word/list.txt': strToU8('no document') }),
    ]
    for (const archive of archives) {
      const { add, type } = typeReader()
      for (let at = 0; at < archive.length; at += 100) add(archive.subarray(at, at + 100))
      expect(type()).to.deep.equal({ mediaType: 'application/zip', encoding: null })
    }
  })

  it('is found by the bytes, whatever stands before them or packed them, and read as it declares its encoding', async () => {
    const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    const cases: [name: string, mediaType: string, text: RegExp | undefined][] = [
      ['F6b-rezipped.odt', 'application/vnd.oasis.opendocument.text', /^REZIPPED\s*$/],
      ['F12-thumbnail-first.docx', word, /^LATE\s*$/],
      // Where poppler is installed, their text is HELLO (test/system/workspace/programs.test.ts).
      ['F7a-bom.pdf', 'application/pdf', undefined],
      ['F7b-lf.pdf', 'application/pdf', undefined],
      ['F8a-windows-1251.html', 'text/html', /^Привет$/],
      ['F8b-shift_jis.html', 'text/html', /^日本語$/],
      ['F8c-iso-8859-2.xml', 'application/xml', />ąęż</],
      ['F14b-fragment.html', 'text/html', /^One & two$/],
    ]
    for (const [name, mediaType, text] of cases) {
      const bytes = await readFile(new URL(name, FILES))
      const made = await process(bytes, name)
      expect(made.media_type, name).to.equal(mediaType)
      if (text) expect((await textOf(made)).text, name).to.match(text)
    }
  })

  it('is decoded by the labels of the Encoding Standard, and without markup in parts of documents', async () => {
    const bytes = (...parts: (string | number[])[]) =>
      Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))
    const greek = bytes(
      '<meta http-equiv=Content-Type content="text/html; charset=greek"><p>',
      [0xe1, 0xe2, 0xe3],
      '</p>',
    )
    expect((await textOf(await process(greek, 'x.htm'))).text).to.equal('αβγ')
    const japanese = bytes(
      "<html><meta charset='csISO2022JP'><p>",
      [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42],
      '</p>',
    )
    expect((await textOf(await process(japanese, 'x.htm'))).text).to.equal('日')
    // It is UTF-8, whatever was declared before a program wrote it anew.
    const stale = '<html><meta charset="windows-1251"><p>Größe</p></html>'
    expect((await textOf(await process(stale, 'x.htm'))).text).to.equal('Größe')
    const unknown = bytes('<html><meta charset="nonsense"><p>caf', [0xe9], '</p>')
    expect((await textOf(await process(unknown, 'x.htm'))).text).to.equal('café')
    const part = '<!-- saved --><ul>\n<li>One<br>line</li>\n</ul>\n<style>li{}</style><h2>Two</h2>\n'
    const { text } = await textOf(await process(part, 'x.html'))
    expect(text.split(/\s+/).filter(Boolean).join(' ')).to.match(/One line .*Two/)
    const inline = await process('<b>One</b> &amp; <em>two</em>', 'x.html')
    expect([inline.media_type, (await textOf(inline)).text]).to.deep.equal([
      'text/html',
      '<b>One</b> &amp; <em>two</em>',
    ])
    const readme = '<p align="center">Logo</p>\n\n# Title\n\n- one\n'
    expect((await textOf(await process(readme, 'README.md'))).text).to.equal(readme)
  })

  it('is decoded as a browser finds the encoding that markup declares', () => {
    const cases: [encoding: string, mediaType: string, text: string, byte: number][] = [
      [
        'shift_jis',
        'text/html',
        `<meta name=x content="charset=greek"><!-- <meta charset=greek> --><META CHARSET = 'Windows-31J' >`,
        0xb1,
      ],
      ['iso-8859-2', 'text/html', `<meta content='text/html; charset="latin2"' http-equiv=content-type>`, 0xb1],
      ['windows-1250', 'text/html', '<html><meta charset="nonsense"><meta charset=cp1250>', 0xb9],
      ['windows-1252', 'text/html', '<html><meta charset=x-user-defined>', 0xb9],
      ['windows-1252', 'text/html', '<html><meta charset=utf-16>', 0xb9],
      ['windows-1252', 'text/html', '<!-- saved --><span>caf', 0xe9],
      ['gbk', 'application/xml', `<?xml version='1.0' encoding = 'GB2312' ?><a>`, 0x80],
      ['iso-8859-15', 'image/svg+xml', '<?xml version="1.0" encoding="l9"?><svg>', 0xa4],
    ]
    for (const [encoding, mediaType, text, byte] of cases) {
      const { add, type } = typeReader()
      for (const part of [...Buffer.from(text), byte]) add(Buffer.from([part]))
      expect(type(), text).to.deep.equal({ mediaType, encoding })
    }
  })

  it('is as it is written of Markdown and programs, whatever tags they have', async () => {
    for (const text of ['# Title\n\n<p align="center">Hi</p>\n\n- one\n', 'const a = <div>{b}</div>\n// <br>\n']) {
      const made = await process(text, 'x.md')
      expect([made.media_type, (await textOf(made)).text]).to.deep.equal(['text/html', text])
    }
    const html = '<!-- saved -->\n<!DOCTYPE html>\n<p>Hello</p><script>evil()</script>'
    expect((await textOf(await process(html, 'x.html'))).text).to.equal('Hello')
    expect((await textOf(await process('one\rtwo\r\nthree', 'x.csv'))).text).to.equal('one\ntwo\nthree')
  })

  it('is the text of what a program for the desktop wrote in windows-1252', async () => {
    const written = Buffer.concat([Buffer.from([0x80]), Buffer.from(' 5 für einen Café', 'latin1')])
    expect((await textOf(await process(written, 'x.csv'))).text).to.equal('€ 5 für einen Café')
    const late = `${'x '.repeat(9_000)}Größe`
    expect((await textOf(await process(Buffer.from(late, 'latin1'), 'x.txt'))).text === late).to.equal(true)
  })

  it('is the text of what is written in UTF-16', async () => {
    const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
    expect((await textOf(await process(utf16('Größe 😀'), 'x.txt'))).text).to.equal('Größe 😀')
    expect((await textOf(await process(utf16('Big ends').swap16(), 'x.csv'))).text).to.equal('Big ends')
    const page = await process(utf16('<html><body><p>Hello</p><script>evil()</script></body></html>'), 'x.txt')
    expect([page.media_type, (await textOf(page)).text]).to.deep.equal(['text/html', 'Hello'])
  })

  it('is read by characters, whatever they take up [spec w4:12 w8:2]', async () => {
    const text = `${'a😀ü'.repeat(30_000)} end`
    const made = await process(text)
    const characters = [...text]
    const first = await textOf(made)
    expect([first.characters, first.total_characters, first.next_offset]).to.deep.equal([20_000, 90_004, 20_000])
    for (const [offset, limit] of [
      [0, 3],
      [49_990, 20],
      [1, 100_000],
      [90_001, 10],
      [90_004, 10],
      [200_000, 10],
    ] as const) {
      const part = await textOf(made, `?offset=${offset}&limit=${limit}`)
      expect(part.text === characters.slice(offset, offset + limit).join(''), `${offset} ${limit}`).to.equal(true)
      expect(part.characters).to.equal([...part.text].length)
    }
    for (const query of ['?limit=100001', '?limit=0', '?offset=-1', '?offset=x']) {
      expectCode(await world.call('GET', `/attachments/${made.id}/text${query}`), 400, 'request/invalid', 'invalid')
    }
  })

  it('says that a text is not whole', async () => {
    const made = await process('word '.repeat(500_000), 'long.txt')
    expect(await statesOf(made)).to.deep.equal(['truncated', 'unsupported'])
    expect((await textOf(made)).total_characters).to.equal(2_000_000)
  })

  it('is a picture of two sizes, without what the camera noted [spec w4:8]', async () => {
    const photo = await sharp({ create: { width: 1_600, height: 800, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Copyright: 'secret' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const made = await process(Buffer.from(photo), 'photo.jpg')
    expect(await statesOf(made)).to.deep.equal(['unsupported', 'ready'])
    const small = await previewOf(made)
    expect([small.width, small.height, small.exif, small.orientation]).to.deep.equal([128, 256, undefined, undefined])
    const large = await previewOf(made, '?size=1024')
    expect([large.width, large.height, large.exif]).to.deep.equal([512, 1_024, undefined])
    expectCode(await world.call('GET', `/attachments/${made.id}/preview?size=99`), 400, 'request/invalid', 'invalid')
  })

  it('is nothing for what cannot be read, and says so [spec w7:5]', async () => {
    for (const [content, name, states] of [
      [Buffer.from([0, 1, 2, 255]), 'x.bin', ['unsupported', 'unsupported']],
      ['%PDF-1.7', 'x.pdf', ['unsupported', 'unsupported']],
      ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'x.svg', ['unsupported', 'unsupported']],
      [Buffer.from('\x89PNG\r\n\x1a\nnothing', 'latin1'), 'x.png', ['unsupported', 'failed']],
      [wordDocument(paragraph('cut off')).subarray(0, 300), 'x.docx', ['failed', 'unsupported']],
    ] as const) {
      const made = await process(Buffer.from(content), name)
      expect(await statesOf(made), name).to.deep.equal(states)
      const none = await world.call('GET', `/attachments/${made.id}/preview`)
      expectCode(none, 404, 'workspace/preview-not-available', 'preview_not_available')
    }
  })

  const FAILED = { text: { state: 'failed', text: '' }, previews: { state: 'failed', previews: [] } } as const

  it('is given up after three attempts that did not end, and kept when one ends after all', async () => {
    const made = await attach('This one ends the worker.')
    await world.api.db.updateTable('market.files').set({ attempts: 3 }).where('text_state', '=', 'pending').execute()
    await processFiles(services())
    expect(await statesOf(made)).to.deep.equal(['failed', 'failed'])
    // One of the three was only slow.
    const file = await world.api.db
      .selectFrom('market.files')
      .select(['id', 'org_id'])
      .where('sha256', '=', made.sha256)
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const late = { text: { state: 'ready', text: 'late' }, previews: { state: 'unsupported', previews: [] } } as const
    for (const result of [late, FAILED])
      await world.api.db.transaction().execute((tx) => keepMade(tx, file, result, []))
    expect(await statesOf(made)).to.deep.equal(['ready', 'unsupported'])
  })

  it('goes with the attachment', async () => {
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'blue' } })
      .png()
      .toBuffer()
    const made = await process(Buffer.from(picture), 'x.png')
    const stored = await world.storedFiles()
    await world.call('DELETE', `/attachments/${made.id}`)
    const trashed = await world.call('GET', `/attachments/${made.id}/preview`)
    expectCode(trashed, 409, 'workspace/attachment-trashed', 'attachment_trashed')
    await passTime(world.api, (world.api.settings.rules.trashDays + 1) * 86_400)
    await purgeTrash(services())
    await removeBlobs(services())
    expect(await world.storedFiles()).to.equal(stored - 3)
  })
})
