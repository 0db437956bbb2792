import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { splitHold } from '../../../protocol/payments/split.ts'

const hold = fc.bigInt(1n, 10n ** 16n)
const basisPoints = fc.integer({ min: 0, max: 10_000 })

describe('splitting a hold', () => {
  it('gives the seller 19 and the service 1 of 20', () => {
    expect(splitHold(20_000_000n, 0n, 500)).to.deep.equal({
      payerMicros: 0n,
      payeeMicros: 19_000_000n,
      feeMicros: 1_000_000n,
    })
  })

  it('distributes the whole hold and never charges more than the fee', () => {
    fc.assert(
      fc.property(hold, fc.bigInt(0n, 10n ** 16n), basisPoints, (holdMicros, some, feeBps) => {
        const refundMicros = some % (holdMicros + 1n)
        const split = splitHold(holdMicros, refundMicros, feeBps)
        expect(split.payerMicros + split.payeeMicros + split.feeMicros).to.equal(holdMicros)
        expect(split.payerMicros).to.equal(refundMicros)
        expect(split.feeMicros * 10_000n <= (holdMicros - refundMicros) * BigInt(feeBps)).to.equal(true)
        expect(split.payeeMicros >= 0n).to.equal(true)
      }),
    )
  })

  it('refuses a refund outside the hold', () => {
    expect(() => splitHold(5n, 6n, 500)).to.throw(RangeError)
    expect(() => splitHold(5n, -1n, 500)).to.throw(RangeError)
  })
})
