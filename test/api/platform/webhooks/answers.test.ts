import { after, before, describe, it } from 'node:test'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect } from 'chai'
import { Poster } from '../../../../api/platform/webhooks/post.ts'
import { answering, type Receiver, startReceiver } from '../../../kit/api/platform/webhooks/receiver.ts'

const TOLD = '{"error":"Größe – 日本語: unknown field “grösse”"}'
const MEGABYTE = 1_048_576

describe("the answer of a webhook's receiver", () => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.stop())

  const poster = new Poster({ webhooks: { allowsLocal: true } })
  /** The kept text of an answer with these bytes and headers. */
  const kept = async (bytes: Buffer | string, headers: Record<string, string> = {}) => {
    receiver.respond = (response) => response.writeHead(400, headers).end(bytes)
    const reply = await poster.post({ url: receiver.url, headers: {}, body: '{}' }, AbortSignal.timeout(5_000))
    if ('failure' in reply) throw new Error(reply.failure)
    return reply.excerpt
  }
  const packed = (bytes: Buffer, encoding: string, headers: Record<string, string> = {}) =>
    kept(bytes, { 'content-encoding': encoding, ...headers })

  it('is read in the encoding that it was compressed with', async () => {
    const told = Buffer.from(TOLD)
    const cases: [string, Buffer][] = [
      ['gzip', gzipSync(told)],
      ['X-GZIP', gzipSync(told)],
      ['deflate', deflateSync(told)],
      // As some servers understand it.
      ['deflate', deflateRawSync(told)],
      ['br', brotliCompressSync(told)],
      ['zstd', zstdCompressSync(told)],
      ['identity', told],
      ['gzip, br', brotliCompressSync(gzipSync(told))],
      // Compressed by name alone.
      ['gzip', told],
      ['aws-chunked', told],
    ]
    for (const [encoding, bytes] of cases) expect(await packed(bytes, encoding), encoding).to.equal(TOLD)
  })

  it('is read in its charset: named, marked, told by the text itself, or the usual one', async () => {
    const latin = Buffer.from('{"error":"Größe ungültig"}', 'latin1')
    const utf16 = Buffer.from('\ufeffGröße', 'utf16le')
    const page = '<html><meta charset="windows-1251"><p>'
    const cases: [string | undefined, Buffer, string][] = [
      ['text/plain; charset=ISO-8859-1', latin, '{"error":"Größe ungültig"}'],
      ['text/plain; charset="iso-8859-1"; x=y', latin, '{"error":"Größe ungültig"}'],
      ['application/json', latin, '{"error":"Größe ungültig"}'],
      [undefined, latin, '{"error":"Größe ungültig"}'],
      ['text/plain; charset=Shift_JIS', Buffer.from('93fa967b8cea', 'hex'), '日本語'],
      ['text/html', Buffer.concat([Buffer.from(page), Buffer.from('cde5f2', 'hex')]), `${page}Нет`],
      ['text/plain; charset=utf-8', utf16, 'Größe'],
      ['text/plain', Buffer.from(utf16).swap16(), 'Größe'],
      ['text/plain; charset=no-such', Buffer.from(TOLD), TOLD],
      ['application/json', Buffer.from(`\ufeff${TOLD}`), TOLD],
    ]
    for (const [type, bytes, text] of cases) {
      expect(await kept(bytes, type === undefined ? {} : { 'content-type': type }), type).to.equal(text)
      const both = type === undefined ? {} : { 'content-type': type }
      expect(await packed(gzipSync(bytes), 'gzip', both), type).to.equal(text)
    }
  })

  it('is cut between characters, whatever it is made of', async () => {
    // A family is seven code points, and one character; a letter with an accent is two.
    for (const character of ['ü', '語', '😀', '👨‍👩‍👧‍👦', 'e\u0301', '🇩🇪']) {
      for (const start of ['', 'x', 'xx', 'xxx']) {
        const text = start + character.repeat(2_000)
        for (const excerpt of [await kept(text), await packed(gzipSync(text), 'gzip')]) {
          const rest = excerpt.slice(start.length)
          expect(rest.replaceAll(character, ''), `${start}${character}`).to.equal('')
          expect(Buffer.byteLength(excerpt)).to.be.within(950, 1_000)
        }
      }
    }
    const oneCharacter = `e${'\u0301'.repeat(2_000)}`
    expect(Buffer.byteLength(await kept(oneCharacter))).to.be.within(900, 1_000)
  })

  it('costs little where it is made to cost much', async () => {
    const zeros = Buffer.alloc(64 * MEGABYTE, 'a')
    const bombs: [string, Buffer][] = [
      ['gzip', gzipSync(zeros)],
      ['br', brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
      ['zstd', zstdCompressSync(zeros)],
      ['gzip, gzip', gzipSync(gzipSync(zeros))],
    ]
    for (const [encoding, bytes] of bombs) expect(await packed(bytes, encoding), encoding).to.match(/^a{900,1000}$/)
    const manyTimes = Array.from({ length: 2_000 }, () => 'gzip').join(',')
    expect(await packed(gzipSync(TOLD), manyTimes)).to.be.a('string')
    // A frame that asks for a window of two gigabytes.
    const greedy = Buffer.concat([Buffer.from('28b52ffd00a8', 'hex'), Buffer.alloc(100)])
    expect(await packed(greedy, 'zstd')).to.be.a('string')
  })

  it('is what arrived of it, where it is broken or breaks off', async () => {
    const text = Array.from({ length: 500 }, (_, index) => `line ${index} of the answer`).join('\n')
    for (const [encoding, bytes] of [
      ['gzip', gzipSync(text)],
      ['deflate', deflateSync(text)],
      ['br', brotliCompressSync(text)],
    ] as const) {
      expect(await packed(bytes.subarray(0, -20), encoding), encoding).to.match(/^line 0 of the answer\nline 1 of/)
    }
    receiver.respond = (response) => {
      response.writeHead(400, { 'content-encoding': 'gzip' })
      response.write(gzipSync(text).subarray(0, 600), () => response.destroy())
    }
    const reply = await poster.post({ url: receiver.url, headers: {}, body: '{}' }, AbortSignal.timeout(5_000))
    expect('excerpt' in reply && reply.excerpt).to.match(/^line 0 of the answer\nline 1 of/)
  })

  it('is plain text as before, without its NULs', async () => {
    expect(await kept('no such hook')).to.equal('no such hook')
    expect(await kept('a\0b')).to.equal('ab')
    expect(await kept('')).to.equal('')
    expect(await packed(Buffer.alloc(0), 'gzip')).to.equal('')
    receiver.respond = answering(204)
  })
})
