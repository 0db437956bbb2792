import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { formatAmount, MAX_AMOUNT_MICROS, parseAmount } from '../../../protocol/encoding/amounts.ts'

describe('amounts', () => {
  it('reads back every amount it writes', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAX_AMOUNT_MICROS), (micros) => {
        expect(parseAmount(formatAmount(micros))).to.equal(micros)
      }),
    )
  })

  it('takes six fractional digits and nothing else', () => {
    const refused = [
      '20',
      '20.0',
      '1e3',
      '-1.000000',
      '+1.000000',
      '0.0000001',
      '01.000000',
      '.500000',
      '1.000000 ',
      '',
    ]
    for (const text of [...refused, '１.000000', '1,000.000000', '0x1.000000', 'NaN', 'Infinity']) {
      expect(parseAmount(text), JSON.stringify(text)).to.equal(undefined)
    }
  })

  it('refuses what a BIGINT cannot hold', () => {
    expect(parseAmount('9223372036854.775807')).to.equal(MAX_AMOUNT_MICROS)
    expect(parseAmount('9223372036854.775808')).to.equal(undefined)
    expect(parseAmount(`${2n ** 64n}.000000`)).to.equal(undefined)
  })

  it('writes no negative amount', () => {
    expect(() => formatAmount(-1n)).to.throw(RangeError)
  })
})
