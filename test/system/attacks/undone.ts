import { after, describe } from 'node:test'
import { expect } from 'chai'
import type { Hex } from 'viem'
import { untilIndexed } from '../../e2e/books.ts'
import { meeting } from '../../e2e/meeting.ts'
import { completes, deliveredOrder } from '../../e2e/moves.ts'
import { resumeBlocks, stopBlocks, untilPending } from '../../e2e/onchain.ts'
import {
  accept,
  createParties,
  fund,
  MODES,
  PRICE_MICROS,
  place,
  readOrder,
  SELLER_NET_MICROS,
  sign,
  untilSettled,
} from '../../e2e/trading.ts'
import { balanceOf } from '../../kit/chain/custody.ts'
import { type Arena, payeePayout } from './arena.ts'

/**
 * What a reorganisation does to transactions that were mined. They are all in the one block that it leaves
 * for another.
 */
export function blocksThatAreUndone(arena: () => Arena): void {
  describe('a block that the chain leaves for another, after everybody has seen it', { concurrency: true }, () => {
    const client = () => arena().stack.chain.client
    let fork: Hex
    const block = meeting([
      async () => {
        await stopBlocks(arena().stack)
        fork = await client().snapshot()
      },
      () => client().mine({ blocks: 1 }),
      async () => {
        await untilIndexed(arena().stack)
        const head = await client().getBlockNumber({ cacheTime: 0 })
        await client().revert({ id: fork })
        expect(await client().getBlockNumber({ cacheTime: 0 })).to.equal(head - 1n)
        await resumeBlocks(arena().stack)
      },
    ])
    after(() => resumeBlocks(arena().stack))

    for (const mode of MODES) {
      block.it(`takes a payment with it, which is sent again, and the order is paid once (${mode})`, async (meet) => {
        const { stack } = arena()
        const parties = await createParties(stack)
        const { urn, offer } = await place(parties, { mode })
        const before = await balanceOf(stack.chain, parties.buyer.account.address)
        const signed = await sign(stack, offer, parties.buyer.account)
        await meet()
        await fund(parties.buyer, urn, signed)
        await untilPending(stack, signed.signature.slice(0, 66) as Hex)
        await meet()
        expect(await balanceOf(stack.chain, parties.buyer.account.address)).to.equal(before - PRICE_MICROS)
        expect((await readOrder(parties.buyer, urn)).state).to.equal('placed')
        await meet()
        await completes(parties, urn)
        expect(await balanceOf(stack.chain, parties.buyer.account.address)).to.equal(before - PRICE_MICROS)
      })
    }

    block.it('takes a payout with it, which is sent again, and the seller is paid once', async (meet) => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { buyer, seller } = parties
      const before = await balanceOf(stack.chain, seller.account.address)
      const { urn, offer } = await deliveredOrder(stack, parties, 'custodied')
      await meet()
      await accept(buyer, urn)
      await untilPending(stack, payeePayout(arena(), parties, offer.nonce))
      await meet()
      expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before + SELLER_NET_MICROS)
      await meet()
      await untilSettled(buyer, urn)
      expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before + SELLER_NET_MICROS)
    })
  })
}
