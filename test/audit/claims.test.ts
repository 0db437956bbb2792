import { describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, getAddress, type Hex } from 'viem'
import { auditClaimable } from '../../audit/claimable.ts'
import type { EscrowEvent } from '../../audit/history.ts'

const place = { blockNumber: 1n, logIndex: 0, txHash: `0x${'01'.repeat(32)}` as Hex }
const SELLER = getAddress(`0x${'5e'.repeat(20)}`)
const BUYER = getAddress(`0x${'b0'.repeat(20)}`)

const released = (account: Address, amount: bigint): EscrowEvent => {
  const hold = { holdId: place.txHash, order: place.txHash, payer: BUYER }
  return { ...place, eventName: 'Released', args: { ...hold, recipients: [account], amounts: [amount], cause: 0 } }
}
const withdrawn = (account: Address, amount: bigint): EscrowEvent => {
  return { ...place, eventName: 'Withdrawn', args: { account, to: account, amount } }
}
const findingsOf = (...escrowEvents: EscrowEvent[]) =>
  auditClaimable({ escrowEvents, transfers: [] }).findings.map(({ code, subject }) => `${code} ${subject}`)

describe('an audit of what the contract owes its accounts', () => {
  it('finds nothing where each withdrawal is of all that was credited since the last', () => {
    const first = [released(SELLER, 19n), released(BUYER, 1n), released(SELLER, 5n), withdrawn(SELLER, 24n)]
    expect(findingsOf(...first, released(SELLER, 7n), withdrawn(SELLER, 7n))).to.deep.equal([])
  })

  for (const [what, amount] of [
    ['more', 20n],
    ['less', 18n],
  ] as const) {
    it(`names the account that withdrew ${what} than was due`, () => {
      const events = [released(SELLER, 19n), released(BUYER, 19n), withdrawn(SELLER, amount), withdrawn(BUYER, 19n)]
      expect(findingsOf(...events)).to.deep.equal([`claim/wrong-withdrawal ${SELLER}`])
    })
  }

  it('names the account that withdrew the same credit twice', () => {
    const events = [released(SELLER, 19n), withdrawn(SELLER, 19n), withdrawn(SELLER, 19n)]
    expect(findingsOf(...events)).to.deep.equal([`claim/wrong-withdrawal ${SELLER}`])
  })
})
