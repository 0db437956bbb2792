import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { splitSeen, UnexplainedOutflow } from '../../../../../api/payments/settlement/internal/outflow.ts'
import { splitHold } from '../../../../../protocol/payments/split.ts'
import { outflowEvent, paymentEvent } from '../../../../kit/api/payments/escrow/chainEvents.ts'
import {
  accepted,
  funded,
  humanUrn,
  NET,
  onlyPayout,
  sellerWallet,
  submit,
} from '../../../../kit/api/payments/escrow/custody/trades.ts'
import { balance, intentsAbout, orderOf, receiptOf, strayOf } from '../../../../kit/api/payments/escrow/read.ts'
import {
  newAddress,
  newHash,
  newTrade,
  PRICE,
  setState,
  startWorld,
  type World,
} from '../../../../kit/api/payments/escrow/world.ts'

describe('what leaves the hot wallet', () => {
  let world: World

  before(async () => {
    world = await startWorld()
  })

  after(() => world?.stop())

  test('an outflow that no deposit explains, or that is not what was owed, is not booked', async () => {
    const unknown = outflowEvent(world, { from: newAddress(), nonce: newHash() }, 'payee', newAddress(), NET)
    expect(await world.settle(unknown).catch((error) => error.message)).to.match(/no deposit explains it/)
    const unsigned = { ...unknown, nonce: null }
    expect(await world.settle(unsigned).catch((error) => error.message)).to.match(/no deposit explains it/)
    const { trade, deposit } = await accepted(world)
    const { id } = await onlyPayout(world, trade.payer)
    for (const micros of [NET - 1n, NET + 1n]) {
      const wrong = outflowEvent(world, deposit, 'payee', await sellerWallet(world, trade), micros)
      expect(await world.settle(wrong).catch((error) => error.message)).to.equal(
        `payout ${id} is of 19000000, and the hot wallet paid ${micros}`,
      )
    }
    expect((await onlyPayout(world, trade.payer)).state).to.equal('pending')
    const other = outflowEvent(world, deposit, 'payer', trade.payer, PRICE)
    expect(await world.settle(other).catch((error) => error.message)).to.match(/who was owed nothing/)
  })

  test('a seller’s leg that went to a stranger stops payouts, and ends neither its payout nor its order [risk hot-wallet]', async () => {
    const { trade, deposit } = await accepted(world)
    const { id } = await onlyPayout(world, trade.payer)
    await submit(world, id)
    const stranger = newAddress()
    const theft = outflowEvent(world, deposit, 'payee', stranger, NET)
    const refusal = await world.settle(theft).catch((error) => error)
    expect(refusal).to.be.instanceOf(UnexplainedOutflow).and.include({ place: 'hot_wallet' })
    expect(refusal.message).to.contain('which the payee never bound')
    expect((await onlyPayout(world, trade.payer)).state).to.equal('submitted')
    for (const [leg, amount] of [
      ['payee', NET],
      ['payer', PRICE],
    ] as const) {
      const { trade: open, deposit: theirs } = await funded(world)
      await setState(world, open, 'delivered')
      const stolen = outflowEvent(world, theirs, leg, stranger, amount)
      expect(await world.settle(stolen).catch((error) => error.message)).to.contain(`which the ${leg} never bound`)
      expect((await orderOf(world, open)).state).to.equal('delivered')
    }
    // The buyer’s own wallets are strangers to what the seller is owed, and the seller’s to a refund.
    const { trade: sold, deposit: paid } = await accepted(world, { payer: 'wallet' })
    const further = newAddress()
    await world.db
      .insertInto('market.wallet_owners')
      .values({ address: further, owner_id: sold.buyer.humanId })
      .execute()
    const wrongLegs = [
      ['payee', sold.payer, NET],
      ['payee', further, NET],
      ['payer', await sellerWallet(world, sold), PRICE],
    ] as const
    for (const [leg, to, micros] of wrongLegs) {
      const misled = await world.settle(outflowEvent(world, paid, leg, to, micros)).catch((error) => error)
      expect(misled, `${leg} to ${to}`).to.be.instanceOf(UnexplainedOutflow)
      expect(misled.message).to.contain(`which the ${leg} never bound`)
    }
    expect((await onlyPayout(world, sold.payer)).state).to.equal('pending')
    // A wallet that the seller removed since is still theirs.
    const wallet = await sellerWallet(world, trade)
    await world.db.deleteFrom('market.wallets').where('address', '=', wallet).execute()
    await world.settle({ ...theft, to: wallet })
    expect((await onlyPayout(world, trade.payer)).state).to.equal('confirmed')
  })

  for (const state of ['funded', 'in_flight', 'delivered', 'rejected', 'disputed', 'cancelled'] as const) {
    test(`an earlier copy of the database, where the order is ${state}, learns from the chain how it ended`, async () => {
      const { trade, deposit } = await funded(world)
      await setState(world, trade, state)
      const leg = state === 'cancelled' ? 'payer' : 'payee'
      const to = leg === 'payer' ? trade.payer : await sellerWallet(world, trade)
      await world.settle(outflowEvent(world, deposit, leg, to, leg === 'payer' ? PRICE : NET))
      expect((await orderOf(world, trade)).state).to.equal(state === 'cancelled' ? 'cancelled' : 'final')
      expect(await onlyPayout(world, trade.payer)).to.containSubset({ leg, state: 'confirmed' })
      expect(await balance(world, 'payable', humanUrn(trade))).to.equal(0n)
      expect(await balance(world, 'hold', `market:order:${trade.orderId}`)).to.equal(0n)
      const net = leg === 'payer' ? '0.000000' : '19.000000'
      expect((await receiptOf(world, trade))?.document).to.containSubset({ seller_net: net })
    })
  }

  test('an earlier copy without the order books what its seller was paid, and calls the refund off', async () => {
    const foreign = paymentEvent(await newTrade(world, 'custodied', { payer: 'wallet' }), { nonce: newHash() })
    await world.settle(foreign)
    const refundOf = await onlyPayout(world, foreign.from)
    await submit(world, refundOf.id)
    await world.settle(outflowEvent(world, foreign, 'payee', newAddress(), NET))
    expect(await onlyPayout(world, foreign.from)).to.containSubset({ id: refundOf.id, state: 'failed', leg: 'payer' })
    expect(await intentsAbout(world, `payout:${refundOf.id}`)).to.containSubset([{ closing: 'voided' }])
    const key = `payment:${foreign.from}:${foreign.nonce}`
    expect((await strayOf(world, key))?.status).to.equal('suspense')
    expect(await balance(world, 'in_transit', `market:payout:${refundOf.id}`)).to.equal(0n)
    expect(await balance(world, 'suspense', key)).to.equal(PRICE - NET)
    const both = outflowEvent(world, foreign, 'payer', foreign.from, PRICE)
    expect(await world.settle(both).catch((error) => error.code)).to.equal('23514')
  })

  test('an earlier copy without the order books nothing where the deposit was refunded as well', async () => {
    const foreign = paymentEvent(await newTrade(world, 'custodied'), { from: newAddress(), nonce: newHash() })
    await world.settle(foreign)
    await world.settle(outflowEvent(world, foreign, 'payer', foreign.from, PRICE))
    const second = outflowEvent(world, foreign, 'payee', newAddress(), NET)
    expect(await world.settle(second).catch((error) => error.message)).to.match(/paid both legs/)
    expect((await strayOf(world, `payment:${foreign.from}:${foreign.nonce}`))?.status).to.equal('returned')
  })

  test('any leg that was paid tells how the whole was split', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 13n }),
        fc.integer({ min: 0, max: 5_000 }),
        fc.bigInt(),
        (hold, bps, seed) => {
          const refunded = ((seed % (hold + 1n)) + hold + 1n) % (hold + 1n)
          const split = splitHold(hold, refunded, bps)
          expect(splitSeen(hold, bps, 'payer', split.payerMicros)).to.deep.equal(split)
          if (split.payeeMicros === 0n) return
          const seen = splitSeen(hold, bps, 'payee', split.payeeMicros)
          expect(seen.payeeMicros).to.equal(split.payeeMicros)
          expect(seen.payerMicros + seen.payeeMicros + seen.feeMicros).to.equal(hold)
        },
      ),
    )
  })
})
