import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { sealAuditLog } from '../../../../../api/platform/audit/seal.ts'
import { transition } from '../../../../../api/trading/orders/record/transition.ts'
import { cancelOrder } from '../../../../../api/trading/orders/work/cancel.ts'
import { outflowEvent, paymentEvent, place } from '../../../../kit/api/payments/escrow/chainEvents.ts'
import { funded, onlyPayout, refund, submit } from '../../../../kit/api/payments/escrow/custody/trades.ts'
import {
  authorizationsOf,
  balance,
  eventsOf,
  holdOf,
  intentsAbout,
  orderOf,
  payoutsOf,
  receiptOf,
  strayOf,
} from '../../../../kit/api/payments/escrow/read.ts'
import { release } from '../../../../kit/api/payments/escrow/release.ts'
import {
  newAddress,
  newHash,
  newTrade,
  PRICE,
  putOnFile,
  startWorld,
  type Trade,
  type World,
} from '../../../../kit/api/payments/escrow/world.ts'

describe('what is paid to the hot wallet', () => {
  let world: World

  before(async () => {
    world = await startWorld()
  })

  after(() => world?.stop())

  test('a deposit funds its order [spec 1:5 1:19 2.1:8 2.8:1 3.1:4]', async () => {
    const { trade, deposit } = await funded(world)
    expect((await orderOf(world, trade)).state).to.equal('funded')
    expect(await holdOf(world, trade)).to.containSubset({
      payer: trade.payer,
      deposit_nonce: deposit.nonce,
      hold_key: null,
    })
    expect(await authorizationsOf(world, trade)).to.deep.equal([{ payer: trade.payer, state: 'settled' }])
    expect(await balance(world, 'hold', `market:order:${trade.orderId}`)).to.equal(PRICE)
    expect(await world.settle({ ...deposit, place: place() })).to.equal(false)
    expect(await eventsOf(world, trade)).to.deep.equal(['order.placed', 'order.funded'])
  })

  test('an order has the fee of when it was placed, whatever it is when the order is decided', async () => {
    const { rows } = await sql<{ now: Date }>`select market.now() as now`.execute(world.db)
    const now = rows[0]?.now ?? new Date(0)
    const { rules } = world.settings
    const changing = (from: Date) => {
      const fees = [...rules.fees, { from, feeBps: 300 }]
      return { ...world, settings: { ...world.settings, rules: { ...rules, fees } } }
    }
    const [announced, later] = [changing(new Date(now.getTime() + 86_400_000)), changing(now)]
    const trades = [await newTrade(announced, 'custodied'), await newTrade(later, 'custodied')]
    for (const trade of trades) await world.settle(paymentEvent(trade))
    for (const trade of trades)
      await world.run((tx) => release(tx, later.settings, trade.orderId, { refundMicros: 0n }))
    const documents = await Promise.all(trades.map(async (trade) => (await receiptOf(world, trade))?.document))
    expect(documents[0]).to.include({ seller_net: '19.000000', market_fee: '1.000000', fee_bps: 500 })
    expect(documents[1]).to.include({ seller_net: '19.400000', market_fee: '0.600000', fee_bps: 300 })
  })

  test('a payment under the nonce an x402 client drew funds the order it was presented for', async () => {
    const trade = await newTrade(world, 'custodied', { payer: 'wallet' })
    const nonce = newHash()
    await world.run((tx) => putOnFile(tx, trade.order, trade.payer, nonce))
    await world.settle(paymentEvent(trade, { nonce }))
    expect(await holdOf(world, trade)).to.containSubset({ deposit_nonce: nonce })
    expect((await orderOf(world, trade)).state).to.equal('funded')
  })

  test('a payment under the offer’s nonce pays where its buyer also signed another, which then pays nothing', async () => {
    const trade = await newTrade(world, 'custodied', { payer: 'wallet' })
    await world.run((tx) => putOnFile(tx, trade.order, trade.payer, newHash()))
    await world.settle(paymentEvent(trade))
    expect((await orderOf(world, trade)).state).to.equal('funded')
    expect(await authorizationsOf(world, trade)).to.deep.equal([{ payer: trade.payer, state: 'failed' }])
  })

  test('what an unknown wallet has on file under another nonce does not make its payment the buyer’s', async () => {
    const trade = await newTrade(world, 'custodied', { payer: 'unknown' })
    await world.run((tx) => putOnFile(tx, trade.order, trade.payer, newHash()))
    await world.settle(paymentEvent(trade))
    expect((await orderOf(world, trade)).state).to.equal('placed')
    expect(await onlyPayout(world, trade.payer)).to.include({ leg: 'payer', amount_micros: PRICE })
  })

  test('a seller is paid from it once a head that we signed is over the placement, and another only where the record was emptied [risk market-api]', async () => {
    const services = { db: world.serviceDb, rpc: {} as never, settings: world.settings, log: pino({ level: 'silent' }) }
    const owed = async () => {
      const trade = await newTrade(world, 'custodied', { payer: 'wallet' })
      const nonce = newHash()
      await world.run((tx) => putOnFile(tx, trade.order, trade.payer, nonce))
      await world.settle(paymentEvent(trade, { nonce }))
      await refund(world, trade, 0n)
      return { trade, payout: await onlyPayout(world, trade.payer) }
    }
    const [one, other, third] = [await owed(), await owed(), await owed()]
    expect(await submit(world, one.payout.id)).to.equal(false)
    const forged = { position: 1_000n, hash: Buffer.alloc(32), as_of: new Date(), key_id: 'x', signature: 'x' }
    const insert = world.serviceDb.insertInto('market.audit_heads').values(forged).execute()
    expect(await insert.catch(({ code }: { code?: string }) => code)).to.equal('23514')
    expect(await submit(world, one.payout.id)).to.equal(false)
    expect(await intentsAbout(world, one.trade.payer)).to.deep.equal([])
    await sealAuditLog(services)
    const { seller_id, seller_owner_id } = one.trade.order
    const thief = world.serviceDb.updateTable('market.orders').set({ seller_id, seller_owner_id })
    await thief.where('id', '=', other.trade.orderId).execute()
    expect(await submit(world, other.payout.id).catch(String)).to.match(/was placed with .*, not with/)
    expect(await submit(world, one.payout.id)).to.equal(true)
    // As by an erasure: the database refuses one while a payout of the order is open.
    await thief.where('id', '=', third.trade.orderId).execute()
    const refused = sql`select market.erase_human(${third.trade.buyer.humanId})`.execute(world.serviceDb)
    expect(await refused.catch(String)).to.include('payouts_open')
    await sql`update market.audit_log set salt = null, details = null where id = (
      select placement_entry from market.orders where id = ${third.trade.orderId})`.execute(world.db)
    expect(await submit(world, third.payout.id)).to.equal(true)
  })

  test('a deposit that comes late, is of another amount, or from a stranger goes back to its sender', async () => {
    const late = await newTrade(world, 'custodied')
    await world.run((tx) => transition(tx, late.orderId, 'expire'))
    const wrong = await newTrade(world, 'custodied')
    const foreign = await newTrade(world, 'custodied')
    for (const [trade, changes, micros] of [
      [late, {}, PRICE],
      [wrong, { amountMicros: PRICE - 1n }, PRICE - 1n],
      [foreign, { from: newAddress() }, PRICE],
    ] as const) {
      const event = paymentEvent(trade, changes)
      await world.settle(event)
      expect((await orderOf(world, trade)).state).to.equal(trade === late ? 'cancelled' : 'placed')
      const refundOf = await onlyPayout(world, event.from)
      expect(refundOf).to.containSubset({
        leg: 'payer',
        amount_micros: micros,
        state: 'pending',
        to_address: event.from,
      })
      await submit(world, refundOf.id)
      await world.settle(outflowEvent(world, event, 'payer', event.from, micros))
      expect((await strayOf(world, `payment:${event.from}:${event.nonce}`))?.status).to.equal('returned')
      expect(await balance(world, 'suspense', `payment:${event.from}:${event.nonce}`)).to.equal(0n)
    }
  })

  test('a deposit from an account that its order pays funds nothing and goes back', async () => {
    for (const column of ['payee', 'fee_recipient'] as const) {
      const trade = await newTrade(world, 'custodied')
      await world.db
        .updateTable('market.orders')
        .set({ [column]: trade.payer })
        .where('id', '=', trade.orderId)
        .execute()
      await world.settle(paymentEvent(trade))
      expect((await orderOf(world, trade)).state, column).to.equal('placed')
      expect(await onlyPayout(world, trade.payer)).to.include({ leg: 'payer', amount_micros: PRICE })
    }
  })

  for (const [what, end] of [
    ['called off', (trade: Trade) => world.run((tx) => cancelOrder(tx, trade.buyer.call, trade.orderId, 'other'))],
    [
      'paid by its buyer and settled',
      async (trade: Trade) => {
        await world.settle(paymentEvent(trade))
        await refund(world, trade, 0n)
      },
    ],
  ] as const) {
    test(`a stranger's refund that is under way still goes out when the order it named is ${what}`, async () => {
      const trade = await newTrade(world, 'custodied', { payer: 'wallet' })
      const foreign = paymentEvent(trade, { from: newAddress() })
      await world.settle(foreign)
      await submit(world, (await onlyPayout(world, foreign.from)).id)
      await end(trade)
      expect(await intentsAbout(world, foreign.from)).to.containSubset([{ kind: 'payout', closing: null }])
    })
  }

  test('dust and unsigned transfers stay apart and stop nothing', async () => {
    const trade = await newTrade(world, 'custodied')
    const dust = paymentEvent(trade, { from: newAddress(), nonce: newHash(), amountMicros: 1n })
    const { hotWallet } = world.settings.chain
    const unsigned = {
      kind: 'transfer',
      place: place(),
      from: newAddress(),
      to: hotWallet,
      amountMicros: PRICE,
    } as const
    await world.settle(dust)
    await world.settle(unsigned)
    expect((await strayOf(world, `payment:${dust.from}:${dust.nonce}`))?.status).to.equal('suspense')
    const key = `transfer:${unsigned.place.txHash}:${unsigned.place.logIndex}`
    expect((await strayOf(world, key))?.status).to.equal('suspense')
    expect(await balance(world, 'suspense', key)).to.equal(PRICE)
    expect(await payoutsOf(world, dust.from)).to.deep.equal([])
    await world.settle(paymentEvent(trade))
    expect((await orderOf(world, trade)).state).to.equal('funded')
  })
})
