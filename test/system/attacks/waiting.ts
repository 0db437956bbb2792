import { after, describe } from 'node:test'
import { expect } from 'chai'
import type { Hex } from 'viem'
import type { SignedAuthorization } from '../../../protocol/payments/authorization.ts'
import { orderKey } from '../../../protocol/payments/terms.ts'
import { bindWallet } from '../../../sdk/wallet.ts'
import { eventTypes, query, receiptOf } from '../../e2e/books.ts'
import { type Meet, meeting } from '../../e2e/meeting.ts'
import { completes, deliveredOrder, FAUCET_MICROS, wealthOf } from '../../e2e/moves.ts'
import {
  cancellation,
  claimableOf,
  escrowCall,
  escrowFund,
  isReverted,
  resumeBlocks,
  send,
  stopBlocks,
  stranger,
  termsOf,
  untilPending,
} from '../../e2e/onchain.ts'
import {
  accept,
  cancel,
  createParties,
  createTrader,
  fund,
  MODES,
  type Mode,
  type Parties,
  PRICE_MICROS,
  place,
  readOrder,
  SELLER_NET_MICROS,
  signTransferFor,
  untilSettled,
  untilThere,
} from '../../e2e/trading.ts'
import { balanceOf } from '../../kit/chain/custody.ts'
import { submission, transfer } from '../../kit/chain/sequence.ts'
import { type Arena, onceResolved, payeePayout } from './arena.ts'

/** What somebody can do ahead of a transaction that waits to be mined. All of it is in one block. */
export function attacksOnWhatWaits(arena: () => Arena): void {
  describe('attacks on what waits to be mined', { concurrency: true }, () => {
    const block = meeting([
      () => stopBlocks(arena().stack),
      async () => {
        await arena().stack.chain.client.mine({ blocks: 1 })
        await resumeBlocks(arena().stack)
      },
    ])
    after(() => resumeBlocks(arena().stack))

    for (const mode of MODES) attacksOnPaymentsInThePool(arena, block, mode)
    attacksOnReleasesInThePool(arena, block)
    attacksOnPayoutsInThePool(arena, block)
  })
}

type Block = ReturnType<typeof meeting>

function attacksOnPaymentsInThePool(arena: () => Arena, block: Block, mode: Mode): void {
  /**
   * Hands the authorization in, and acts when the facilitator's transaction waits to be mined. Answers its
   * hash.
   */
  async function aheadOf(
    meet: Meet,
    parties: Parties,
    urn: string,
    signed: SignedAuthorization,
    act: () => Promise<Hex>,
  ) {
    await meet()
    await fund(parties.buyer, urn, signed)
    const { hash } = await untilPending(arena().stack, signed.signature.slice(0, 66) as Hex)
    await act()
    await meet()
    return hash
  }

  block.it(
    `a stranger who takes the authorization to the token first pays the order for its buyer (${mode}) [risk direct-transfer]`,
    async (meet) => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const before = await balanceOf(stack.chain, parties.buyer.account.address)
      const { urn, offer } = await place(parties, { mode })
      const signed = await signTransferFor(stack, offer, parties.buyer.account)
      const thief = await stranger(stack)
      const ours = await aheadOf(meet, parties, urn, signed, () =>
        send(stack, thief, submission(stack.chain, signed), { first: true }),
      )
      expect(await isReverted(stack, ours)).to.equal(true)
      await onceResolved(arena(), signed.to, async () => {
        await completes(parties, urn)
        expect(await balanceOf(stack.chain, parties.buyer.account.address)).to.equal(before - PRICE_MICROS)
      })
    },
  )

  block.it(
    `a buyer who cancels the authorization has paid nothing, and may pay again (${mode}) [risk cancelled-authorization]`,
    async (meet) => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { buyer } = parties
      const second = await createTrader(stack, { isVerified: false })
      const { urn, offer } = await place(parties, { mode })
      const cancelling = await cancellation(stack, buyer.account, offer.nonce)
      const ours = await aheadOf(meet, parties, urn, await signTransferFor(stack, offer, buyer.account), () =>
        send(stack, buyer.account, cancelling, { first: true }),
      )
      expect(await isReverted(stack, ours)).to.equal(true)
      await untilFailed(arena(), buyer.account.address)
      expect((await readOrder(buyer, urn)).state).to.equal('placed')
      await bindWallet(buyer.client, second.account)
      await fund(buyer, urn, await signTransferFor(stack, offer, second.account))
      await completes(parties, urn)
    },
  )

  block.it(`a buyer who empties the wallet first may pay again with the same nonce (${mode})`, async (meet) => {
    const { stack } = arena()
    const parties = await createParties(stack)
    const { buyer, seller } = parties
    const { urn, offer } = await place(parties, { mode })
    const all = await balanceOf(stack.chain, buyer.account.address)
    const signed = await signTransferFor(stack, offer, buyer.account)
    const ours = await aheadOf(meet, parties, urn, signed, () =>
      send(stack, buyer.account, transfer(stack.chain, seller.account.address, all), { first: true }),
    )
    expect(await isReverted(stack, ours)).to.equal(true)
    await untilFailed(arena(), buyer.account.address)
    await buyer.client.call('requestSandboxFunds', { body: { address: buyer.account.address } })
    await fund(buyer, urn, signed)
    await completes(parties, urn)
  })

  block.it(
    `of two payments of one order in one block one counts, and the other goes back (${mode}) [risk two-payments]`,
    async (meet) => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { buyer } = parties
      const { account: second } = await createTrader(stack, { isVerified: false })
      await bindWallet(buyer.client, second)
      const { urn, offer } = await place(parties, { mode })
      const others = await signTransferFor(stack, offer, second)
      const thief = await stranger(stack)
      await aheadOf(meet, parties, urn, await signTransferFor(stack, offer, buyer.account), () =>
        send(stack, thief, submission(stack.chain, others), { first: true }),
      )
      await completes(parties, urn)
      const wallets = [buyer.account.address, second.address]
      const rest = () => Promise.all(wallets.map((address) => wealthOf(stack, address)))
      await onceResolved(arena(), others.to, async () => {
        const sum = await untilThere(
          'one of the two is back',
          rest,
          ([one = 0n, two = 0n]) => one + two >= 2n * FAUCET_MICROS - PRICE_MICROS,
        )
        expect(sum.reduce((total, micros) => total + micros)).to.equal(2n * FAUCET_MICROS - PRICE_MICROS)
      })
    },
  )
}

function attacksOnReleasesInThePool(arena: () => Arena, block: Block): void {
  block.it(
    'a seller who refunds ahead of our release ends the order as refunded, although it was accepted [risk early-outcome]',
    async (meet) => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { buyer, seller } = parties
      const { id, urn } = await deliveredOrder(stack, parties, 'contract')
      const refund = escrowCall(stack, 'refundByPayee', await termsOf(stack, id), buyer.account.address)
      await meet()
      await accept(buyer, urn)
      const { hash } = await untilPending(stack, orderKey(id))
      await send(stack, seller.account, refund, { first: true })
      await meet()
      expect(await isReverted(stack, hash)).to.equal(true)
      expect((await untilSettled(buyer, urn)).state).to.equal('final')
      expect(await claimableOf(stack, buyer.account.address)).to.equal(PRICE_MICROS)
      expect((await receiptOf(buyer, urn)).document).to.include({ refunded: '20.000000', seller_net: '0.000000' })
    },
  )

  block.it(
    'a buyer who releases ahead of our refund has paid the seller, although the order was cancelled',
    async (meet) => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { buyer, seller } = parties
      const { id, urn } = await deliveredOrder(stack, parties, 'contract')
      const release = escrowCall(stack, 'releaseByPayer', await termsOf(stack, id))
      await meet()
      await cancel(seller, urn)
      const { hash } = await untilPending(stack, orderKey(id))
      await send(stack, buyer.account, release, { first: true })
      await meet()
      expect(await isReverted(stack, hash)).to.equal(true)
      await untilSettled(buyer, urn)
      expect(await claimableOf(stack, seller.account.address)).to.equal(SELLER_NET_MICROS)
      expect((await receiptOf(buyer, urn)).document).to.include({ refunded: '0.000000', seller_net: '19.000000' })
    },
  )

  for (const [how, net] of [
    ['releases', SELLER_NET_MICROS],
    ['refunds', 0n],
  ] as const) {
    block.it(
      `a hold that begins and ends in one block is funded and settled: somebody ${how} it at once`,
      async (meet) => {
        const { stack } = arena()
        const parties = await createParties(stack)
        const { buyer, seller } = parties
        const { id, urn, offer } = await place(parties, { mode: 'contract' })
        const terms = await termsOf(stack, id)
        const signed = await signTransferFor(stack, offer, buyer.account)
        const [ender, ending] =
          how === 'releases'
            ? ([buyer, escrowCall(stack, 'releaseByPayer', terms)] as const)
            : ([seller, escrowCall(stack, 'refundByPayee', terms, buyer.account.address)] as const)
        const opener = await stranger(stack)
        await meet()
        await send(stack, opener, escrowFund(stack, terms, signed), { first: true })
        await send(stack, ender.account, ending)
        await meet()
        expect((await untilSettled(buyer, urn)).state).to.equal('final')
        expect(await claimableOf(stack, seller.account.address)).to.equal(net)
        expect(await claimableOf(stack, buyer.account.address)).to.equal(net === 0n ? PRICE_MICROS : 0n)
      },
    )
  }
}

function attacksOnPayoutsInThePool(arena: () => Arena, block: Block): void {
  block.it(
    'a stranger who takes the payout to the token first only does our work [risk stranger-submits-payout]',
    async (meet) => {
      const { stack } = arena()
      const parties = await createParties(stack)
      const { buyer, seller } = parties
      const before = await balanceOf(stack.chain, seller.account.address)
      const { urn, offer } = await deliveredOrder(stack, parties, 'custodied')
      const thief = await stranger(stack)
      await meet()
      await accept(buyer, urn)
      const { hash, ...call } = await untilPending(stack, payeePayout(arena(), parties, offer.nonce))
      await send(stack, thief, call, { first: true })
      await meet()
      expect(await isReverted(stack, hash)).to.equal(true)
      await untilSettled(buyer, urn)
      expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before + SELLER_NET_MICROS)
      expect((await eventTypes(stack, urn)).filter((type) => type === 'payout.executed')).to.have.length(1)
    },
  )
}

async function untilFailed({ stack }: Arena, payer: string): Promise<void> {
  const read = () =>
    query<{ state: string }>(stack, 'select state from market.authorizations where payer = $1', [payer.toLowerCase()])
  const areFailed = (rows: { state: string }[]) => rows.length > 0 && rows.every(({ state }) => state === 'failed')
  await untilThere('the authorization has failed', read, areFailed)
}
