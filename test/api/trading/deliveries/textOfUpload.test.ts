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
    const whole = Buffer.from(`héllo ${'x'.repeat(20_000)} bye €`)
    const pieces = [...whole].map((byte) => Buffer.from([byte]))
    const { excerpt } = read(...pieces)
    expect(excerpt).to.equal(read(whole).excerpt)
    expect(excerpt)
      .to.match(/^héllo x+\nx+ bye €$/)
      .and.have.length(8_001)
    expect(read('short').excerpt).to.equal('short')
  })

  it('is none of bytes that are no text, and of nothing', () => {
    expect(read(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]))).to.deep.equal({ isBlank: false, excerpt: null })
    expect(read(Buffer.from([0xff, 0xfe, 0x41]))).to.deep.equal({ isBlank: false, excerpt: null })
    expect(read(' \n\u200b')).to.deep.equal({ isBlank: true, excerpt: null })
    expect(read()).to.deep.equal({ isBlank: true, excerpt: null })
  })
})
