import { describe, it } from 'node:test'
import { expect } from 'chai'
import { fromHex, toHex } from '../../protocol/encoding/bytes.ts'

describe('the hex digits of bytes', () => {
  it('are read back as they were written, in either case', () => {
    const bytes = Uint8Array.from([0, 1, 15, 16, 171, 255])
    expect(toHex(bytes)).to.equal('00010f10abff')
    for (const text of ['00010f10abff', '00010F10ABFF']) expect(fromHex(text)).to.deep.equal(bytes)
    expect(fromHex('')).to.deep.equal(new Uint8Array())
  })

  it('are pairs, and nothing else', () => {
    for (const text of ['a', 'abc', '0x00', 'zz', ' 00', '00\n']) expect(() => fromHex(text), text).to.throw(RangeError)
  })
})
