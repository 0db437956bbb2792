import { describe, it } from 'node:test'
import { expect } from 'chai'
import { type Address, getAddress, type Hex, padHex, toHex } from 'viem'
import type { EscrowEvent, Transfer } from '../../audit/history.ts'
import { auditHolds } from '../../audit/holds.ts'
import { holdId, termsHash } from '../../protocol/payments/terms.ts'
import { expectEachMember } from '../kit/members.ts'

const account = (seed: number): Address => getAddress(padHex(toHex(seed), { size: 20 }))
const hash = (seed: number): Hex => padHex(toHex(seed), { size: 32 })
const [ESCROW, TOKEN, PAYER, PAYEE, FEES, OTHER] = [1, 2, 3, 4, 5, 6].map(account) as [
  ...[Address, Address, Address],
  ...[Address, Address, Address],
]
const at = { chainId: 31_337, escrow: ESCROW, token: TOKEN }
const PRICE = 20_000_000n
const terms = {
  ...{ order: hash(9), payee: PAYEE, amount: PRICE, feeRecipient: FEES, feeBps: 500 },
  ...{ fundBy: 1_800_000_000, expiry: 1_810_000_000 },
}
const NONCE = termsHash(at, terms)
const named = { holdId: holdId(NONCE, PAYER), order: terms.order, payer: PAYER }

/** The payment of a hold, and what the contract logged of it. */
const told = {
  paid: { from: PAYER, to: ESCROW, amountMicros: PRICE, authorizationNonce: NONCE },
  funded: { ...named, terms, adopted: false },
  released: { ...named, recipients: [PAYER, PAYEE, FEES], amounts: [5_000_000n, 14_250_000n, 750_000n] },
}
const reclaimed = { ...named, amount: PRICE }

type Told = Pick<typeof told, 'paid' | 'funded'> & { endings: readonly (typeof told.released | typeof reclaimed)[] }

function codesOf({ paid, funded, endings }: Told): string[] {
  const place = (block: number) => ({ txHash: hash(block), blockNumber: BigInt(block), logIndex: 1 })
  const transfers: Transfer[] = [{ ...place(1), ...paid }]
  const ended = endings.map((args, index) => ({
    ...place(2 + index),
    ...{ eventName: 'recipients' in args ? 'Released' : 'Reclaimed', args },
  }))
  const escrowEvents = [{ ...place(1), eventName: 'Funded', args: funded }, ...ended] as EscrowEvent[]
  return auditHolds({ escrowEvents, transfers }, at).findings.map(({ code }) => code)
}

describe('an audit of holds', () => {
  const ofPayment = {
    ...{ 'paid.from': ['hold/unpaid'], 'paid.to': ['hold/unpaid'], 'paid.amountMicros': ['hold/unpaid'] },
    'paid.authorizationNonce': ['hold/unpaid'],
  }
  // An id that is another belongs to no ending, and terms that are others to no payment.
  const otherId = ['hold/wrong-id', 'hold/unknown']
  const otherTerms = ['hold/wrong-id', 'hold/unpaid']
  const ofFunding = {
    ...{ 'funded.holdId': otherId, 'funded.order': ['hold/wrong-id'], 'funded.adopted': [] },
    'funded.payer': [...otherTerms, 'hold/wrong-parties'],
    'funded.terms.order': [...otherTerms, 'hold/wrong-parties'],
    ...{ 'funded.terms.fundBy': otherTerms, 'funded.terms.expiry': otherTerms },
  }

  it('finds each member of a payment, of what was funded by it and of how it was released', async () => {
    expect(codesOf({ ...told, endings: [told.released] })).to.deep.equal([])
    const answers = {
      ...{ ...ofPayment, ...ofFunding },
      ...{ 'funded.terms.payee': [...otherTerms, 'hold/foreign-recipient'] },
      ...{ 'funded.terms.feeRecipient': [...otherTerms, 'hold/foreign-recipient'] },
      ...{ 'funded.terms.amount': [...otherTerms, 'hold/wrong-split'] },
      'funded.terms.feeBps': [...otherTerms, 'hold/wrong-split'],
      ...{ 'released.holdId': ['hold/unknown'], 'released.order': ['hold/wrong-parties'] },
      ...{ 'released.payer': ['hold/wrong-parties'], 'released.recipients.*': ['hold/foreign-recipient'] },
      'released.amounts.*': ['hold/wrong-split'],
    }
    await expectEachMember(told, answers, (of) => codesOf({ ...of, endings: [of.released] }))
  })

  it('finds each member of a hold that was taken back', async () => {
    expect(codesOf({ ...told, endings: [reclaimed] })).to.deep.equal([])
    const answers = {
      ...{ holdId: ['hold/unknown'], order: ['hold/wrong-parties'], payer: ['hold/wrong-parties'] },
      amount: ['hold/wrong-reclaim'],
    }
    await expectEachMember(reclaimed, answers, (of) => codesOf({ ...told, endings: [of] }))
  })

  it('finds a hold that ended twice, in whatever way, and one that was funded twice', () => {
    for (const endings of [
      [told.released, told.released],
      [told.released, reclaimed],
      [reclaimed, told.released],
    ])
      expect(codesOf({ ...told, endings })).to.deep.equal(['hold/distributed-twice'])
    const place = { txHash: hash(1), blockNumber: 1n, logIndex: 1 }
    const funded = { ...place, eventName: 'Funded', args: told.funded } as EscrowEvent
    const { findings } = auditHolds(
      { escrowEvents: [funded, funded], transfers: [{ ...place, ...told.paid }] as Transfer[] },
      at,
    )
    expect(findings.map(({ code }) => code)).to.deep.equal(['hold/funded-twice'])
  })

  it('finds shares of the right sum that went to the wrong party', () => {
    const { recipients, amounts } = told.released
    const [refund, net, fee] = amounts as [bigint, bigint, bigint]
    for (const wrong of [
      [net, refund, fee],
      [refund, net + fee, 0n],
      [refund, net - 1n, fee + 1n],
    ])
      expect(codesOf({ ...told, endings: [{ ...told.released, amounts: wrong }] })).to.deep.equal(['hold/wrong-split'])
    const elsewhere = { ...told.released, recipients: recipients.with(1, OTHER) }
    expect(codesOf({ ...told, endings: [elsewhere] })).to.deep.equal(['hold/foreign-recipient'])
  })
})
