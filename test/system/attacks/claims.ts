import { describe, it } from 'node:test'
import { expect } from 'chai'
import { keccak256, toHex } from 'viem'
import { bindWallet } from '../../../sdk/wallet.ts'
import { untilStray } from '../../e2e/books.ts'
import { anotherAgent, completes, FAUCET_MICROS, presentX402, refusal, richAccount } from '../../e2e/moves.ts'
import { execute, stranger } from '../../e2e/onchain.ts'
import {
  createParties,
  createTrader,
  fund,
  type Mode,
  PRICE_MICROS,
  place,
  readOrder,
  signTransferFor,
  untilOrder,
} from '../../e2e/trading.ts'
import { balanceOf } from '../../kit/chain/custody.ts'
import { signTransfer } from '../../kit/chain/payments.ts'
import { submission } from '../../kit/chain/sequence.ts'
import { type Arena, onceResolved } from './arena.ts'

const CONFLICT = { status: 409, type: 'orders/payer-conflict' }

/** Who can say that a payment is theirs. */
export function attacksOnClaims(arena: () => Arena, mode: Mode): void {
  describe(`attacks on whose a payment is in ${mode} mode`, { concurrency: true }, () => {
    for (const isVerified of [true, false]) {
      const whose = isVerified ? 'a verified wallet' : 'no verified wallet'
      it(`nobody can present the pending authorization of a buyer with ${whose} as their own`, async () => {
        const { stack } = arena()
        const seller = await createTrader(stack)
        const victim = { seller, buyer: await createTrader(stack, { isVerified }) }
        const mallory = { seller, buyer: await createTrader(stack, { isVerified: false }) }
        const { urn, offer } = await place(victim, { mode })
        const signed = await signTransferFor(stack, offer, victim.buyer.account)
        await fund(victim.buyer, urn, signed)
        const own = await place(mallory, { mode })
        expect(await refusal(fund(mallory.buyer, own.urn, signed))).to.deep.equal(CONFLICT)
        expect(await refusal(fund(mallory.buyer, urn, signed))).to.include({ status: 404 })
        await completes(victim, urn)
        expect((await readOrder(mallory.buyer, own.urn)).state).to.equal('placed')
      })
    }

    it('of many who present one authorization at once, its order alone is paid [risk simultaneous-claims]', async () => {
      const { stack } = arena()
      const seller = await createTrader(stack)
      const victim = { seller, buyer: await createTrader(stack, { isVerified: false }) }
      const mallory = { seller, buyer: await createTrader(stack, { isVerified: false }) }
      const { urn, offer } = await place(victim, { mode })
      const signed = await signTransferFor(stack, offer, victim.buyer.account)
      const others = await Promise.all([1, 2, 3].map(() => place(mallory, { mode })))
      const results = await Promise.all([
        refusal(fund(victim.buyer, urn, signed)),
        ...others.map((other) => refusal(fund(mallory.buyer, other.urn, signed))),
        refusal(fund(victim.buyer, urn, signed)),
      ])
      expect(results.filter((result) => result === undefined)).to.have.length(1)
      await completes(victim, urn)
      for (const other of others) expect((await readOrder(mallory.buyer, other.urn)).state).to.equal('placed')
    })

    it('two agents of one owner who present one authorization at once: one of them has paid', async () => {
      const { stack } = arena()
      const seller = await createTrader(stack)
      const one = { seller, buyer: await createTrader(stack, { isVerified: false }) }
      const two = { seller, buyer: await anotherAgent(stack, one.buyer) }
      await bindWallet(one.buyer.human, one.buyer.account)
      const [first, second] = [await place(one, { mode: 'custodied' }), await place(two, { mode: 'custodied' })]
      const { recipient: to, valid_before } = first.offer
      const signed = await signTransfer(stack.chain, one.buyer.account, {
        ...{ to, value: PRICE_MICROS, nonce: keccak256(toHex(first.urn)) },
        validBefore: BigInt(Date.parse(valid_before) / 1000),
      })
      const results = await Promise.all([
        refusal(presentX402(one.buyer, first, signed)),
        refusal(presentX402(two.buyer, second, signed)),
      ])
      const isFirst = results[0] === undefined
      expect(results).to.deep.equal(isFirst ? [undefined, CONFLICT] : [CONFLICT, undefined])
      await (isFirst ? completes(one, first.urn) : completes(two, second.urn))
      const [loser, lost] = isFirst ? [two, second] : [one, first]
      expect((await readOrder(loser.buyer, lost.urn)).state).to.equal('placed')
    })

    it('a payment that was made once is not taken for another order [risk two-orders]', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { buyer } = parties
      const first = await place(parties, { mode: 'custodied' })
      const signed = await signTransferFor(stack, first.offer, buyer.account)
      await execute(stack, await stranger(stack), submission(stack.chain, signed))
      await untilOrder(buyer, first.urn, 'funded')
      const second = await place(parties, { mode })
      // The nonce says which sale the payment is for. One that is spent:
      // test/api/trading/orders/payers.test.ts.
      expect(await refusal(presentX402(buyer, second, signed))).to.include({ type: 'authorization/mismatch' })
      expect((await readOrder(buyer, second.urn)).state).to.equal('placed')
    })

    it('a stranger who pays the same order gets it back, and the buyer pays as if nothing had been', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { account } = await createTrader(stack)
      const { urn, offer } = await place(parties, { mode })
      await execute(stack, account, submission(stack.chain, await signTransferFor(stack, offer, account)))
      await onceResolved(arena(), offer.recipient, async () => {
        await untilStray(stack, { payer: account.address, nonce: offer.nonce }, 'returned')
        expect(await balanceOf(stack.chain, account.address)).to.equal(FAUCET_MICROS)
      })
      expect((await readOrder(parties.buyer, urn)).state).to.equal('placed')
      await fund(parties.buyer, urn, await signTransferFor(stack, offer, parties.buyer.account))
      await completes(parties, urn)
    })

    it("a stranger's payment for a buyer without wallets waits, and goes back once the buyer has paid", async () => {
      const { stack } = arena()
      const parties = { seller: await createTrader(stack), buyer: await createTrader(stack, { isVerified: false }) }
      const mallory = await richAccount(parties.buyer)
      const { urn, offer } = await place(parties, { mode })
      await execute(stack, mallory, submission(stack.chain, await signTransferFor(stack, offer, mallory)))
      await untilStray(stack, { payer: mallory.address, nonce: offer.nonce }, 'waiting')
      await fund(parties.buyer, urn, await signTransferFor(stack, offer, parties.buyer.account))
      await completes(parties, urn)
      await onceResolved(arena(), offer.recipient, async () => {
        await untilStray(stack, { payer: mallory.address, nonce: offer.nonce }, 'returned')
        expect(await balanceOf(stack.chain, mallory.address)).to.equal(FAUCET_MICROS)
      })
    })

    it('a buyer without wallets who paid first is believed when presenting what it signed', async () => {
      const { stack } = arena()
      const parties = { seller: await createTrader(stack), buyer: await createTrader(stack, { isVerified: false }) }
      const { account } = parties.buyer
      const { urn, offer } = await place(parties, { mode })
      const signed = await signTransferFor(stack, offer, account)
      await execute(stack, await stranger(stack), submission(stack.chain, signed))
      await untilStray(stack, { payer: account.address, nonce: offer.nonce }, 'waiting')
      await fund(parties.buyer, urn, signed)
      await onceResolved(arena(), signed.to, () => completes(parties, urn))
    })
  })
}
