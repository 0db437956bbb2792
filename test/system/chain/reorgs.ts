import { before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { encodeFunctionData } from 'viem'
import { requestIntent } from '../../../api/payments/chain/intents.ts'
import { submitPayouts } from '../../../api/payments/payouts/submitPending.ts'
import { followOutcomes } from '../../../api/payments/settlement/outcomes.ts'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import { balance, eventsOf, intentsAbout, orderOf, payoutsOf } from '../../kit/api/payments/escrow/read.ts'
import { newTrade, PRICE, type Trade } from '../../kit/api/payments/escrow/world.ts'
import { acceptAsBuyer } from '../../kit/api/trading/acceptAsBuyer.ts'
import { cancelAuthorization } from '../../kit/chain/cancel.ts'
import { balanceOf } from '../../kit/chain/custody.ts'
import { forkPoint, newSubmitter, paymentOf, resendable } from '../../kit/chain/forks.ts'
import type { ChainMarket } from '../../kit/chain/market.ts'
import { freeAccount, mineBlocks, submitToToken } from '../../kit/chain/payments.ts'

const MODES = ['contract', 'custodied'] as const
const HOUR = 3_600_000

/** What reorganisations do to orders. */
export function reorganisations(marketOf: () => ChainMarket): void {
  describe('orders under reorganisations', () => {
    let market: ChainMarket
    let confirmations: number
    const buyer = freeAccount(0)

    before(() => {
      market = marketOf()
      confirmations = market.world.settings.chain.confirmations
    })

    beforeEach(() => market.forget())

    const tradeIn = (mode: Trade['order']['escrow_mode']) => newTrade(market.world, mode, { from: buyer.address })
    const stateOf = async (trade: Trade) => (await orderOf(market.world, trade)).state
    const isSuspended = async (trade: Trade) => (await orderOf(market.world, trade)).suspended_at !== null
    const fundings = async (trade: Trade) =>
      (await eventsOf(market.world, trade)).filter((type) => type === 'order.funded')
    const mine = (blocks: number) => mineBlocks(market.chain, blocks)
    const accept = (trade: Trade) => market.world.run((tx) => acceptAsBuyer(tx, market.world.settings, trade.orderId))
    const deliver = (trade: Trade) =>
      market.world.db
        .updateTable('market.orders')
        .set({ state: 'delivered', accept_by: new Date(Date.now() + HOUR) })
        .where('id', '=', trade.orderId)
        .execute()
    /** What the ledger has us hold beyond what the chain does. Earlier tests may have left a difference. */
    const excessOf = async ({ order }: Trade) => {
      const { world, chain } = market
      const kind = order.escrow_mode === 'contract' ? 'escrow_contract' : 'hot_wallet'
      const booked = -((await balance(world, kind, order.recipient)) ?? 0n)
      return booked - (await balanceOf(chain, order.recipient as `0x${string}`))
    }
    const lossOf = async (trade: Trade) => {
      const { rows } = await sql<{ micros: bigint }>`
      select coalesce(sum(entry.amount), 0)::bigint as micros
      from ledger.entries entry join ledger.accounts account on account.id = entry.account_id
      where account.kind = 'loss' and (account.owner_id like ${`%${trade.order.nonce}%`}
        or account.owner_id in (select 'funded:' || hold_key from market.holds where order_id = ${trade.orderId}))`.execute(
        market.world.db,
      )
      return rows[0]?.micros
    }
    /** An order whose payment is confirmed, and a way back to before it was mined. */
    const fundedOrder = async (mode: Trade['order']['escrow_mode']) => {
      const trade = await tradeIn(mode)
      const payment = await paymentOf(market.chain, buyer, trade)
      const goBack = await forkPoint(market.chain)
      await payment.send()
      await mine(1 + confirmations)
      await market.follow()
      expect(await stateOf(trade)).to.equal('funded')
      return { trade, payment, goBack }
    }

    for (const mode of MODES) {
      for (const depth of [1, 2]) {
        test(`a ${mode} payment lost ${depth} deep, before it counts, funds its order once when it is mined again [risk lost-payment]`, async () => {
          const trade = await tradeIn(mode)
          const payment = await paymentOf(market.chain, buyer, trade)
          const goBack = await forkPoint(market.chain)
          await payment.send()
          await mine(depth)
          await market.follow()
          await goBack()
          await mine(depth + confirmations)
          await market.follow()
          expect(await stateOf(trade)).to.equal('placed')
          await payment.send()
          await mine(1 + confirmations)
          await market.follow()
          expect(await fundings(trade)).to.have.length(1)
          expect(market.alarms()).to.deep.equal([])
        })

        test(`a ${mode} payment that counts is not touched by a reorganisation ${depth} deep above it`, async () => {
          const trade = await tradeIn(mode)
          const payment = await paymentOf(market.chain, buyer, trade)
          await payment.send()
          await mine(1 + confirmations - depth)
          const goBack = await forkPoint(market.chain)
          await mine(depth)
          await market.follow()
          await goBack()
          await mine(depth + 1)
          await market.follow()
          expect(await fundings(trade)).to.have.length(1)
          expect(await isSuspended(trade)).to.equal(false)
          expect(market.alarms()).to.deep.equal([])
        })
      }

      test(`a ${mode} payment mined again elsewhere, past the depth, stays one payment, and somebody is told [risk same-transaction-moved]`, async () => {
        const { trade, payment, goBack } = await fundedOrder(mode)
        await goBack()
        // Another payment in front of it in its block: every log of it has another place now.
        const dust = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [buyer.address, 1n] })
        const other = await resendable(
          market.chain,
          await newSubmitter(market.chain),
          { to: market.chain.token, data: dust },
          50_000_000_000n,
        )
        await mine(1)
        await other.send()
        await payment.send()
        await mine(1 + confirmations)
        await market.follow()
        expect(await fundings(trade)).to.have.length(1)
        expect(await isSuspended(trade)).to.equal(false)
        expect(new Set(market.alarms())).to.deep.equal(new Set(['a confirmed chain event moved to another block']))
        const { blockHash } = await market.chain.client.getTransactionReceipt({ hash: payment.hash })
        const places = await market.world.db
          .selectFrom('market.processed_chain_events')
          .select(['block_hash', 'log_index'])
          .where('tx_hash', '=', payment.hash)
          .orderBy('log_index')
          .execute()
        expect(new Set(places.map((place) => place.block_hash))).to.deep.equal(new Set([blockHash]))
        expect(places[0]?.log_index).to.be.greaterThan(1)
      })

      test(`a ${mode} payment that the chain took back suspends its order until it is seen again`, async () => {
        const { trade, payment, goBack } = await fundedOrder(mode)
        await deliver(trade)
        const before = await orderOf(market.world, trade)
        const excess = await excessOf(trade)
        await goBack()
        await mine(2 + confirmations)
        await market.follow()
        expect(await isSuspended(trade)).to.equal(true)
        expect(market.alarms()).to.include('the chain removed an event that was acted on')
        expect(await lossOf(trade)).to.equal(-PRICE)
        expect(await excessOf(trade)).to.equal(excess)
        expect(await accept(trade).catch((error) => error.problem)).to.equal('orders/suspended')

        await payment.send()
        await mine(1 + confirmations)
        await market.follow()
        const resumed = await orderOf(market.world, trade)
        expect(resumed).to.include({ state: 'delivered', suspended_at: null })
        expect(resumed.accept_by?.getTime()).to.be.greaterThan(before.accept_by?.getTime() ?? 0)
        expect(await lossOf(trade)).to.equal(0n)
        expect(await eventsOf(market.world, trade)).to.deep.equal([
          'order.placed',
          'order.funded',
          'order.suspended',
          'order.resumed',
        ])
        await accept(trade)
        expect(await excessOf(trade)).to.equal(excess)
      })
    }

    test('a payment that fails where its transaction is mined again has not been made [risk failed-when-mined-again]', async () => {
      const { trade, payment, goBack } = await fundedOrder('custodied')
      await goBack()
      await cancelAuthorization(market.chain, buyer, payment.authorization)
      await payment.send()
      await mine(2 + confirmations)
      await market.follow()
      const { status } = await market.chain.client.getTransactionReceipt({ hash: payment.hash })
      expect(status).to.equal('reverted')
      expect(await isSuspended(trade)).to.equal(true)
      expect(await lossOf(trade)).to.equal(-PRICE)
      expect(market.alarms()).to.include('the chain removed an event that was acted on')
    })

    test('a fact is missed as soon as the chain is as high again, however often it was looked at before', async () => {
      const { trade, goBack } = await fundedOrder('custodied')
      await goBack()
      await mine(1)
      await market.follow()
      expect(await isSuspended(trade)).to.equal(false)
      await mine(1 + confirmations)
      await market.follow()
      expect(await isSuspended(trade)).to.equal(true)
    })

    test('a worker that was away while the chain went back finds out when it starts', async () => {
      const { trade, goBack } = await fundedOrder('custodied')
      await goBack()
      await mine(2 + confirmations)
      market.forget()
      await market.follow()
      expect(await isSuspended(trade)).to.equal(true)
    })

    test('another payment under the same nonce does not resume the order: it raises an alarm [risk same-nonce-again]', async () => {
      const trade = await tradeIn('custodied')
      const payment = await paymentOf(market.chain, buyer, trade)
      const lesser = await paymentOf(market.chain, buyer, trade, 1n)
      const goBack = await forkPoint(market.chain)
      await payment.send()
      await mine(1 + confirmations)
      await market.follow()
      await goBack()
      await lesser.send()
      await mine(2 + confirmations)
      await market.follow()
      expect(await isSuspended(trade)).to.equal(true)
      expect(market.alarms()).to.include('a chain event cannot be processed')
      expect(await fundings(trade)).to.have.length(1)
    })

    test('a stranger’s way to the token, in the place of a funding that the chain took back, is not taken for it [risk replaced-funding]', async () => {
      const { client, escrow: address } = market.chain
      const surplus = () => client.readContract({ address, abi: escrowAbi, functionName: 'surplus' })
      const before = await surplus()
      const { trade, payment, goBack } = await fundedOrder('contract')
      await goBack()
      await submitToToken(market.chain, payment.authorization)
      await mine(2 + confirmations)
      await market.follow()
      expect(await isSuspended(trade)).to.equal(true)
      expect(await fundings(trade)).to.have.length(1)
      expect(await lossOf(trade)).to.equal(-PRICE)
      expect(market.alarms()).to.include('a chain event cannot be processed')
      // Nobody is sent it either: whoever looks at it finds it in the contract, owed to nobody.
      expect((await intentsAbout(market.world, trade.order.nonce)).map(({ kind }) => kind)).to.not.include(
        'return_stray',
      )
      expect(await surplus()).to.equal(before + PRICE)
    })

    test('a lost payment is asked for again each time, and where it cannot come again somebody is told', async () => {
      const { world } = market
      const trade = await tradeIn('custodied')
      const payment = await paymentOf(market.chain, buyer, trade)
      const { authorization } = payment
      await world.run((tx) =>
        requestIntent(
          tx,
          { key: `deposit:${trade.orderId}:1`, orderId: trade.orderId },
          { kind: 'deposit', authorization },
        ),
      )
      const asked = async () =>
        (await intentsAbout(world, trade.orderId)).map(({ attempt, closing }) => `${attempt} ${closing}`)
      const goBack = await forkPoint(market.chain)
      await payment.send()
      await mine(1 + confirmations)
      await market.follow()
      expect(await asked()).to.deep.equal(['1 settled'])
      await goBack()
      await mine(2 + confirmations)
      await market.follow()
      expect(await asked()).to.deep.equal(['1 settled', '2 null'])

      const goBackAgain = await forkPoint(market.chain)
      await payment.send()
      await mine(1 + confirmations)
      await market.follow()
      expect(await asked()).to.deep.equal(['1 settled', '2 settled'])
      await goBackAgain()
      await mine(2 + confirmations)
      await market.follow()
      expect(await asked()).to.deep.equal(['1 settled', '2 settled', '3 null'])

      const giveUp = sql`insert into facilitator.outcomes (intent_id, status, reason)
      select id, 'failed', 'authorization_expired' from market.intents where closed_at is null`
      await giveUp.execute(world.db)
      await followOutcomes(market.services)
      expect(await asked()).to.deep.equal(['1 settled', '2 settled', '3 failed'])
      expect(market.alarms()).to.include('the payment of a suspended order cannot be made again')
      expect(await isSuspended(trade)).to.equal(true)
    })

    test('what a lost deposit is to pay out waits for it, and then goes once', async () => {
      const { trade, payment, goBack } = await fundedOrder('custodied')
      await deliver(trade)
      await accept(trade)
      await goBack()
      await mine(2 + confirmations)
      await market.follow()
      const payout = async () => (await payoutsOf(market.world, buyer.address.toLowerCase())).filter(isOf(trade))
      await submitPayouts(market.services)
      expect((await payout()).map(({ state }) => state)).to.deep.equal(['pending'])
      await payment.send()
      await mine(1 + confirmations)
      await market.follow()
      await submitPayouts(market.services)
      expect((await payout()).map(({ state }) => state)).to.deep.equal(['submitted'])
      expect((await intentsAbout(market.world, trade.orderId)).filter(({ kind }) => kind === 'payout')).to.have.length(
        1,
      )
    })
  })
}

function isOf(trade: Trade) {
  return ({ order_id: orderId }: { order_id: string | null }) => orderId === trade.orderId
}
