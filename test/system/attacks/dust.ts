import { describe, it } from 'node:test'
import { expect } from 'chai'
import { keccak256, toHex } from 'viem'
import { auditFindings, query, untilStray } from '../../e2e/books.ts'
import { completes, placeAndFund, recipientOf, richAccount } from '../../e2e/moves.ts'
import { escrowCall, execute, executeAll } from '../../e2e/onchain.ts'
import { createParties, MODES, type Mode, type Parties, PRICE_MICROS } from '../../e2e/trading.ts'
import { signTransfer } from '../../kit/chain/payments.ts'
import { submission, transfer, transferFrom } from '../../kit/chain/sequence.ts'
import type { Arena } from './arena.ts'

/** What anybody can send us, or have the token say of us. */
export function attacksWithDust(arena: () => Arena): void {
  describe('dust and more, sent to both our addresses', { concurrency: true }, () => {
    it('stops nothing and is kept apart', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const giver = await richAccount(parties.buyer)
      const amounts = [1n, 1n, 5_000_000n, PRICE_MICROS]
      const gifts = MODES.flatMap((mode) =>
        amounts.map((amount) => transfer(stack.chain, recipientOf(stack, mode), amount)),
      )
      const nonce = keccak256(toHex(giver.address))
      const signed = await signTransfer(stack.chain, giver, { to: recipientOf(stack, 'custodied'), value: 1n, nonce })
      await executeAll(stack, giver, [...gifts, submission(stack.chain, signed)])
      await untilStray(stack, { payer: giver.address, nonce }, 'suspense')
      await completeBoth(arena(), parties)
      const [sum] = await query<{ apart: string }>(
        stack,
        `select sum(amount_micros)::text as apart from market.unmatched_payments where payer = $1 and status = 'suspense'`,
        [giver.address.toLowerCase()],
      )
      expect(sum?.apart).to.equal(String(2n * amounts.reduce((total, amount) => total + amount) + 1n))
    })

    it('is no fact when it is nothing, out of them or into them: nothing is settled, nor found in an audit [risk empty-transfers]', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { account } = parties.buyer
      const calls = await Promise.all(
        MODES.map(async (mode) => {
          const us = recipientOf(stack, mode)
          const nothing = { to: us, value: 0n, nonce: keccak256(toHex(`${account.address}:${mode}`)) }
          return [
            transfer(stack.chain, us, 0n),
            transferFrom(stack.chain, us, account.address, 0n),
            submission(stack.chain, await signTransfer(stack.chain, account, nothing)),
          ]
        }),
      )
      const hashes = await executeAll(stack, account, calls.flat())
      await completeBoth(arena(), parties)
      const settled = await query(stack, 'select from market.processed_chain_events where tx_hash = any($1)', [hashes])
      expect(settled).to.have.length(0)
      expect(await auditFindings(stack, parties.buyer)).to.deep.equal([])
    })

    it('is kept apart when it is credit withdrawn to the hot wallet', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      await completes(parties, (await placeAndFund(stack, parties, 'contract')).urn)
      const withdrawal = escrowCall(stack, 'withdrawTo', recipientOf(stack, 'custodied'))
      await execute(stack, parties.seller.account, withdrawal)
      await untilStray(stack, { payer: stack.chain.escrow, nonce: null }, 'suspense')
    })
  })
}

/** A trade of each mode. */
async function completeBoth({ stack }: Arena, parties: Parties): Promise<void> {
  const trade = async (mode: Mode) => completes(parties, (await placeAndFund(stack, parties, mode)).urn)
  await Promise.all(MODES.map(trade))
}
