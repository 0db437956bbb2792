import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Address, getAddress, type Hex, toHex } from 'viem'
import { appealFeeNonce, custodiedNonce, namesPurpose, payoutNonce } from '../../../protocol/payments/nonces.ts'
import { holdId, type Terms, termsHash } from '../../../protocol/payments/terms.ts'

const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const address = bytesOf(20).map((bytes): Address => getAddress(toHex(bytes)))
const hash = bytesOf(32).map((bytes): Hex => toHex(bytes))
const terms = fc.record<Terms>({
  order: hash,
  payee: address,
  amount: fc.bigInt(1n, 2n ** 64n),
  feeRecipient: address,
  feeBps: fc.integer({ min: 0, max: 10_000 }),
  fundBy: fc.integer({ min: 1, max: 2 ** 32 }),
  expiry: fc.integer({ min: 1, max: 2 ** 32 }),
})
const at = fc.record({ chainId: fc.integer({ min: 1, max: 2 ** 31 }), escrow: address, token: address })

describe('what a signature is for', () => {
  it('changes with any member of the terms and with the contract', () => {
    fc.assert(
      fc.property(at, terms, terms, (location, one, other) => {
        const hashOfOne = termsHash(location, one)
        for (const member of Object.keys(one) as (keyof Terms)[]) {
          if (one[member] === other[member]) continue
          expect(termsHash(location, { ...one, [member]: other[member] }), member).to.not.equal(hashOfOne)
        }
        expect(termsHash({ ...location, chainId: location.chainId + 1 }, one)).to.not.equal(hashOfOne)
        expect(holdId(hashOfOne, one.payee)).to.not.equal(holdId(hashOfOne, one.feeRecipient))
      }),
    )
  })

  it('says that it names its purpose where it does, and not where it is a hold’s, a payout’s or drawn', () => {
    fc.assert(
      fc.property(address, address, hash, (token, hotWallet, drawn) => {
        const wallet = { chainId: 1, token, hotWallet }
        const sale = { orderId: randomUUID(), agentId: randomUUID(), ownerId: randomUUID() }
        for (const named of [custodiedNonce(wallet, sale, 1n), appealFeeNonce(wallet, drawn, 1n)]) {
          expect(namesPurpose(named)).to.equal(true)
          expect(named).to.match(/^0x6d6b7431[0-9a-f]{56}$/)
          expect(namesPurpose(`0x${named.slice(2).toUpperCase()}`)).to.equal(true)
        }
        expect(namesPurpose(drawn)).to.equal(drawn.startsWith('0x6d6b7431'))
        expect(namesPurpose(payoutNonce(wallet, { from: token, nonce: drawn }, 'payee'))).to.equal(false)
      }),
    )
  })

  it('differs between a deposit, its payout to the seller and its refund', () => {
    fc.assert(
      fc.property(address, address, address, hash, (token, hotWallet, from, nonce) => {
        const wallet = { chainId: 1, token, hotWallet }
        const sale = { orderId: randomUUID(), agentId: randomUUID(), ownerId: randomUUID() }
        const nonces = [
          custodiedNonce(wallet, sale, 1n),
          custodiedNonce(wallet, sale, 2n),
          custodiedNonce(wallet, { ...sale, agentId: randomUUID() }, 1n),
          custodiedNonce(wallet, { ...sale, ownerId: randomUUID() }, 1n),
          custodiedNonce(wallet, { ...sale, orderId: randomUUID() }, 1n),
          payoutNonce(wallet, { from, nonce }, 'payee'),
          payoutNonce(wallet, { from, nonce }, 'payer'),
          payoutNonce(wallet, { from: hotWallet, nonce }, 'payer'),
        ]
        expect(new Set(nonces).size).to.equal(from === hotWallet ? 7 : 8)
      }),
    )
  })
})
