import { before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { advanceSandboxClock } from '../../../api/sandbox/routes.ts'
import { ApiProblem, createClient } from '../../../sdk/client.ts'
import { bindWallet } from '../../../sdk/wallet.ts'
import { balanceOf } from '../../chain/custody.ts'
import { signTransfer } from '../../chain/payments.ts'
import { submission, transfer } from '../../chain/sequence.ts'
import type { Stack } from '../../stack/stack.ts'
import { auditFindings, eventTypes, untilBooksMatch, untilNothingIsOpen, untilStray } from '../books.ts'
import { claimableOf, escrowCall, execute, stranger, termsOf } from '../onchain.ts'
import {
  accept,
  cancel,
  createParties,
  createTrader,
  deliver,
  fund,
  MODES,
  type Parties,
  PRICE_MICROS,
  place,
  readOrder,
  SELLER_NET_MICROS,
  sign,
  until,
  untilOrder,
  untilSettled,
  type Wanted,
} from '../trading.ts'

const HOUR = 3600

/** What time does. It moves the clock of the stack. */
export function passingTime(stackOf: () => Stack): void {
  // One after the other: they share a clock.
  describe('what time does', () => {
    let stack: Stack

    before(async () => {
      stack = stackOf()
    })

    async function advance(seconds: number): Promise<void> {
      const operator = createClient({ baseUrl: stack.baseUrl, token: stack.credentials.operator_token })
      await operator.call(advanceSandboxClock, { body: { seconds } })
    }

    async function funded(parties: Parties, wanted: Wanted): Promise<string> {
      const { urn, offer } = await place(parties, wanted)
      await fund(parties.buyer, urn, await sign(stack, offer, parties.buyer.account))
      await untilOrder(parties.buyer, urn, 'funded')
      return urn
    }

    async function delivered(parties: Parties, wanted: Wanted): Promise<string> {
      const urn = await funded(parties, wanted)
      await deliver(parties.seller, await readOrder(parties.seller, urn))
      return urn
    }

    /** What a stranger can put on chain under an order's nonce to make it look paid: nothing, and too little. */
    async function litter(
      { seller }: Parties,
      { recipient: to, nonce }: { recipient: Address; nonce: Hex },
    ): Promise<void> {
      const { account } = seller
      const other = privateKeyToAccount(generatePrivateKey())
      await execute(
        stack,
        account,
        submission(stack.chain, await signTransfer(stack.chain, other, { to, nonce, value: 0n })),
      )
      await execute(
        stack,
        account,
        submission(stack.chain, await signTransfer(stack.chain, account, { to, nonce, value: 1n })),
      )
    }

    for (const mode of MODES) {
      it(`a delivery that nobody decides on is accepted when the window ends (${mode})`, async () => {
        const parties = await createParties(stack)
        const urn = await delivered(parties, { mode, auto_accept_seconds: HOUR })
        await advance(HOUR - 30)
        expect((await readOrder(parties.buyer, urn)).state).to.equal('delivered')
        await advance(60)
        expect((await untilSettled(parties.buyer, urn)).state).to.equal('final')
        expect(await eventTypes(stack, urn)).to.include.members(['order.accepted', 'receipt.finalized'])
        expect(await eventTypes(stack, urn)).to.satisfy(isOnceEach)
      })

      it(`an order that nobody pays is cancelled when its offer ends (${mode})`, async () => {
        const parties = await createParties(stack)
        const { urn, offer } = await place(parties, { mode })
        await litter(parties, offer)
        await advance(HOUR + 60)
        const order = await untilOrder(parties.buyer, urn, 'cancelled')
        expect(order).to.include({ reason: 'unpaid', hold: null })
        const late = await sign(stack, offer, parties.buyer.account)
        expect(await statusOf(fund(parties.buyer, urn, late))).to.equal(409)
      })

      it(`an order whose payer had nothing is cancelled when its offer ends (${mode})`, async () => {
        const parties = await createParties(stack)
        const { account } = parties.buyer
        const { urn, offer } = await place(parties, { mode })
        const all = await balanceOf(stack.chain, account.address)
        await execute(stack, account, transfer(stack.chain, parties.seller.account.address, all))
        await fund(parties.buyer, urn, await sign(stack, offer, account))
        await advance(HOUR + 60)
        expect(await untilOrder(parties.buyer, urn, 'cancelled')).to.include({ reason: 'unpaid', hold: null })
      })

      it(`a payment that lands after the order has expired goes back (${mode})`, async () => {
        const parties = await createParties(stack)
        const { account } = parties.buyer
        const { urn, offer } = await place(parties, { mode })
        const before = await balanceOf(stack.chain, account.address)
        await advance(HOUR + 60)
        await untilOrder(parties.buyer, urn, 'cancelled')
        const { recipient: to, nonce } = offer
        const late = await signTransfer(stack.chain, account, { to, nonce, value: PRICE_MICROS })
        await execute(stack, await stranger(stack), submission(stack.chain, late))
        await untilStray(stack, { payer: account.address, nonce }, 'returned')
        expect(await balanceOf(stack.chain, account.address)).to.equal(before)
        expect((await readOrder(parties.buyer, urn)).state).to.equal('cancelled')
      })

      it(`a payment that waited for its buyer to claim it goes back when the offer ends (${mode})`, async () => {
        const parties = { seller: await createTrader(stack), buyer: await createTrader(stack, { isVerified: false }) }
        const { account } = parties.buyer
        const { urn, offer } = await place(parties, { mode })
        const before = await balanceOf(stack.chain, account.address)
        await execute(stack, await stranger(stack), submission(stack.chain, await sign(stack, offer, account)))
        await untilStray(stack, { payer: account.address, nonce: offer.nonce }, 'waiting')
        await advance(HOUR + 60)
        await untilOrder(parties.buyer, urn, 'cancelled')
        await untilStray(stack, { payer: account.address, nonce: offer.nonce }, 'returned')
        expect(await balanceOf(stack.chain, account.address)).to.equal(before)
      })

      it(`a seller who is late is said to be, once, and the buyer may call the order off (${mode})`, async () => {
        const parties = await createParties(stack)
        const { buyer } = parties
        const before = await balanceOf(stack.chain, buyer.account.address)
        const urn = await funded(parties, { mode, sla_seconds: HOUR })
        expect(await statusOf(cancel(buyer, urn))).to.equal(409)
        await advance(HOUR + 60)
        const isBreached = (types: string[]) => types.includes('sla.breached')
        await until('the breach is told', () => eventTypes(stack, urn), isBreached)
        await advance(60)
        await cancel(buyer, urn)
        await untilSettled(buyer, urn)
        expect(await eventTypes(stack, urn)).to.satisfy(isOnceEach)
        if (mode === 'custodied') expect(await balanceOf(stack.chain, buyer.account.address)).to.equal(before)
      })
    }

    it('a seller without a wallet is paid by itself once it has verified one', async () => {
      const parties = { buyer: await createTrader(stack), seller: await createTrader(stack, { isVerified: false }) }
      const { buyer, seller } = parties
      const before = await balanceOf(stack.chain, seller.account.address)
      const urn = await delivered(parties, { mode: 'custodied' })
      await accept(buyer, urn)
      await until(
        'the payout is blocked',
        () => eventTypes(stack, urn),
        (types) => types.includes('payout.blocked'),
      )
      expect((await readOrder(buyer, urn)).state).to.equal('final')
      await advance(30 * 24 * HOUR)
      expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before)
      await bindWallet(seller.client, seller.account)
      await untilSettled(buyer, urn)
      expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before + SELLER_NET_MICROS)
      expect(await eventTypes(stack, urn)).to.satisfy(isOnceEach)
    })

    it("a wallet of the seller's owner serves as well", async () => {
      const parties = { buyer: await createTrader(stack), seller: await createTrader(stack, { isVerified: false }) }
      const { buyer, seller } = parties
      const before = await balanceOf(stack.chain, seller.account.address)
      const urn = await delivered(parties, { mode: 'custodied' })
      await accept(buyer, urn)
      await until(
        'the payout is blocked',
        () => eventTypes(stack, urn),
        (types) => types.includes('payout.blocked'),
      )
      await bindWallet(seller.human, seller.account)
      await untilSettled(buyer, urn)
      expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before + SELLER_NET_MICROS)
    })

    it('a payer who reclaims an expired hold ends its order as refunded', async () => {
      const parties = await createParties(stack)
      const { account } = parties.buyer
      const { id, urn, offer } = await place(parties, { mode: 'contract' })
      await fund(parties.buyer, urn, await sign(stack, offer, account))
      await untilOrder(parties.buyer, urn, 'funded')
      await advance(181 * 24 * HOUR)
      await execute(stack, account, escrowCall(stack, 'reclaim', await termsOf(stack, id)))
      expect((await untilSettled(parties.buyer, urn)).state).to.equal('final')
      expect(await claimableOf(stack, account.address)).to.equal(PRICE_MICROS)
      expect(await eventTypes(stack, urn)).to.satisfy(isOnceEach)
    })

    it('leaves books that match the chain', async () => {
      await untilNothingIsOpen(stack)
      await untilBooksMatch(stack)
      expect(await auditFindings(stack, await createTrader(stack))).to.deep.equal([])
    })
  })
}

function isOnceEach(types: readonly string[]): boolean {
  return new Set(types).size === types.length
}

/** What a call was refused with; 0 when it was not. */
async function statusOf(call: Promise<unknown>): Promise<number> {
  return call.then(
    () => 0,
    (error: unknown) => {
      if (error instanceof ApiProblem) return error.status
      throw error
    },
  )
}
