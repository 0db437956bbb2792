import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { pino } from 'pino'
import { unblockDuePayouts } from '../../../../../api/payments/payouts/internal/unblockDue.ts'
import { unblockPayouts } from '../../../../../api/payments/payouts/unblock.ts'
import { reverseEvent } from '../../../../../api/payments/settlement/internal/reorgReversal.ts'
import type { JobServices } from '../../../../../api/platform/jobs/services.ts'
import { transition } from '../../../../../api/trading/orders/record/transition.ts'
import { outflowEvent, paymentEvent, place } from '../../../../kit/api/payments/escrow/chainEvents.ts'
import {
  accepted,
  funded,
  humanUrn,
  NET,
  onlyPayout,
  refund,
  sellerWallet,
  submit,
} from '../../../../kit/api/payments/escrow/custody/trades.ts'
import {
  balance,
  eventsOf,
  holdOf,
  intentsAbout,
  orderOf,
  payoutsOf,
  receiptOf,
} from '../../../../kit/api/payments/escrow/read.ts'
import {
  bindWallet,
  newAddress,
  newHash,
  PRICE,
  setState,
  startWorld,
  type World,
} from '../../../../kit/api/payments/escrow/world.ts'

describe('what a custodied order pays out', () => {
  let world: World
  const log = pino({ level: 'silent' })

  before(async () => {
    world = await startWorld()
  })

  after(() => world?.stop())

  test('acceptance ends the order at once: 19 owed to the seller, 1 to the service, the payout on its way [spec 1:10 3.1:10 3.1:11]', async () => {
    const { trade } = await accepted(world)
    expect((await orderOf(world, trade)).state).to.equal('final')
    const events = await eventsOf(world, trade)
    expect(events).to.deep.equal(['order.placed', 'order.funded', 'order.accepted', 'receipt.finalized'])
    expect((await receiptOf(world, trade))?.document).to.containSubset({
      seller_net: '19.000000',
      market_fee: '1.000000',
    })
    expect(await balance(world, 'hold', `market:order:${trade.orderId}`)).to.equal(0n)
    expect(await balance(world, 'payable', humanUrn(trade))).to.equal(NET)
    expect(await onlyPayout(world, trade.payer)).to.containSubset({
      state: 'pending',
      leg: 'payee',
      amount_micros: NET,
    })
  })

  test('the payout goes to the seller with its evidence, and is confirmed by the transfer alone [spec 2.8:3 3.1:12]', async () => {
    const { trade, deposit } = await accepted(world)
    const payout = await onlyPayout(world, trade.payer)
    expect(await submit(world, payout.id)).to.equal(true)
    expect(await submit(world, payout.id)).to.equal(false)
    const wallet = await sellerWallet(world, trade)
    const [intent] = await intentsAbout(world, `payout:${payout.id}`)
    expect(intent).to.containSubset({
      key: `payout:${payout.id}`,
      attempt: 1,
      payload: {
        deposit: { from: trade.payer, nonce: deposit.nonce, amount: '20000000', txHash: deposit.place.txHash },
        leg: 'payee',
        to: wallet,
        amount: '19000000',
        binding: { message: 'I am', signature: '0x01' },
      },
    })
    expect(await balance(world, 'payable', humanUrn(trade))).to.equal(0n)
    const event = outflowEvent(world, deposit, 'payee', wallet, NET)
    expect(await world.settle(event)).to.equal(true)
    expect(await world.settle({ ...event, place: place() })).to.equal(false)
    expect(await onlyPayout(world, trade.payer)).to.containSubset({
      state: 'confirmed',
      tx_hash: event.place.txHash,
      to_address: wallet,
    })
    expect(await holdOf(world, trade)).to.containSubset({ release_tx: event.place.txHash })
    expect((await holdOf(world, trade))?.settled_at).to.be.instanceOf(Date)
    expect((await intentsAbout(world, `payout:${payout.id}`))[0]?.closing).to.equal('settled')
    expect(await balance(world, 'in_transit', `market:payout:${payout.id}`)).to.equal(0n)
    expect(await eventsOf(world, trade)).to.include('payout.executed')
  })

  test('without a wallet the payout waits, and goes when one is verified [spec 3.4:1 4.2:2]', async () => {
    const { trade } = await accepted(world, { sellerWallet: false })
    const payout = await onlyPayout(world, trade.payer)
    expect(payout.state).to.equal('blocked')
    expect(await eventsOf(world, trade)).to.include('payout.blocked')
    expect(await submit(world, payout.id)).to.equal(false)
    const { seller } = trade
    const wallet = await world.run(async (tx) => {
      const address = await bindWallet(tx, seller)
      await unblockPayouts(tx, seller.agentId, seller.humanId)
      return address
    })
    expect((await onlyPayout(world, trade.payer)).state).to.equal('pending')
    expect(await submit(world, payout.id)).to.equal(true)
    expect((await onlyPayout(world, trade.payer)).to_address).to.equal(wallet)
  })

  test("another agent's wallet does not let a payout go", async () => {
    const { trade } = await accepted(world, { sellerWallet: false })
    const { seller } = trade
    await world.run((tx) => unblockPayouts(tx, trade.buyer.agentId, seller.humanId))
    expect((await onlyPayout(world, trade.payer)).state).to.equal('blocked')
  })

  test('a wallet in doubt lets no payout go, until its owner has verified one again', async () => {
    const { trade } = await accepted(world, { sellerWallet: false })
    const { seller } = trade
    const wallet = await world.run((tx) => bindWallet(tx, seller))
    const doubt = (since: Date | null) =>
      world.db.updateTable('market.wallets').set({ doubtful_since: since }).where('address', '=', wallet).execute()
    const unblock = () => world.run((tx) => unblockPayouts(tx, seller.agentId, seller.humanId))
    await doubt(new Date())
    await unblock()
    await unblockDuePayouts({ db: world.serviceDb, settings: world.settings, log } as JobServices)
    expect((await onlyPayout(world, trade.payer)).state).to.equal('blocked')
    expect((await eventsOf(world, trade)).filter((type) => type === 'payout.blocked')).to.have.length(1)
    await doubt(null)
    await unblock()
    expect((await onlyPayout(world, trade.payer)).state).to.equal('pending')
  })

  test('a payout whose deposit is gone from the chain at that moment is not asked for, and is once it is back', async () => {
    for (const isRefund of [false, true]) {
      const { trade, deposit } = await accepted(world, {})
      const stranger = paymentEvent(trade, { from: newAddress(), nonce: newHash() })
      if (isRefund) await world.settle(stranger)
      const { from, nonce } = isRefund ? stranger : deposit
      const { id } = await onlyPayout(world, from)
      await world.run((tx) => reverseEvent(tx, world.settings, `payment:${from}:${nonce}`))
      expect(await submit(world, id)).to.equal(false)
      expect(await onlyPayout(world, from)).to.include({ state: 'pending', submitted_at: null })
      expect(await intentsAbout(world, `payout:${id}`)).to.deep.equal([])
      await world.settle(isRefund ? stranger : deposit)
      expect(await submit(world, id)).to.equal(true)
    }
  })

  test('a wallet verified while the order is accepted is never missed', async () => {
    for (let round = 0; round < 5; round++) {
      const { trade } = await funded(world, { sellerWallet: false })
      await setState(world, trade, 'accepted')
      const { seller } = trade
      const verify = world.run(async (tx) => {
        await bindWallet(tx, seller)
        await unblockPayouts(tx, seller.agentId, seller.humanId)
      })
      await Promise.all([verify, refund(world, trade, 0n)])
      expect((await onlyPayout(world, trade.payer)).state).to.equal('pending')
    }
  })

  test('a cancelled order is refunded whole to the wallet that paid, and nobody else is paid [spec 3.3:2]', async () => {
    const { trade, deposit } = await funded(world)
    await world.run((tx) => transition(tx, trade.orderId, 'cancel'))
    await refund(world, trade, PRICE)
    expect((await orderOf(world, trade)).state).to.equal('cancelled')
    expect((await receiptOf(world, trade))?.document).to.containSubset({ refunded: '20.000000' })
    const payout = await onlyPayout(world, trade.payer)
    expect(payout).to.containSubset({ leg: 'payer', amount_micros: PRICE, state: 'pending', to_address: trade.payer })
    expect(await balance(world, 'in_transit', `market:payout:${payout.id}`)).to.equal(PRICE)
    await submit(world, payout.id)
    const event = outflowEvent(world, deposit, 'payer', trade.payer, PRICE)
    await world.settle(event)
    expect(await holdOf(world, trade)).to.containSubset({ release_tx: event.place.txHash })
    expect(await balance(world, 'in_transit', `market:payout:${payout.id}`)).to.equal(0n)
  })

  test('a partial refund pays both sides [spec 3.3:3 8:6]', async () => {
    const { trade, deposit } = await funded(world)
    await setState(world, trade, 'accepted')
    await refund(world, trade, 5_000_000n)
    const legs = (await payoutsOf(world, trade.payer)).map(({ leg, amount_micros }) => [leg, amount_micros])
    expect(legs).to.deep.equal([
      ['payee', 14_250_000n],
      ['payer', 5_000_000n],
    ])
    // The seller’s payment is what shows that the hold was released, whichever comes first.
    await world.settle(outflowEvent(world, deposit, 'payer', trade.payer, 5_000_000n))
    expect(await holdOf(world, trade)).to.include({ release_tx: null })
    const sellers = outflowEvent(world, deposit, 'payee', await sellerWallet(world, trade), 14_250_000n)
    await world.settle(sellers)
    expect(await holdOf(world, trade)).to.include({ release_tx: sellers.place.txHash })
  })

  test('a hold is released once: a second release throws and changes nothing [spec 2.8:2 3.2:1]', async () => {
    const { trade } = await accepted(world)
    expect(await refund(world, trade, PRICE).catch((error) => error.message)).to.match(/was released before/)
    expect(await payoutsOf(world, trade.payer)).to.have.length(1)
  })
})
