import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { pino } from 'pino'
import { voidIntents } from '../../../../api/payments/chain/intents.ts'
import { reverseEvent } from '../../../../api/payments/settlement/internal/reorgReversal.ts'
import { matchParkedPayment, refundParkedPayment } from '../../../../api/payments/settlement/parkedPayments.ts'
import { returnStrays } from '../../../../api/payments/settlement/returnStrays.ts'
import type { EscrowMode } from '../../../../api/platform/db/generated/tables.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { transition } from '../../../../api/trading/orders/record/transition.ts'
import { fundedEvent, paymentEvent, place } from '../../../kit/api/payments/escrow/chainEvents.ts'
import {
  balance,
  eventsOf,
  holdOf,
  intentsAbout,
  orderOf,
  payoutsOf,
  strayOf,
} from '../../../kit/api/payments/escrow/read.ts'
import {
  newAddress,
  newTrade,
  PRICE,
  putOnFile,
  startWorld,
  type Trade,
  type World,
} from '../../../kit/api/payments/escrow/world.ts'

describe('a payment that somebody took to the chain himself', () => {
  let world: World

  before(async () => {
    world = await startWorld()
  })

  after(() => world.stop())

  /** The buyer presents what it had signed. */
  const present = (trade: Trade) =>
    world.run(async (tx) => {
      await putOnFile(tx, trade.order, trade.payer)
      return matchParkedPayment(tx, world.settings, trade.order, {
        payer: trade.payer,
        nonce: trade.order.nonce,
      })
    })
  const direct = (trade: Trade) => paymentEvent(trade)
  const adoption = async (trade: Trade) => (await intentsAbout(world, trade.payer)).find(({ kind }) => kind === 'adopt')

  test('straight to the token, past the contract: it is adopted, and the order ends funded', async () => {
    const trade = await newTrade(world, 'contract')
    const payment = direct(trade)
    await world.settle(payment)
    const key = `payment:${trade.payer}:${payment.nonce}`
    expect((await orderOf(world, trade)).state).to.equal('placed')
    expect(await balance(world, 'suspense', key)).to.equal(PRICE)
    expect(await adoption(trade)).to.containSubset({
      closing: null,
      payload: {
        payment: { from: trade.payer, nonce: payment.nonce, amount: '20000000', txHash: payment.place.txHash },
      },
    })
    await world.settle({ ...fundedEvent(world, trade), adopted: true })
    expect((await orderOf(world, trade)).state).to.equal('funded')
    expect((await adoption(trade))?.closing).to.equal('settled')
    expect(await balance(world, 'suspense', key)).to.equal(0n)
  })

  test('straight to the token, and adopted: the order is suspended when its hold vanishes, not when the payment does', async () => {
    const trade = await newTrade(world, 'contract')
    const payment = direct(trade)
    await world.settle(payment)
    const held = { ...fundedEvent(world, trade), adopted: true }
    await world.settle(held)
    const without = async (key: string) => {
      expect(await world.run((tx) => reverseEvent(tx, world.settings, key))).to.equal(true)
      return (await orderOf(world, trade)).suspended_at !== null
    }
    expect(await without(`payment:${trade.payer}:${payment.nonce}`)).to.equal(false)
    expect(await without(`funded:${held.holdId}`)).to.equal(true)
  })

  // An owner may trade between two agents of its own; the contract takes no hold whose payer is its payee.
  test("straight to the token from the payee's own wallet: no hold can come of it, so it goes back", async () => {
    const trade = await newTrade(world, 'contract', { payer: 'unknown' })
    const payee = trade.order.payee as `0x${string}`
    await world.db
      .updateTable('market.agents')
      .set({ owner_id: trade.seller.humanId })
      .where('id', '=', trade.buyer.agentId)
      .execute()
    const payment = paymentEvent(trade, { from: payee })
    await world.settle(payment)
    const kinds = (await intentsAbout(world, `${payee}:${payment.nonce}`)).map(({ kind }) => kind)
    expect(kinds).to.deep.equal(['return_stray'])
    expect((await orderOf(world, trade)).state).to.equal('placed')
  })

  for (const how of ['the order is called off', 'another wallet of the buyer pays first'] as const) {
    test(`while it is being adopted ${how}: it goes back, and an adoption that comes through changes nothing`, async () => {
      const trade = await newTrade(world, 'contract')
      const payment = direct(trade)
      await world.settle(payment)
      const key = `payment:${trade.payer}:${payment.nonce}`
      expect((await strayOf(world, key))?.status).to.equal('adopting')
      if (how === 'the order is called off') {
        await world.run(async (tx) => {
          await transition(tx, trade.orderId, 'withdraw')
          await voidIntents(tx, trade.orderId)
        })
      } else {
        const other = newAddress()
        await world.run((tx) =>
          tx.insertInto('market.wallet_owners').values({ address: other, owner_id: trade.buyer.humanId }).execute(),
        )
        await world.settle(fundedEvent(world, trade, other))
      }
      const { state } = await orderOf(world, trade)
      await returnStrays({
        db: world.serviceDb,
        settings: world.settings,
        log: pino({ level: 'silent' }),
      } as JobServices)
      expect((await strayOf(world, key))?.status).to.equal('returning')
      const returning = async () => (await intentsAbout(world, `return_stray:${key}`))[0]
      expect((await returning())?.closing).to.equal(null)
      const adopted = { ...fundedEvent(world, trade), adopted: true }
      await world.settle(adopted)
      expect((await orderOf(world, trade)).state).to.equal(state)
      expect((await returning())?.closing).to.equal('voided')
      const [refund] = await intentsAbout(world, `release:funded:${adopted.holdId}`)
      expect(refund).to.containSubset({ closing: null, payload: { recipients: [trade.payer], amounts: ['20000000'] } })
    })
  }

  test('one that the contract made a hold of at once says nothing new', async () => {
    const trade = await newTrade(world, 'contract')
    const held = fundedEvent(world, trade)
    await world.settle(paymentEvent(trade, { holdId: held.holdId }))
    expect(await intentsAbout(world, trade.payer)).to.deep.equal([])
    await world.settle(held)
    expect(await balance(world, 'hold', held.holdId)).to.equal(PRICE)
    expect((await orderOf(world, trade)).state).to.equal('funded')
  })

  test('under a nonce of ours from a stranger: it goes back, and the order waits for its buyer', async () => {
    const trade = await newTrade(world, 'contract')
    const stranger = newAddress()
    const payment = paymentEvent(trade, { from: stranger })
    await world.settle(payment)
    const key = `payment:${stranger}:${payment.nonce}`
    expect((await intentsAbout(world, key))[0]).to.containSubset({ kind: 'return_stray', closing: null })
    await world.settle({
      kind: 'stray_returned',
      place: place(),
      from: stranger,
      nonce: payment.nonce,
      amountMicros: PRICE,
    })
    expect((await strayOf(world, key))?.status).to.equal('returned')
    expect((await intentsAbout(world, key))[0]?.closing).to.equal('settled')
    expect(await balance(world, 'suspense', key)).to.equal(0n)
    expect((await orderOf(world, trade)).state).to.equal('placed')
  })

  test("a wallet of another owner never counts as the buyer's", async () => {
    const trade = await newTrade(world, 'custodied', { payer: 'unknown' })
    const { address } = await world.db
      .selectFrom('market.wallets')
      .select('address')
      .where('account_id', '=', trade.seller.agentId)
      .executeTakeFirstOrThrow()
    await world.settle(paymentEvent(trade, { from: address as `0x${string}` }))
    expect((await orderOf(world, trade)).state).to.equal('placed')
    expect((await payoutsOf(world, address))[0]).to.containSubset({ leg: 'payer', state: 'pending' })
  })

  const arrivals = [
    ['contract', 'as a hold', (trade: Trade) => fundedEvent(world, trade)],
    ['contract', 'past the contract', direct],
    ['custodied', 'to the hot wallet', direct],
  ] as const satisfies [EscrowMode, string, unknown][]
  for (const [mode, how, arrive] of arrivals) {
    test(`from a wallet nobody knows (${how}), it waits until the buyer presents what it signed`, async () => {
      const trade = await newTrade(world, mode, { payer: 'unknown' })
      const fact = arrive(trade)
      await world.settle(fact)
      expect((await orderOf(world, trade)).state).to.equal('placed')
      expect(await present(trade)).to.equal(true)
      if (how === 'past the contract') {
        expect((await adoption(trade))?.closing).to.equal(null)
        await world.settle({ ...fundedEvent(world, trade), adopted: true })
      }
      expect((await orderOf(world, trade)).state).to.equal('funded')
      expect(await holdOf(world, trade)).to.containSubset({ payer: trade.payer, amount_micros: PRICE })
      expect(await eventsOf(world, trade)).to.deep.equal(['order.placed', 'order.funded'])
      const owner = mode === 'custodied' ? `market:order:${trade.orderId}` : fundedEvent(world, trade).holdId
      expect(await balance(world, 'hold', owner)).to.equal(PRICE)
    })

    test(`from a wallet nobody knows (${how}), it goes back once the order is not to be paid any more`, async () => {
      const trade = await newTrade(world, mode, { payer: 'unknown' })
      const fact = arrive(trade)
      await world.settle(fact)
      const key = fact.kind === 'funded' ? `funded:${fact.holdId}` : `payment:${trade.payer}:${fact.nonce}`
      const refund = () => world.run((tx) => refundParkedPayment(tx, world.settings, key))
      expect(await refund()).to.equal(false)
      await world.run((tx) => transition(tx, trade.orderId, 'expire'))
      expect(await refund()).to.equal(true)
      expect(await refund()).to.equal(false)
      expect((await strayOf(world, key))?.status).to.equal('returning')
      const sent = mode === 'custodied' ? await payoutsOf(world, trade.payer) : await intentsAbout(world, trade.payer)
      expect(sent).to.have.length(1)
      expect(await present(trade)).to.equal(false)
    })
  }
})
