import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { Hex } from 'viem'
import { requestSandboxFunds } from '../../api/sandbox/routes.ts'
import type { SignedAuthorization } from '../../protocol/authorization.ts'
import { payoutNonce } from '../../protocol/nonces.ts'
import { orderKey } from '../../protocol/terms.ts'
import { bindWallet } from '../../sdk/wallet.ts'
import { balanceOf } from '../chain/custody.ts'
import { roleAccount } from '../chain/payments.ts'
import { submission, transfer } from '../chain/sequence.ts'
import { type Stack, startStack } from '../stack/stack.ts'
import {
  auditFindings,
  eventTypes,
  query,
  receiptOf,
  untilBooksMatch,
  untilIndexed,
  untilNothingIsOpen,
} from './books.ts'
import { completes, deliveredOrder, FAUCET_MICROS, placeAndFund, wealthOf } from './moves.ts'
import {
  cancellation,
  claimableOf,
  escrowCall,
  escrowFund,
  execute,
  send,
  stranger,
  termsOf,
  tokenControl,
  untilPending,
  withoutBlocks,
} from './onchain.ts'
import {
  accept,
  cancel,
  createParties,
  createTrader,
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
} from './trading.ts'

// One after the other: each decides what the next block holds.
describe('attacks on what waits to be mined', { timeout: 240_000 }, () => {
  let stack: Stack

  before(async () => {
    stack = await startStack()
  })

  after(() => stack?.stop())

  const mine = () => stack.chain.client.mine({ blocks: 1 })

  async function isReverted(hash: Hex): Promise<boolean> {
    return (await stack.chain.client.getTransactionReceipt({ hash })).status === 'reverted'
  }

  /** Hands the authorization in, and acts when the facilitator's transaction waits to be mined. Answers its hash. */
  async function aheadOf(parties: Parties, urn: string, signed: SignedAuthorization, act: () => Promise<Hex>) {
    return withoutBlocks(stack, async () => {
      await fund(parties.buyer, urn, signed)
      const { hash } = await untilPending(stack, signed.signature.slice(0, 66) as Hex)
      await act()
      await mine()
      return hash
    })
  }

  /** Has the chain leave the blocks of a task for others, after everybody has seen them. */
  async function undone(task: () => Promise<void>): Promise<void> {
    await withoutBlocks(stack, async () => {
      const fork = await stack.chain.client.snapshot()
      await task()
      await untilIndexed(stack)
      const head = await stack.chain.client.getBlockNumber({ cacheTime: 0 })
      await stack.chain.client.revert({ id: fork })
      expect(await stack.chain.client.getBlockNumber({ cacheTime: 0 })).to.equal(head - 1n)
    })
  }

  for (const mode of MODES) {
    describe(`in ${mode} mode`, () => {
      it('a stranger who takes the waiting authorization to the token first pays the order for its buyer', async () => {
        const parties = await createParties(stack)
        const before = await balanceOf(stack.chain, parties.buyer.account.address)
        const { urn, offer } = await place(parties, { mode })
        const signed = await sign(stack, offer, parties.buyer.account)
        const thief = await stranger(stack)
        const ours = await aheadOf(parties, urn, signed, () =>
          send(stack, thief, submission(stack.chain, signed), { first: true }),
        )
        expect(await isReverted(ours)).to.equal(true)
        await completes(parties, urn)
        expect(await balanceOf(stack.chain, parties.buyer.account.address)).to.equal(before - PRICE_MICROS)
      })

      it('a buyer who cancels the waiting authorization has paid nothing, and may pay again', async () => {
        const parties = await createParties(stack)
        const { buyer } = parties
        const { urn, offer } = await place(parties, { mode })
        const cancelling = await cancellation(stack, buyer.account, offer.nonce)
        const ours = await aheadOf(parties, urn, await sign(stack, offer, buyer.account), () =>
          send(stack, buyer.account, cancelling, { first: true }),
        )
        expect(await isReverted(ours)).to.equal(true)
        await untilFailed(buyer.account.address)
        expect((await readOrder(buyer, urn)).state).to.equal('placed')
        const second = await createTrader(stack, { isVerified: false })
        await bindWallet(buyer.client, second.account)
        await fund(buyer, urn, await sign(stack, offer, second.account))
        await completes(parties, urn)
      })

      it('a buyer who empties the wallet first has paid nothing, and may pay again with the same nonce', async () => {
        const parties = await createParties(stack)
        const { buyer, seller } = parties
        const { urn, offer } = await place(parties, { mode })
        const all = await balanceOf(stack.chain, buyer.account.address)
        const signed = await sign(stack, offer, buyer.account)
        const ours = await aheadOf(parties, urn, signed, () =>
          send(stack, buyer.account, transfer(stack.chain, seller.account.address, all), { first: true }),
        )
        expect(await isReverted(ours)).to.equal(true)
        await untilFailed(buyer.account.address)
        await buyer.client.call(requestSandboxFunds, { body: { address: buyer.account.address } })
        await fund(buyer, urn, signed)
        await completes(parties, urn)
      })

      it('of two payments of one order in one block one counts, and the other goes back', async () => {
        const parties = await createParties(stack)
        const { buyer } = parties
        const { account: second } = await createTrader(stack, { isVerified: false })
        await bindWallet(buyer.client, second)
        const { urn, offer } = await place(parties, { mode })
        const other = submission(stack.chain, await sign(stack, offer, second))
        const thief = await stranger(stack)
        await aheadOf(parties, urn, await sign(stack, offer, buyer.account), () =>
          send(stack, thief, other, { first: true }),
        )
        await completes(parties, urn)
        const wallets = [buyer.account.address, second.address]
        const rest = () => Promise.all(wallets.map((address) => wealthOf(stack, address)))
        const sum = await until(
          'one of the two is back',
          rest,
          ([one = 0n, two = 0n]) => one + two >= 2n * FAUCET_MICROS - PRICE_MICROS,
        )
        expect(sum.reduce((total, micros) => total + micros)).to.equal(2n * FAUCET_MICROS - PRICE_MICROS)
      })

      it('a funding transaction that a reorganisation undoes is sent again, and the order is paid once', async () => {
        const parties = await createParties(stack)
        const { urn, offer } = await place(parties, { mode })
        const before = await balanceOf(stack.chain, parties.buyer.account.address)
        const signed = await sign(stack, offer, parties.buyer.account)
        await undone(async () => {
          await fund(parties.buyer, urn, signed)
          await untilPending(stack, signed.signature.slice(0, 66) as Hex)
          await mine()
          expect(await balanceOf(stack.chain, parties.buyer.account.address)).to.equal(before - PRICE_MICROS)
          expect((await readOrder(parties.buyer, urn)).state).to.equal('placed')
        })
        await completes(parties, urn)
        expect(await balanceOf(stack.chain, parties.buyer.account.address)).to.equal(before - PRICE_MICROS)
      })
    })
  }

  it('a stranger who takes the waiting payout to the token first only does our work', async () => {
    const parties = await createParties(stack)
    const { buyer, seller } = parties
    const before = await balanceOf(stack.chain, seller.account.address)
    const { urn, offer } = await deliveredOrder(stack, parties, 'custodied')
    const thief = await stranger(stack)
    await withoutBlocks(stack, async () => {
      await accept(buyer, urn)
      const { hash, ...call } = await untilPending(stack, payoutOf(parties, offer.nonce))
      await send(stack, thief, call, { first: true })
      await mine()
      expect(await isReverted(hash)).to.equal(true)
    })
    await untilSettled(buyer, urn)
    expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before + SELLER_NET_MICROS)
    expect((await eventTypes(stack, urn)).filter((type) => type === 'payout.executed')).to.have.length(1)
  })

  it('a payout that a reorganisation undoes is sent again, and the seller is paid once', async () => {
    const parties = await createParties(stack)
    const { buyer, seller } = parties
    const before = await balanceOf(stack.chain, seller.account.address)
    const { urn, offer } = await deliveredOrder(stack, parties, 'custodied')
    await undone(async () => {
      await accept(buyer, urn)
      await untilPending(stack, payoutOf(parties, offer.nonce))
      await mine()
      expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before + SELLER_NET_MICROS)
    })
    await untilSettled(buyer, urn)
    expect(await balanceOf(stack.chain, seller.account.address)).to.equal(before + SELLER_NET_MICROS)
  })

  it('a seller who refunds ahead of our release ends the order as refunded, although it was accepted', async () => {
    const parties = await createParties(stack)
    const { buyer, seller } = parties
    const { id, urn } = await deliveredOrder(stack, parties, 'contract')
    const refund = escrowCall(stack, 'refundByPayee', await termsOf(stack, id), buyer.account.address)
    await withoutBlocks(stack, async () => {
      await accept(buyer, urn)
      const { hash } = await untilPending(stack, orderKey(id))
      await send(stack, seller.account, refund, { first: true })
      await mine()
      expect(await isReverted(hash)).to.equal(true)
    })
    expect((await untilSettled(buyer, urn)).state).to.equal('final')
    expect(await claimableOf(stack, buyer.account.address)).to.equal(PRICE_MICROS)
    expect((await receiptOf(buyer, urn)).document).to.include({ refunded: '20.000000', seller_net: '0.000000' })
  })

  it('a buyer who releases ahead of our refund has paid the seller, although the order was cancelled', async () => {
    const parties = await createParties(stack)
    const { buyer, seller } = parties
    const { id, urn } = await deliveredOrder(stack, parties, 'contract')
    const release = escrowCall(stack, 'releaseByPayer', await termsOf(stack, id))
    await withoutBlocks(stack, async () => {
      await cancel(seller, urn)
      const { hash } = await untilPending(stack, orderKey(id))
      await send(stack, buyer.account, release, { first: true })
      await mine()
      expect(await isReverted(hash)).to.equal(true)
    })
    await untilSettled(buyer, urn)
    expect(await claimableOf(stack, seller.account.address)).to.equal(SELLER_NET_MICROS)
    expect((await receiptOf(buyer, urn)).document).to.include({ refunded: '0.000000', seller_net: '19.000000' })
  })

  for (const [how, net] of [
    ['releases', SELLER_NET_MICROS],
    ['refunds', 0n],
  ] as const) {
    it(`a hold that begins and ends in one block is funded and settled: somebody ${how} it at once`, async () => {
      const parties = await createParties(stack)
      const { buyer, seller } = parties
      const { id, urn, offer } = await place(parties, { mode: 'contract' })
      const terms = await termsOf(stack, id)
      const signed = await sign(stack, offer, buyer.account)
      const [ender, ending] =
        how === 'releases'
          ? ([buyer, escrowCall(stack, 'releaseByPayer', terms)] as const)
          : ([seller, escrowCall(stack, 'refundByPayee', terms, buyer.account.address)] as const)
      const opener = await stranger(stack)
      await withoutBlocks(stack, async () => {
        await send(stack, opener, escrowFund(stack, terms, signed), { first: true })
        await send(stack, ender.account, ending)
        await mine()
      })
      expect((await untilSettled(buyer, urn)).state).to.equal('final')
      expect(await claimableOf(stack, seller.account.address)).to.equal(net)
      expect(await claimableOf(stack, buyer.account.address)).to.equal(net === 0n ? PRICE_MICROS : 0n)
    })
  }

  it('while the escrow is paused, payments and releases wait, and then go on', async () => {
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

  it('while the token is paused everything waits, and then goes on', async () => {
    const parties = await createParties(stack)
    const { buyer } = parties
    const circle = roleAccount(stack.chain, 'deployer')
    const accepted = await deliveredOrder(stack, parties, 'custodied')
    await execute(stack, circle, tokenControl(stack, 'pause'))
    await accept(buyer, accepted.urn)
    const unpaid = await placeAndFund(stack, parties, 'contract')
    await untilIntentTried(unpaid.id)
    expect((await readOrder(buyer, unpaid.urn)).state).to.equal('placed')
    await execute(stack, circle, tokenControl(stack, 'unpause'))
    await untilSettled(buyer, accepted.urn)
    await completes(parties, unpaid.urn)
  })

  it('the payout of a blacklisted seller parks and stops nobody else; made by somebody later, it counts', async () => {
    const parties = await createParties(stack)
    const others = await createParties(stack)
    const { buyer, seller } = parties
    const circle = roleAccount(stack.chain, 'deployer')
    const { urn, offer } = await deliveredOrder(stack, parties, 'custodied')
    const signedByUs = await withoutBlocks(stack, async () => {
      await accept(buyer, urn)
      const { hash, ...call } = await untilPending(stack, payoutOf(parties, offer.nonce))
      await send(stack, circle, tokenControl(stack, 'blacklist', seller.account.address), { first: true })
      await mine()
      expect(await isReverted(hash)).to.equal(true)
      return call
    })
    await completes(others, (await placeAndFund(stack, others, 'custodied')).urn)
    const has = (type: string) => (types: string[]) => types.includes(type)
    await until('the payout is parked', () => eventTypes(stack, urn), has('payout.failed'))
    const owed = (await untilBooksMatch(stack)).filter(({ kind }) => kind === 'payable')
    expect(owed.map(({ micros }) => micros)).to.deep.equal([SELLER_NET_MICROS])
    await execute(stack, circle, tokenControl(stack, 'unBlacklist', seller.account.address))
    await execute(stack, await stranger(stack), signedByUs)
    await until('the payout is made', () => eventTypes(stack, urn), has('payout.executed'))
    expect(await balanceOf(stack.chain, seller.account.address)).to.equal(FAUCET_MICROS + SELLER_NET_MICROS)
    expect((await untilBooksMatch(stack)).filter(({ kind }) => kind === 'payable')).to.deep.equal([])
  })

  it('the refund of a blacklisted payer parks, and stops nobody else', async () => {
    const parties = await createParties(stack)
    const others = await createParties(stack)
    const circle = roleAccount(stack.chain, 'deployer')
    const placed = await placeAndFund(stack, parties, 'custodied')
    await untilOrder(parties.buyer, placed.urn, 'funded')
    await execute(stack, circle, tokenControl(stack, 'blacklist', parties.buyer.account.address))
    await cancel(parties.seller, placed.urn)
    await completes(others, (await placeAndFund(stack, others, 'custodied')).urn)
    const isFailed = (types: string[]) => types.includes('payout.failed')
    await until('the refund is parked', () => eventTypes(stack, placed.urn), isFailed)
    const apart = (await untilBooksMatch(stack)).filter(({ kind }) => kind === 'suspense')
    expect(apart.map(({ micros }) => micros)).to.deep.equal([PRICE_MICROS])
  })

  it('leaves books that match the chain, and nothing for an auditor to find', async () => {
    await untilNothingIsOpen(stack)
    await untilBooksMatch(stack)
    expect(await auditFindings(stack, await createTrader(stack))).to.deep.equal([])
  })

  function payoutOf({ buyer }: Parties, nonce: Hex): Hex {
    const hotWallet = stack.chain.accounts.hotWallet.address
    return payoutNonce({ ...stack.chain, hotWallet }, { from: buyer.account.address, nonce }, 'payee')
  }

  async function untilFailed(payer: string): Promise<void> {
    await until(
      'the authorization has failed',
      () =>
        query<{ state: string }>(stack, 'select state from market.authorizations where payer = $1', [
          payer.toLowerCase(),
        ]),
      (rows) => rows.length > 0 && rows.every(({ state }) => state === 'failed'),
    )
  }

  /** The facilitator has looked at what an order wants, and gone on to look again. */
  async function untilIntentTried(orderId: string): Promise<void> {
    const head = await stack.chain.client.getBlockNumber({ cacheTime: 0 })
    await until(
      'blocks have come',
      () => stack.chain.client.getBlockNumber({ cacheTime: 0 }),
      (now) => now > head + 4n,
    )
    const open = await query(stack, 'select from market.intents where order_id = $1 and closed_at is null', [orderId])
    expect(open).to.have.length(1)
  }
})
