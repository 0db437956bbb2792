import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { getAddress, type Hex } from 'viem'
import { Problem } from '../../../../api/errors.ts'
import { decodeSignedAuthorization } from '../../../../api/trading/orders/record/authorization.ts'
import { encodeSignedAuthorization, type SignedAuthorization } from '../../../../protocol/payments/authorization.ts'

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((given) => `0x${Buffer.from(given).toString('hex')}` as Hex)
const address = hex(20).map((text) => getAddress(text))
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const authorization: fc.Arbitrary<SignedAuthorization> = fc.record({
  from: address,
  to: address,
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: hex(32),
  signature: fc
    .uint8Array({ minLength: 1, maxLength: 500 })
    .map((given) => `0x${Buffer.from(given).toString('hex')}` as Hex),
})

/** Decodes, or answers the problem it was refused with. Anything else thrown fails the test. */
function attempt(text: string): SignedAuthorization | Problem {
  try {
    return decodeSignedAuthorization(text)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

describe('a signed authorization', () => {
  it('is read back as it was written [spec 4.1:2 4.1:5]', () => {
    fc.assert(
      fc.property(authorization, (given) => {
        expect(attempt(encodeSignedAuthorization(given))).to.deep.equal(given)
      }),
    )
  })

  it('is read with its integers as JSON numbers, while those are exact', () => {
    fc.assert(
      fc.property(authorization, fc.nat(), (given, value) => {
        const plain = JSON.parse(Buffer.from(encodeSignedAuthorization(given), 'base64').toString())
        const text = Buffer.from(JSON.stringify({ ...plain, value })).toString('base64')
        expect(attempt(text)).to.deep.equal({ ...given, value: BigInt(value) })
      }),
    )
  })

  it('is refused with a problem, never a fault, when it is any other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })), (text) => {
        expect(attempt(text)).to.be.instanceOf(Problem).with.property('problem', 'authorization/malformed')
      }),
    )
  })

  it('is refused when it holds any other JSON', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(attempt(Buffer.from(json).toString('base64'))).to.be.instanceOf(Problem)
      }),
    )
  })

  it('is refused, or reads the same, when it is cut or changed anywhere', () => {
    fc.assert(
      fc.property(authorization, fc.nat(), fc.constantFrom('', 'A', '='), (given, at, instead) => {
        const text = encodeSignedAuthorization(given)
        const place = at % text.length
        const outcome = attempt(text.slice(0, place) + instead)
        if (!(outcome instanceof Problem)) expect(outcome).to.deep.equal(given)
      }),
    )
  })

  it('is refused with any of its members wrong, and the member is named [spec 4.1:2 4.1:4]', () => {
    const wrong = fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.double(),
      fc.constantFrom('', '-1', '1e3', '0x', '1.0'),
      fc.array(fc.nat()),
    )
    const member = fc.constantFrom('from', 'to', 'value', 'validAfter', 'validBefore', 'nonce', 'signature')
    fc.assert(
      fc.property(authorization, member, wrong, (given, name, value) => {
        fc.pre(!Number.isInteger(value))
        const plain = JSON.parse(Buffer.from(encodeSignedAuthorization(given), 'base64').toString())
        const outcome = attempt(Buffer.from(JSON.stringify({ ...plain, [name]: value })).toString('base64'))
        expect(outcome).to.be.instanceOf(Problem).with.property('field', `signed_authorization.${name}`)
      }),
    )
  })
})
