import { describe, it } from 'node:test'
import { expect } from 'chai'
import { bindWallet } from '../../../sdk/wallet.ts'
import { query, untilStray } from '../../e2e/books.ts'
import {
  completes,
  deliveredOrder,
  FAUCET_MICROS,
  presentUntilTaken,
  recipientOf,
  refusal,
  richAccount,
  wealthOf,
} from '../../e2e/moves.ts'
import { approval, cancellation, execute, stranger } from '../../e2e/onchain.ts'
import {
  accept,
  cancel,
  createParties,
  fund,
  type Mode,
  type Parties,
  PRICE_MICROS,
  place,
  readOrder,
  SELLER_NET_MICROS,
  sign,
  signTransferFor,
  untilOrder,
  untilSettled,
  untilThere,
} from '../../e2e/trading.ts'
import { balanceOf } from '../../kit/chain/custody.ts'
import { signTransfer } from '../../kit/chain/payments.ts'
import { pretence, submission, together, transfer, transferFrom } from '../../kit/chain/sequence.ts'
import { type Arena, onceResolved } from './arena.ts'

/** What somebody can do to a payment on its way. */
export function attacksOnPayments(arena: () => Arena, mode: Mode): void {
  describe(`attacks on a payment in ${mode} mode`, { concurrency: true }, () => {
    it('a stranger who submits the authorization first pays the order for its buyer', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { urn, offer } = await place(parties, { mode })
      const signed = await signTransferFor(stack, offer, parties.buyer.account)
      await execute(stack, await stranger(stack), submission(stack.chain, signed))
      const isKnown = () =>
        query(stack, 'select from market.processed_chain_events where key = $1', [paymentKey(signed)])
      await untilThere('the payment is known', isKnown, (rows) => rows.length > 0)
      expect(await refusal(fund(parties.buyer, urn, signed))).to.include({ type: 'orders/already-funded' })
      await onceResolved(arena(), signed.to, () => completes(parties, urn))
    })

    if (mode === 'contract') {
      it('what the SDK signs pays the order, and a stranger cannot take it to the token', async () => {
        const { stack } = arena()
        const parties = await createParties(stack)
        const { urn, offer } = await place(parties, { mode })
        const signed = await sign(stack, offer, parties.buyer.account)
        const thief = await stranger(stack)
        const kinds = ['transferWithAuthorization', 'receiveWithAuthorization'] as const
        for (const kind of kinds) {
          const taken = await execute(stack, thief, submission(stack.chain, signed, kind)).then(
            () => 'taken',
            () => 'refused',
          )
          expect(taken, kind).to.equal('refused')
        }
        await fund(parties.buyer, urn, signed)
        await completes(parties, urn)
      })
    }

    it('a cancelled authorization pays nothing, and another wallet of the buyer still can', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { buyer } = parties
      const { urn, offer } = await place(parties, { mode })
      await execute(stack, await stranger(stack), await cancellation(stack, buyer.account, offer.nonce))
      await fund(buyer, urn, await signTransferFor(stack, offer, buyer.account))
      const second = await richAccount(buyer)
      await bindWallet(buyer.client, second)
      await presentUntilTaken(buyer, urn, await signTransferFor(stack, offer, second))
      await completes(parties, urn)
      expect(await balanceOf(stack.chain, buyer.account.address)).to.equal(FAUCET_MICROS)
    })

    it('an order whose authorization was cancelled can be cancelled as well', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { buyer } = parties
      const { urn, offer } = await place(parties, { mode })
      await execute(stack, await stranger(stack), await cancellation(stack, buyer.account, offer.nonce))
      await fund(buyer, urn, await signTransferFor(stack, offer, buyer.account))
      expect(await cancel(buyer, urn)).to.include({ state: 'cancelled', hold: null })
    })

    it("a self-transfer under the order's nonce does not claim the victim's payment behind it", async () => {
      const { stack, sequence } = arena()
      const [mallory, victim] = await Promise.all([createParties(stack), createParties(stack)])
      const [stolen, { urn, offer }] = [await place(mallory, { mode }), await place(victim, { mode })]
      const { account } = mallory.buyer
      const self = { to: account.address, value: PRICE_MICROS, nonce: stolen.offer.nonce }
      const calls = [
        submission(stack.chain, await signTransfer(stack.chain, account, self)),
        submission(stack.chain, await signTransferFor(stack, offer, victim.buyer.account)),
      ]
      await execute(stack, account, together(sequence, calls))
      await fund(mallory.buyer, stolen.urn, await signTransferFor(stack, stolen.offer, account))
      await onceResolved(arena(), offer.recipient, () => completes(victim, urn))
      await staysUnpaid(arena(), mallory, stolen.urn)
    })

    it("a self-transfer under the order's nonce does not claim a stranger's transfer behind it", async () => {
      const { stack, sequence } = arena()
      const mallory = await createParties(stack)
      const { urn, offer } = await place(mallory, { mode })
      const victim = await richAccount(mallory.buyer)
      await execute(stack, victim, approval(stack, sequence, PRICE_MICROS))
      const { account } = mallory.buyer
      const self = { to: account.address, value: PRICE_MICROS, nonce: offer.nonce }
      const calls = [
        submission(stack.chain, await signTransfer(stack.chain, account, self)),
        transferFrom(stack.chain, victim.address, recipientOf(stack, mode), PRICE_MICROS),
      ]
      await execute(stack, account, together(sequence, calls))
      await fund(mallory.buyer, urn, await signTransferFor(stack, offer, account))
      await untilStray(stack, { payer: victim.address, nonce: null }, 'suspense')
      await staysUnpaid(arena(), mallory, urn)
    })

    it("another contract's event does not make a plain transfer a payment", async () => {
      const { stack, sequence } = arena()
      const parties = await createParties(stack)
      const { buyer } = parties
      const { address } = buyer.account
      const { urn, offer } = await place(parties, { mode })
      await execute(stack, buyer.account, approval(stack, sequence, PRICE_MICROS))
      const calls = [
        pretence(sequence, address, offer.nonce),
        transferFrom(stack.chain, address, recipientOf(stack, mode), PRICE_MICROS),
      ]
      await execute(stack, buyer.account, together(sequence, calls))
      await untilStray(stack, { payer: address, nonce: null }, 'suspense')
      expect((await readOrder(buyer, urn)).state).to.equal('placed')
      await fund(buyer, urn, await signTransferFor(stack, offer, buyer.account))
      await completes(parties, urn)
    })

    for (const [kind, value] of [
      ['less', PRICE_MICROS - 1n],
      ['more', PRICE_MICROS + 1n],
    ] as const) {
      it(`${kind} than the price under the order's nonce is not its payment, and goes back`, async () => {
        const { stack } = arena()
        const parties = await createParties(stack)
        const { offer, urn } = await place(parties, { mode })
        await goesBack(arena(), parties, { to: offer.recipient, value, nonce: offer.nonce })
        expect((await readOrder(parties.buyer, urn)).state).to.equal('placed')
      })
    }

    it("the right payment to the wrong one of our addresses is not the order's, and goes back", async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { offer, urn } = await place(parties, { mode })
      const to = recipientOf(stack, mode === 'contract' ? 'custodied' : 'contract')
      await goesBack(arena(), parties, { to, value: PRICE_MICROS, nonce: offer.nonce })
      expect((await readOrder(parties.buyer, urn)).state).to.equal('placed')
    })

    it('a payment that lands after its order was cancelled goes back', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { offer, urn } = await place(parties, { mode })
      await cancel(parties.buyer, urn)
      await goesBack(arena(), parties, { to: offer.recipient, value: PRICE_MICROS, nonce: offer.nonce })
      expect((await readOrder(parties.buyer, urn)).state).to.equal('cancelled')
    })

    it('paying and cancelling at once ends paid or refunded, and in between nowhere', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { account } = parties.buyer
      const { urn, offer } = await place(parties, { mode })
      const signed = await signTransferFor(stack, offer, account)
      const thief = await stranger(stack)
      const results = await Promise.all([
        refusal(cancel(parties.buyer, urn)),
        refusal(fund(parties.buyer, urn, signed)),
        execute(stack, thief, submission(stack.chain, signed)),
      ])
      const isCancelled = results[0] === undefined
      await onceResolved(arena(), signed.to, async () => {
        if (!isCancelled) return completes(parties, urn)
        await untilStray(stack, { payer: account.address, nonce: offer.nonce }, 'returned')
        expect(await wealthOf(stack, account.address)).to.equal(FAUCET_MICROS)
      })
    })

    it('a payer whose wallet is empty has paid nothing; when it comes after all, it goes back', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { buyer, seller } = parties
      const { urn, offer } = await place(parties, { mode })
      await execute(stack, buyer.account, transfer(stack.chain, seller.account.address, FAUCET_MICROS))
      const signed = await signTransferFor(stack, offer, buyer.account)
      await fund(buyer, urn, signed)
      const second = await richAccount(buyer)
      await bindWallet(buyer.client, second)
      await presentUntilTaken(buyer, urn, await signTransferFor(stack, offer, second))
      await untilOrder(buyer, urn, 'funded')
      await execute(stack, seller.account, transfer(stack.chain, buyer.account.address, PRICE_MICROS))
      await execute(stack, await stranger(stack), submission(stack.chain, signed))
      await completes(parties, urn)
      await onceResolved(arena(), signed.to, async () => {
        await untilStray(stack, { payer: buyer.account.address, nonce: offer.nonce }, 'returned')
        expect(await balanceOf(stack.chain, buyer.account.address)).to.equal(PRICE_MICROS)
      })
    })

    it('accepting and refunding at once moves the money once', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { buyer, seller } = parties
      const { urn } = await deliveredOrder(stack, parties, mode)
      const results = await Promise.all([
        refusal(accept(buyer, urn)),
        refusal(cancel(seller, urn)),
        refusal(accept(buyer, urn)),
        refusal(cancel(seller, urn)),
      ])
      expect(results.filter((result) => result === undefined)).to.have.length(1)
      const isAccepted = results[0] === undefined || results[2] === undefined
      await untilSettled(buyer, urn)
      const [toBuyer, toSeller] = isAccepted ? [0n, SELLER_NET_MICROS] : [PRICE_MICROS, 0n]
      expect(await wealthOf(stack, buyer.account.address)).to.equal(FAUCET_MICROS - PRICE_MICROS + toBuyer)
      expect(await wealthOf(stack, seller.account.address)).to.equal(FAUCET_MICROS + toSeller)
    })
  })
}

/** The buyer pays with a signature of its own making, and has the money back. */
async function goesBack(
  arena: Arena,
  { buyer: { account } }: Parties,
  payment: Parameters<typeof signTransfer>[2],
): Promise<void> {
  const { stack } = arena
  await execute(stack, account, submission(stack.chain, await signTransfer(stack.chain, account, payment)))
  await onceResolved(arena, payment.to, async () => {
    await untilStray(stack, { payer: account.address, nonce: payment.nonce }, 'returned')
    expect(await balanceOf(stack.chain, account.address)).to.equal(FAUCET_MICROS)
  })
}

/** What names the fact of a payment. */
function paymentKey({ from, nonce }: { from: string; nonce: string }): string {
  return `payment:${from.toLowerCase()}:${nonce}`
}

/** The service finds out that what is on file will never pay, and the order can be called off. */
async function staysUnpaid({ stack }: Arena, { buyer }: Parties, urn: string): Promise<void> {
  const payer = buyer.account.address.toLowerCase()
  const read = () =>
    query<{ state: string }>(stack, 'select state from market.authorizations where payer = $1', [payer])
  await untilThere('the authorization is dead', read, (rows) => rows.every(({ state }) => state === 'failed'))
  expect((await readOrder(buyer, urn)).state).to.equal('placed')
  expect(await cancel(buyer, urn)).to.include({ state: 'cancelled', hold: null })
}
