import { describe, it } from 'node:test'
import { expect } from 'chai'
import { termsHash } from '../../../protocol/payments/terms.ts'
import { auditFindings, untilStray } from '../../e2e/books.ts'
import { anotherAgent, completes, deliveredOrder, FAUCET_MICROS, fundedOrder, refusal } from '../../e2e/moves.ts'
import { claimableOf, escrowCall, escrowFund, execute, stranger, termsOf } from '../../e2e/onchain.ts'
import {
  accept,
  cancel,
  createParties,
  createTrader,
  fund,
  type Parties,
  PRICE_MICROS,
  place,
  readOrder,
  SELLER_NET_MICROS,
  signTransferFor,
  untilSettled,
} from '../../e2e/trading.ts'
import { balanceOf } from '../../kit/chain/custody.ts'
import { freeAccount, signTransfer } from '../../kit/chain/payments.ts'
import { submission, together } from '../../kit/chain/sequence.ts'
import { type Arena, onceResolved } from './arena.ts'

/** What anybody can do with the escrow itself. */
export function attacksOnHolds(arena: () => Arena): void {
  describe('attacks on the escrow', { concurrency: true }, () => {
    it('a stranger who submits to it only does our work, for many orders in one transaction', async () => {
      const { stack, sequence } = arena()
      const orders = await Promise.all([1, 2].map(() => placedAnew(arena())))
      const fundings = orders.map(({ signed, terms }) => escrowFund(stack, terms, signed))
      await execute(stack, await stranger(stack), together(sequence, fundings))
      await Promise.all(orders.map(({ parties, urn }) => completes(parties, urn)))
    })

    it("a stranger's hold under the order's terms is released to the stranger", async () => {
      const { stack } = arena()
      const { account } = await createTrader(stack)
      const { parties, urn, offer, terms, signed } = await placedAnew(arena())
      await execute(stack, account, escrowFund(stack, terms, await signTransferFor(stack, offer, account)))
      await fund(parties.buyer, urn, signed)
      await completes(parties, urn)
      await untilStray(stack, { payer: account.address, nonce: offer.nonce }, 'returned')
      expect(await claimableOf(stack, account.address)).to.equal(PRICE_MICROS)
    })

    for (const [what, change] of [
      ['to another payee', { payee: freeAccount(12).address }],
      ['without a fee', { feeBps: 0 }],
      ['for less', { amount: 1_000_000n }],
    ] as const) {
      it(`a hold of the buyer's own making, ${what}, is not the order's`, async () => {
        const { stack } = arena()
        const { parties, urn, terms, signed } = await placedAnew(arena())
        const { account } = parties.buyer
        const own = { ...terms, ...change }
        const nonce = termsHash(stack.chain, own)
        const forOwn = await signTransfer(stack.chain, account, { to: stack.chain.escrow, value: own.amount, nonce })
        await execute(stack, account, escrowFund(stack, own, forOwn))
        await untilStray(stack, { payer: account.address, nonce }, 'returned')
        expect(await claimableOf(stack, account.address)).to.equal(own.amount)
        expect((await readOrder(parties.buyer, urn)).state).to.equal('placed')
        await fund(parties.buyer, urn, signed)
        await completes(parties, urn)
      })
    }

    it('a hold that begins after its order was cancelled is released to its payer', async () => {
      const { stack } = arena()
      const { parties, urn, terms, signed } = await placedAnew(arena())
      const { address } = parties.buyer.account
      await cancel(parties.buyer, urn)
      await execute(stack, await stranger(stack), escrowFund(stack, terms, signed))
      await untilStray(stack, { payer: address, nonce: signed.nonce }, 'returned')
      expect(await claimableOf(stack, address)).to.equal(PRICE_MICROS)
      expect((await readOrder(parties.buyer, urn)).state).to.equal('cancelled')
    })

    it('a payment by the very wallet it is for goes back, and does not keep its order [risk payee-pays]', async () => {
      const { stack } = arena()
      const seller = await createTrader(stack)
      const parties = { seller, buyer: await anotherAgent(stack, seller) }
      const { account } = seller
      const { urn, offer } = await place(parties, { mode: 'contract' })
      await execute(stack, account, submission(stack.chain, await signTransferFor(stack, offer, account)))
      await onceResolved(arena(), offer.recipient, async () => {
        await untilStray(stack, { payer: account.address, nonce: offer.nonce }, 'returned')
        expect(await balanceOf(stack.chain, account.address)).to.equal(FAUCET_MICROS)
      })
      expect(await cancel(parties.buyer, urn)).to.include({ state: 'cancelled', hold: null })
    })

    it('a payer who releases the hold ends the order as accepted', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { id, urn } = await fundedOrder(stack, parties, 'contract')
      await execute(stack, parties.buyer.account, escrowCall(stack, 'releaseByPayer', await termsOf(stack, id)))
      expect((await untilSettled(parties.buyer, urn)).state).to.equal('final')
      expect(await claimableOf(stack, parties.seller.account.address)).to.equal(SELLER_NET_MICROS)
      expect(await auditFindings(stack, parties.buyer, [urn])).to.deep.equal([])
    })

    it('a payee who refunds the hold ends the order as refunded, even after the delivery', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { buyer, seller } = parties
      const { id, urn } = await deliveredOrder(stack, parties, 'contract')
      const refund = escrowCall(stack, 'refundByPayee', await termsOf(stack, id), buyer.account.address)
      await execute(stack, seller.account, refund)
      expect((await untilSettled(buyer, urn)).state).to.equal('final')
      expect(await claimableOf(stack, buyer.account.address)).to.equal(PRICE_MICROS)
      expect(await refusal(accept(buyer, urn))).to.include({ status: 409 })
      expect(await auditFindings(stack, buyer, [urn])).to.deep.equal([])
    })
  })
}

/** An order of new parties with what its buyer signs for it, not yet handed in. */
async function placedAnew({ stack }: Arena) {
  const parties: Parties = await createParties(stack)
  const placed = await place(parties, { mode: 'contract' })
  const terms = await termsOf(stack, placed.id)
  return { ...placed, parties, terms, signed: await signTransferFor(stack, placed.offer, parties.buyer.account) }
}
