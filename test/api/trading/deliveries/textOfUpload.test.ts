import { describe, it } from 'node:test'
import { expect } from 'chai'
import { TextOfUpload } from '../../../../api/trading/deliveries/textOfUpload.ts'

describe('the text of an upload', () => {
  const read = (...pieces: (string | Buffer)[]) => {
    const text = new TextOfUpload()
    for (const piece of pieces) text.add(Buffer.from(piece))
    return { isBlank: text.isBlank, excerpt: text.excerpt() }
  }

  it('is its beginning and its end, wherever the pieces are cut', () => {
    const whole = Buffer.from(`héllo ${'x'.repeat(100_000)} bye €`)
    const pieces = Array.from({ length: Math.ceil(whole.length / 7) }, (_, at) => whole.subarray(at * 7, at * 7 + 7))
    const { excerpt } = read(...pieces)
    expect(excerpt).to.equal(read(whole).excerpt)
    expect(excerpt)
      .to.match(/^héllo x+\nx+ bye €$/)
      .and.have.length(64_001)
    expect(read('short').excerpt).to.equal('short')
  })

  it('is what a PDF says of itself, wherever it stands and in either encoding', () => {
    const hex = Buffer.from('\ufeffWer', 'utf16le').swap16().toString('hex')
    const told = `/Title (One \\(1\\)) /Author <${hex}> /Subject (Two)`
    const binary = Buffer.concat([
      ...[Buffer.from('%PDF-1.4\n'), Buffer.alloc(70_000, 0x80), Buffer.from(told), Buffer.alloc(70_000)],
      ...[Buffer.from('/Keywords(Three)')],
    ])
    expect(read(binary).excerpt).to.equal('One (1)\nWer\nTwo\nThree')
    const pieces = Array.from({ length: Math.ceil(binary.length / 11) }, (_, at) =>
      binary.subarray(at * 11, at * 11 + 11),
    )
    expect(read(...pieces).excerpt).to.equal('One (1)\nWer\nTwo\nThree')
    expect(read(Buffer.concat([Buffer.from([0, 1]), Buffer.from(told)])).excerpt).to.equal(null)
  })

  it('is none of bytes that are no text, and of nothing', () => {
    expect(read(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]))).to.deep.equal({ isBlank: false, excerpt: null })
    expect(read(Buffer.from([0xff, 0xfe, 0x41]))).to.deep.equal({ isBlank: false, excerpt: null })
    expect(read(' \n\u200b')).to.deep.equal({ isBlank: true, excerpt: null })
    expect(read()).to.deep.equal({ isBlank: true, excerpt: null })
  })
})
