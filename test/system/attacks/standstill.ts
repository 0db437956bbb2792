import { describe, it } from 'node:test'
import { expect } from 'chai'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { eventTypes, ledgerBalances, query } from '../../e2e/books.ts'
import { completes, deliveredOrder, FAUCET_MICROS, placeAndFund } from '../../e2e/moves.ts'
import {
  escrowCall,
  execute,
  isReverted,
  resumeBlocks,
  send,
  stopBlocks,
  stranger,
  tokenControl,
  untilPending,
} from '../../e2e/onchain.ts'
import {
  accept,
  cancel,
  createParties,
  fund,
  PRICE_MICROS,
  place,
  readOrder,
  SELLER_NET_MICROS,
  sign,
  untilOrder,
  untilSettled,
  untilThere,
} from '../../e2e/trading.ts'
import { balanceOf } from '../../kit/chain/custody.ts'
import { roleAccount } from '../../kit/chain/payments.ts'
import { type Arena, payeePayout } from './arena.ts'

/** What happens while the token or the escrow refuses everybody, or somebody. */
export function standstills(arena: () => Arena): void {
  // What one account may not do stops nothing that the others need.
  describe('while money is refused', { concurrency: true }, () => {
    it('by the escrow, which is paused: payments and releases wait, and then go on', async () => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { buyer } = parties
      const pauser = roleAccount(stack.chain, 'deployer')
      const accepted = await deliveredOrder(stack, parties, 'contract')
      await execute(stack, pauser, escrowCall(stack, 'pause'))
      const unpaid = await place(parties, { mode: 'contract' })
      await fund(buyer, unpaid.urn, await sign(stack, unpaid.offer, buyer.account))
      await accept(buyer, accepted.urn)
      await completes(parties, (await placeAndFund(stack, parties, 'custodied')).urn)
      expect((await readOrder(buyer, unpaid.urn)).state).to.equal('placed')
      expect((await readOrder(buyer, accepted.urn)).state).to.equal('accepted')
      await execute(stack, pauser, escrowCall(stack, 'unpause'))
      await untilSettled(buyer, accepted.urn)
      await completes(parties, unpaid.urn)
    })

    it('to a blacklisted payer: the refund parks, and stops nobody else', async () => {
      const { stack } = arena()
      const [parties, others] = await Promise.all([createParties(stack), createParties(stack)])
      const circle = roleAccount(stack.chain, 'deployer')
      const apart = () => standing(arena(), 'suspense')
      const before = await apart()
      const placed = await placeAndFund(stack, parties, 'custodied')
      await untilOrder(parties.buyer, placed.urn, 'funded')
      await execute(stack, circle, tokenControl(stack, 'blacklist', parties.buyer.account.address))
      await cancel(parties.seller, placed.urn)
      await completes(others, (await placeAndFund(stack, others, 'custodied')).urn)
      await untilEvent(arena(), placed.urn, 'payout.failed')
      expect(sum(await apart()) - sum(before)).to.equal(PRICE_MICROS)
    })
  })

  // Alone: what another test has the same account send before would hold the blacklisting up, behind the
  // payout.
  it('to a blacklisted seller: the payout parks and stops nobody else; made by somebody later, it counts', async () => {
    const { stack } = arena()
    const [parties, others] = await Promise.all([createParties(stack), createParties(stack)])
    const { buyer, seller } = parties
    const circle = roleAccount(stack.chain, 'deployer')
    const { urn, offer } = await deliveredOrder(stack, parties, 'custodied')
    await stopBlocks(stack)
    await accept(buyer, urn)
    const { hash, ...signedByUs } = await untilPending(stack, payeePayout(arena(), parties, offer.nonce))
    await send(stack, circle, tokenControl(stack, 'blacklist', seller.account.address), { first: true })
    await stack.chain.client.mine({ blocks: 1 })
    await resumeBlocks(stack)
    expect(await isReverted(stack, hash)).to.equal(true)
    await completes(others, (await placeAndFund(stack, others, 'custodied')).urn)
    await untilEvent(arena(), urn, 'payout.failed')
    const { body: owner } = await seller.human.call('getMe', {})
    const owed = () => standing(arena(), 'payable', urnString('human', owner.urn.body))
    expect(await owed()).to.deep.equal([SELLER_NET_MICROS])
    await execute(stack, circle, tokenControl(stack, 'unBlacklist', seller.account.address))
    await execute(stack, await stranger(stack), signedByUs)
    await untilEvent(arena(), urn, 'payout.executed')
    expect(await balanceOf(stack.chain, seller.account.address)).to.equal(FAUCET_MICROS + SELLER_NET_MICROS)
    expect(await owed()).to.deep.equal([])
  })

  it('by the token, which is paused: everything waits, and then goes on', async () => {
    const { stack } = arena()
    const parties = await createParties(stack)
    const { buyer } = parties
    const circle = roleAccount(stack.chain, 'deployer')
    const accepted = await deliveredOrder(stack, parties, 'custodied')
    await execute(stack, circle, tokenControl(stack, 'pause'))
    await accept(buyer, accepted.urn)
    const unpaid = await placeAndFund(stack, parties, 'contract')
    await untilIntentTried(arena(), unpaid.id)
    expect((await readOrder(buyer, unpaid.urn)).state).to.equal('placed')
    await execute(stack, circle, tokenControl(stack, 'unpause'))
    await untilSettled(buyer, accepted.urn)
    await completes(parties, unpaid.urn)
  })
}

async function untilEvent({ stack }: Arena, orderUrn: string, type: string): Promise<void> {
  await untilThere(
    `the order has its ${type}`,
    () => eventTypes(stack, orderUrn),
    (types) => types.includes(type),
  )
}

/** What stands on the ledger's accounts of a kind, of an owner or of all. */
async function standing({ stack }: Arena, kind: string, of?: string): Promise<bigint[]> {
  const balances = await ledgerBalances(stack)
  return balances
    .filter((balance) => balance.kind === kind && balance.owner === (of ?? balance.owner))
    .map(({ micros }) => micros)
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, micros) => total + micros, 0n)
}

/** The facilitator has looked at what an order wants, and gone on to look again. */
async function untilIntentTried({ stack }: Arena, orderId: string): Promise<void> {
  const read = () => stack.chain.client.getBlockNumber({ cacheTime: 0 })
  const head = await read()
  await untilThere('blocks have come', read, (now) => now > head + 4n)
  const open = await query(stack, 'select from market.intents where order_id = $1 and closed_at is null', [orderId])
  expect(open).to.have.length(1)
}
