import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { businessKey } from '../../../../api/payments/chain/evidence.ts'
import { keepApproval } from '../../../../api/payments/escrow/approvals.ts'
import { holdTerms } from '../../../../api/payments/escrow/terms.ts'
import { applyChainEvent } from '../../../../api/payments/settlement/internal/applyChainEvent.ts'
import { reverseEvent } from '../../../../api/payments/settlement/internal/reorgReversal.ts'
import type { OrderState } from '../../../../api/platform/db/generated/tables.ts'
import { transition } from '../../../../api/trading/orders/record/transition.ts'
import { acceptUndecided } from '../../../../api/trading/orders/work/accept.ts'
import {
  fullCredits,
  fundedEvent,
  heldEvent,
  place,
  reclaimedEvent,
  releasedEvent,
} from '../../../kit/api/payments/escrow/chainEvents.ts'
import {
  authorizationsOf,
  balance,
  eventsOf,
  holdOf,
  intentsAbout,
  orderOf,
  receiptOf,
  strayOf,
} from '../../../kit/api/payments/escrow/read.ts'
import { release } from '../../../kit/api/payments/escrow/release.ts'
import {
  newAddress,
  newTrade,
  PRICE,
  putOnFile,
  setState,
  startWorld,
  type Trade,
  type World,
} from '../../../kit/api/payments/escrow/world.ts'

describe('contract mode, as the chain tells it', () => {
  let world: World

  before(async () => {
    world = await startWorld()
  })

  after(() => world.stop())

  const funded = async (options = {}) => {
    const trade = await newTrade(world, 'contract', options)
    const held = fundedEvent(world, trade)
    await world.settle(held)
    return { trade, held }
  }
  const delivered = async () => {
    const { trade, held } = await funded()
    await setState(world, trade, 'delivered')
    return { trade, held }
  }
  const accepted = async () => {
    const { trade, held } = await delivered()
    await world.db
      .updateTable('market.orders')
      .set({ accept_by: new Date(0) })
      .where('id', '=', trade.orderId)
      .execute()
    await world.run((tx) => acceptUndecided(tx, world.settings, trade.orderId))
    return { trade, held }
  }

  test('a hold funds its order: thread, receipt, time to deliver, authorization settled, intents closed [spec 1:6 2.7:3 2.8:1 2.9:1 2.10:7 3.1:4 3.1:5]', async () => {
    const { trade, held } = await funded()
    const order = await orderOf(world, trade)
    expect(order.state).to.equal('funded')
    expect(order.thread_id).to.be.a('string')
    expect(order.receipt_id).to.be.a('string')
    expect(order.sla_due_at?.getTime()).to.equal((order.funded_at?.getTime() ?? 0) + order.sla_seconds * 1000)
    expect(await holdOf(world, trade)).to.containSubset({ status: 'held', payer: trade.payer, hold_key: held.holdId })
    expect(await authorizationsOf(world, trade)).to.deep.equal([{ payer: trade.payer, state: 'settled' }])
    expect(await eventsOf(world, trade)).to.deep.equal(['order.placed', 'order.funded'])
    expect(await balance(world, 'hold', held.holdId)).to.equal(PRICE)
  })

  test('told twice, in another block or at once, it happens once', async () => {
    const trade = await newTrade(world, 'contract')
    const held = fundedEvent(world, trade)
    const again = () => world.settle({ ...held, place: place() })
    const answers = await Promise.all([again(), again(), again()])
    expect(answers.filter(Boolean)).to.have.length(1)
    expect(await world.settle(held)).to.equal(false)
    expect(await eventsOf(world, trade)).to.deep.equal(['order.placed', 'order.funded'])
    expect(await balance(world, 'hold', held.holdId)).to.equal(PRICE)
  })

  test('a hold under other terms does not fund the order for which its buyer’s signature of them is on file', async () => {
    const trade = await newTrade(world, 'contract', { payer: 'wallet' })
    const held = heldEvent(world, { ...holdTerms(trade.order), payee: newAddress() }, trade.payer)
    await world.run((tx) => putOnFile(tx, trade.order, trade.payer, held.nonce))
    await world.settle(held)
    expect((await orderOf(world, trade)).state).to.equal('placed')
    expect((await strayOf(world, businessKey(held)))?.status).to.equal('returning')
  })

  test('a return that the seller made in the contract itself is voided, and one that we made is settled', async () => {
    for (const [cause, closing] of [
      [0, 'settled'],
      [2, 'voided'],
    ] as const) {
      const held = fundedEvent(world, await newTrade(world, 'contract'), newAddress())
      await world.settle(held)
      await world.settle(releasedEvent(held, [{ account: held.payer, amountMicros: PRICE }], cause))
      expect((await intentsAbout(world, held.holdId)).map((intent) => intent.closing)).to.deep.equal([closing])
    }
  })

  test('a release carries the signatures of its own split, and none of another', async () => {
    const { trade } = await delivered()
    const signed = { wallet: trade.payer, validBefore: 1_800_000_000n, payee: undefined, signature: '0x01' } as const
    for (const refundMicros of [0n, 5_000_000n])
      await world.run((tx) => keepApproval(tx, trade.orderId, { party: 'payer', refundMicros, ...signed }))
    await world.run((tx) => release(tx, world.settings, trade.orderId, { refundMicros: 5_000_000n }))
    const [intent] = await intentsAbout(world, `release:${trade.orderId}`)
    expect(intent?.payload.evidence).to.containSubset({ refund: '5000000', approvals: [{ by: 'payer' }] })
    expect(intent?.payload.evidence).to.have.nested.property('approvals.length', 1)
  })

  test('a release carries the newest signature of a party that signed the same split again', async () => {
    const { trade } = await delivered()
    const [first, again, sellers] = [
      { wallet: trade.payer, validBefore: 1_800_000_000n, payee: undefined, signature: '0x01' },
      { wallet: newAddress(), validBefore: 1_900_000_000n, payee: newAddress(), signature: '0x02' },
      { wallet: newAddress(), validBefore: 1_850_000_000n, payee: undefined, signature: '0x03' },
    ] as const
    const keep = (party: 'payer' | 'payee', signed: typeof first | typeof again | typeof sellers) =>
      world.run((tx) => keepApproval(tx, trade.orderId, { party, refundMicros: 5_000_000n, ...signed }))
    await keep('payer', first)
    await keep('payee', sellers)
    await keep('payer', again)
    await world.run((tx) => release(tx, world.settings, trade.orderId, { refundMicros: 5_000_000n }))
    const [intent] = await intentsAbout(world, `release:${trade.orderId}`)
    expect(intent?.payload.evidence).to.have.deep.property('approvals', [
      { by: 'payee', validBefore: `${sellers.validBefore}`, signature: '0x03' },
      { by: 'payer', validBefore: `${again.validBefore}`, signature: '0x02' },
    ])
    const kept = world.db.selectFrom('market.settlement_approvals').select(['party', 'wallet', 'payee', 'valid_before'])
    expect(await kept.where('order_id', '=', trade.orderId).orderBy('party').execute()).to.deep.equal([
      { party: 'payee', wallet: sellers.wallet, payee: null, valid_before: sellers.validBefore },
      { party: 'payer', wallet: again.wallet, payee: again.payee, valid_before: again.validBefore },
    ])
  })

  test('a wallet of the buyer pays without an authorization on file', async () => {
    const { trade } = await funded({ payer: 'wallet' })
    expect((await orderOf(world, trade)).state).to.equal('funded')
  })

  test("a stranger's hold with the same terms goes back to the stranger, and the buyer's own funds the order [risk stranger-pays]", async () => {
    const trade = await newTrade(world, 'contract')
    const stranger = newAddress()
    const strangers = fundedEvent(world, trade, stranger)
    await world.settle(strangers)
    expect((await orderOf(world, trade)).state).to.equal('placed')
    const [refund] = await intentsAbout(world, stranger)
    expect(refund).to.containSubset({
      kind: 'release',
      closing: null,
      payload: { payer: stranger, recipients: [stranger], amounts: [PRICE.toString()] },
    })
    await world.settle(fundedEvent(world, trade))
    expect((await orderOf(world, trade)).state).to.equal('funded')
    await world.settle(releasedEvent(strangers, [{ account: stranger, amountMicros: PRICE }]))
    expect((await strayOf(world, `funded:${strangers.holdId}`))?.status).to.equal('returned')
    expect((await intentsAbout(world, stranger))[0]?.closing).to.equal('settled')
    expect(await balance(world, 'claimable', stranger)).to.equal(PRICE)
    expect((await orderOf(world, trade)).state).to.equal('funded')
  })

  test('a second wallet of the buyer that pays too is refunded', async () => {
    const { trade } = await funded({ payer: 'wallet' })
    const second = newAddress()
    await world.run((tx) => putOnFile(tx, trade.order, second))
    const late = fundedEvent(world, trade, second)
    await world.settle(late)
    expect((await strayOf(world, `funded:${late.holdId}`))?.status).to.equal('returning')
    expect((await holdOf(world, trade))?.payer).to.equal(trade.payer)
  })

  test('a hold that lands on a cancelled order is refunded, and the order stays cancelled', async () => {
    const trade = await newTrade(world, 'contract')
    await world.run((tx) => transition(tx, trade.orderId, 'withdraw'))
    const late = fundedEvent(world, trade)
    await world.settle(late)
    expect((await orderOf(world, trade)).state).to.equal('cancelled')
    expect((await intentsAbout(world, trade.payer))[0]).to.containSubset({ kind: 'release', closing: null })
  })

  test('a hold for terms that we never offered is refunded, unless it is dust', async () => {
    const { order } = await newTrade(world, 'contract')
    const payer = newAddress()
    const terms = { ...holdTerms(order), expiry: 4_000_000_000 }
    const foreign = heldEvent(world, terms, payer)
    const dust = heldEvent(world, { ...terms, amount: 1n }, payer)
    await world.settle(foreign)
    await world.settle(dust)
    expect((await strayOf(world, `funded:${foreign.holdId}`))?.status).to.equal('returning')
    expect((await strayOf(world, `funded:${dust.holdId}`))?.status).to.equal('suspense')
    expect(await intentsAbout(world, payer)).to.have.length(1)
  })

  test('acceptance asks the contract for 19 and 1, and the release ends the order with a signed receipt [spec 1:10 1:20 2.10:3 3.1:10 4.2:3]', async () => {
    const { trade, held } = await accepted()
    expect((await orderOf(world, trade)).state).to.equal('accepted')
    const [release] = await intentsAbout(world, `release:${trade.orderId}`)
    expect(release).to.containSubset({
      kind: 'release',
      closing: null,
      payload: {
        payer: trade.payer,
        recipients: [held.terms.payee, held.terms.feeRecipient],
        amounts: ['19000000', '1000000'],
      },
    })
    const event = releasedEvent(held, fullCredits(held))
    await world.settle(event)
    const order = await orderOf(world, trade)
    expect(order.state).to.equal('final')
    expect(order.closed_at).to.be.a('date')
    const settled = { status: 'released', released_payee_micros: 19_000_000n, released_fee_micros: 1_000_000n }
    expect(await holdOf(world, trade)).to.containSubset({ ...settled, release_tx: event.place.txHash })
    const receipt = await receiptOf(world, trade)
    expect(receipt?.document).to.containSubset({
      seller_net: '19.000000',
      market_fee: '1.000000',
      refunded: '0.000000',
      settlement_ref: event.place.txHash,
    })
    expect((await intentsAbout(world, `release:${trade.orderId}`))[0]?.closing).to.equal('settled')
    const events = await eventsOf(world, trade)
    expect(events).to.deep.equal(['order.placed', 'order.funded', 'order.accepted', 'receipt.finalized'])
    expect(await balance(world, 'hold', held.holdId)).to.equal(0n)
    expect(await balance(world, 'claimable', held.terms.payee)).to.equal(19_000_000n)
  })

  test('a withdrawal takes from what the account could claim, once each, and never more [spec 1:20 4.2:4]', async () => {
    const { held } = await accepted()
    await world.settle(releasedEvent(held, fullCredits(held)))
    const account = held.terms.payee.toLowerCase() as `0x${string}`
    const withdrawn = { kind: 'withdrawn', place: place(), account, to: account } as const
    const whole = { ...withdrawn, amountMicros: 19_000_000n, ordinal: 0 }
    expect(await world.settle(whole)).to.equal(true)
    expect(await world.settle({ ...whole, place: { ...place(), txHash: whole.place.txHash } })).to.equal(false)
    expect(await balance(world, 'claimable', account)).to.equal(0n)
    const more = { ...withdrawn, amountMicros: 1n, ordinal: 1 }
    expect(await world.settle(more).catch((error) => error.code)).to.equal('23514')
  })

  test('a withdrawal that the chain takes back leaves the credit to be withdrawn by any other transaction', async () => {
    const { held } = await accepted()
    await world.settle(releasedEvent(held, fullCredits(held)))
    const account = held.terms.payee.toLowerCase() as `0x${string}`
    const withdrawn = () =>
      ({ kind: 'withdrawn', place: place(), account, to: account, amountMicros: 19_000_000n, ordinal: 0 }) as const
    const first = withdrawn()
    await world.settle(first)
    await world.run((tx) => reverseEvent(tx, world.settings, businessKey(first)))
    expect(await balance(world, 'claimable', account)).to.equal(19_000_000n)
    expect(await world.settle(withdrawn())).to.equal(true)
    expect(await balance(world, 'claimable', account)).to.equal(0n)
  })

  test('a cancelled order is refunded whole, stays cancelled, and its receipt closes', async () => {
    const { trade, held } = await funded()
    await world.run(async (tx) => {
      await transition(tx, trade.orderId, 'cancel')
      await release(tx, world.settings, trade.orderId, { refundMicros: PRICE })
    })
    await world.settle(releasedEvent(held, [{ account: trade.payer, amountMicros: PRICE }]))
    expect((await orderOf(world, trade)).state).to.equal('cancelled')
    expect((await receiptOf(world, trade))?.document).to.containSubset({
      refunded: '20.000000',
      seller_net: '0.000000',
    })
    const events = await eventsOf(world, trade)
    expect(events).to.deep.equal(['order.placed', 'order.funded', 'order.cancelled', 'receipt.finalized'])
  })

  const OPEN: OrderState[] = ['funded', 'in_flight', 'delivered', 'accepted', 'rejected', 'disputed']
  for (const state of OPEN) {
    test(`what the chain has done ends an order that is ${state}: released by its payer, or reclaimed`, async () => {
      const released = await funded()
      await setState(world, released.trade, state)
      await world.settle(releasedEvent(released.held, fullCredits(released.held), 1))
      expect((await orderOf(world, released.trade)).state).to.equal('final')
      expect((await receiptOf(world, released.trade))?.document).to.containSubset({ seller_net: '19.000000' })

      const reclaimed = await funded()
      await setState(world, reclaimed.trade, state)
      await world.settle(reclaimedEvent(reclaimed.held))
      const isUndelivered = state === 'funded' || state === 'in_flight'
      expect((await orderOf(world, reclaimed.trade)).state).to.equal(isUndelivered ? 'cancelled' : 'final')
      expect((await receiptOf(world, reclaimed.trade))?.document).to.containSubset({ refunded: '20.000000' })
      expect(await balance(world, 'claimable', reclaimed.trade.payer)).to.equal(PRICE)
    })
  }

  test('a hold that ended by itself voids the release that was asked for', async () => {
    const { trade, held } = await accepted()
    await world.settle(reclaimedEvent(held))
    expect((await intentsAbout(world, `release:${trade.orderId}`))[0]?.closing).to.equal('voided')
    expect((await orderOf(world, trade)).state).to.equal('final')
  })

  test('an end that is told before its beginning waits: nothing is done until the hold is known', async () => {
    const trade = await newTrade(world, 'contract')
    const held = fundedEvent(world, trade)
    const end = releasedEvent(held, fullCredits(held))
    expect(await world.settle(end).catch((error) => error.code)).to.equal('23514')
    expect(await balance(world, 'hold', held.holdId)).to.equal(undefined)
    await world.settle(held)
    expect(await world.settle(end)).to.equal(true)
    expect((await orderOf(world, trade)).state).to.equal('final')
  })

  test('a release is requested once, never for more than is held, and raises where it was requested with another split [spec 3.3:6]', async () => {
    const { trade } = await funded()
    const ask = (refundMicros: bigint) =>
      world.run((tx) => release(tx, world.settings, trade.orderId, { refundMicros }))
    expect(await ask(PRICE + 1n).catch((error) => error.name)).to.equal('RangeError')
    await ask(0n)
    await ask(0n)
    const refused = await ask(PRICE).catch((error) => error.message)
    expect(refused).to.equal(`another intent is on file as attempt 1 of release:${trade.orderId}`)
    const asked = (await intentsAbout(world, trade.orderId)).filter(({ kind }) => kind === 'release')
    expect(asked.map(({ payload }) => payload.amounts)).to.deep.equal([['19000000', '1000000']])
  })

  test('an unfinished verb leaves nothing behind: the next try does all of it', async () => {
    const trade: Trade = await newTrade(world, 'contract')
    const held = fundedEvent(world, trade)
    const crashed = world.run(async (tx) => {
      await applyChainEvent(tx, world.settings, held)
      throw new Error('killed before the commit')
    })
    expect(await crashed.catch((error) => error.message)).to.equal('killed before the commit')
    expect((await orderOf(world, trade)).state).to.equal('placed')
    expect(await world.settle(held)).to.equal(true)
    expect((await orderOf(world, trade)).state).to.equal('funded')
  })
})
