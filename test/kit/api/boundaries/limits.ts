import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createAgent } from '../../../../api/identity/accounts/internal/createAgent.ts'
import { readClock } from '../../../../api/platform/db/clock.ts'
import { requireOfferable } from '../../../../api/trading/asks/limits.ts'
import { createBid } from '../../../../api/trading/bids/create.ts'
import { keepDelivery } from '../../../../api/trading/deliveries/internal/keep.ts'
import { handInFile } from '../../../../api/trading/disputes/evidence/internal/handIn.ts'
import { advanceDispute } from '../../../../api/trading/disputes/work/internal/advance.ts'
import { defaultMode } from '../../../../api/trading/orders/placement/internal/offer.ts'
import { isForStockClients } from '../../../../api/trading/orders/record/x402.ts'
import { changeSla } from '../../../../api/trading/orders/work/changeSla.ts'
import { longestOrderSeconds, requireWindowsFit } from '../../../../api/trading/terms/limits.ts'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { feeAt } from '../../../../protocol/payments/fees.ts'
import { orderOf } from '../payments/escrow/read.ts'
import { deliver, disputeOf } from '../trading/disputes/world.ts'
import { disputed, nothing, paid, placed } from './beginnings.ts'
import { amountOf, type Boundary, limiting, micros, type Scene, seconds, startingAt, told, upTo } from './scene.ts'

const DAY = 86_400

const offerable = ({ settings }: Scene, changes: Partial<Parameters<typeof requireOfferable>[1]>) =>
  requireOfferable(settings.rules, { priceMicros: 20_000_000n, slaSeconds: DAY, autoAcceptSeconds: DAY, ...changes })
const blob = () => ({ id: randomUUID(), sizeBytes: 9, isBlank: false, excerpt: null })
const wish = { title: 'Index', description: 'Of a book.', max_price: 50_000_000n }

/**
 * Every limit of what is offered, delivered and disputed: what is tried with one less than it, with exactly
 * it, and with one more.
 */
export const LIMITS: readonly Boundary[] = [
  amountOf('fees', nothing, {
    'an order is placed when the rate changes': [
      async (_scene, _given, step) => {
        const rates = [
          { from: new Date(0), feeBps: 500 },
          { from: new Date(1_000), feeBps: 400 },
        ]
        return `${feeAt(rates, new Date(1_000 + step))}`
      },
      ...told('500', '400', '400'),
    ],
  }),
  amountOf('minOrderMicros', nothing, {
    'an ask has that price': [
      async (scene, _given, step) => offerable(scene, { priceMicros: micros(scene, 'minOrderMicros', step) }),
      ...startingAt('orders/amount-out-of-range'),
    ],
  }),
  amountOf('maxOrderMicros', nothing, {
    'an ask has that price': [
      async (scene, _given, step) => offerable(scene, { priceMicros: micros(scene, 'maxOrderMicros', step) }),
      ...upTo('orders/amount-out-of-range'),
    ],
  }),
  amountOf('custodyThresholdMicros', nothing, {
    'an order has that price': [
      async (scene, _given, step) => defaultMode(scene.settings, micros(scene, 'custodyThresholdMicros', step)),
      ...told('custodied', 'contract', 'contract'),
    ],
  }),
  amountOf('x402MaxAmountMicros', nothing, {
    'a stock client may pay': [
      async (scene, _given, step) => {
        const price_micros = micros(scene, 'x402MaxAmountMicros', step)
        return isForStockClients(scene.settings.rules, { escrow_mode: 'custodied', price_micros })
      },
      ...upTo('no'),
    ],
  }),
  amountOf('maxSlaSeconds', paid, {
    'an ask has that SLA': [
      async (scene, _given, step) => offerable(scene, { slaSeconds: seconds(scene, 'maxSlaSeconds', step) }),
      ...upTo('asks/window-out-of-range'),
    ],
    'both parties agree on that SLA': [
      async (scene, trade, step) =>
        changeSla(scene.tx, scene.settings.rules, await orderOf(scene, trade), seconds(scene, 'maxSlaSeconds', step)),
      ...upTo('messages/invalid-payload'),
    ],
    'both parties agree on an SLA that ends at that moment': [
      async (scene, trade, step) => {
        await scene.moveTo(DAY)
        return changeSla(scene.tx, scene.settings.rules, await orderOf(scene, trade), DAY + step)
      },
      ...told('messages/invalid-payload', 'messages/invalid-payload', 'yes'),
    ],
  }),
  amountOf('minAutoAcceptSeconds', nothing, {
    'an ask has that window': [
      async (scene, _given, step) =>
        offerable(scene, { autoAcceptSeconds: seconds(scene, 'minAutoAcceptSeconds', step) }),
      ...startingAt('asks/window-out-of-range'),
    ],
  }),
  amountOf('maxAutoAcceptSeconds', nothing, {
    'an ask has that window': [
      async (scene, _given, step) =>
        offerable(scene, { autoAcceptSeconds: seconds(scene, 'maxAutoAcceptSeconds', step) }),
      ...upTo('asks/window-out-of-range'),
    ],
  }),
  amountOf('settlementMarginSeconds', nothing, {
    'the longest course of an order ends so long before its hold': [
      async ({ settings: { rules } }, _given, step) => {
        const windows = { slaSeconds: 0, autoAcceptSeconds: DAY }
        const left = rules.holdSeconds - rules.settlementMarginSeconds - longestOrderSeconds(rules, windows)
        requireWindowsFit(rules, { ...windows, slaSeconds: left + step }, 'sla_seconds')
      },
      ...upTo('orders/windows-too-long'),
    ],
  }),
  amountOf('maxDeliveries', paid, {
    'the seller delivers for the so-manieth time': [
      async (scene, trade, step) => {
        const before = { deliveries: seconds(scene, 'maxDeliveries', step) - 1 }
        await scene.db.updateTable('market.orders').set(before).where('id', '=', trade.orderId).execute()
        return deliver(scene, trade, { hasBytes: false })
      },
      ...upTo('orders/deliveries-exhausted'),
    ],
  }),
  amountOf('maxUploads', paid, {
    'the seller uploads the so-manieth file': [
      async (scene, { seller, orderId }, step) => {
        await sql`insert into market.deliveries (id, order_id, sha256, size_bytes, is_blank)
          select gen_random_uuid(), ${orderId}, ${sha256Hex('x')}, 1, false
          from generate_series(1, ${seconds(scene, 'maxUploads', step) - 1}::int)`.execute(scene.db)
        const input = { orderId, sha256: sha256Hex('y'), filename: null }
        return keepDelivery(scene.tx, { ...seller.call, settings: scene.settings }, input, blob())
      },
      ...upTo('deliveries/too-many'),
    ],
  }),
  amountOf('maxEvidenceFiles', disputed('open'), {
    'a side hands in the so-manieth file': [
      async (scene, { buyer, disputeId }, step) => {
        const most = seconds(scene, 'maxEvidenceFiles', step)
        for (let file = 1; file <= most; file++)
          await handInFile(scene.tx, buyer.call, { disputeId, sha256: sha256Hex(`${file}`), filename: null }, blob())
      },
      ...upTo('disputes/too-many-files'),
    ],
  }),
  amountOf('twoReviewersMicros', disputed('arbitrating'), {
    'the price is so much: how many humans decide?': [
      async (scene, trade, step) => {
        await scene.moveTo(DAY)
        const settings = limiting(scene, 'twoReviewersMicros', trade.order.price_micros, step)
        await advanceDispute(scene.tx, settings, trade.disputeId)
        return `${(await disputeOf(scene, trade)).reviewers}`
      },
      ...told('1', '1', '2'),
    ],
  }),
  amountOf('maxBidSeconds', placed, {
    'a bid stays open so long': [
      async (scene, { buyer }, step) => {
        const expires_at = new Date(
          (await readClock(scene.tx)).getTime() + seconds(scene, 'maxBidSeconds', 0) * 1_000 + step,
        )
        return createBid(scene.tx, buyer.call, { ...wish, expires_at })
      },
      ...upTo('bids/window-out-of-range'),
    ],
    'a bid expires now': [
      async (scene, { buyer }, step) => {
        const expires_at = new Date((await readClock(scene.tx)).getTime() + step)
        return createBid(scene.tx, buyer.call, { ...wish, expires_at })
      },
      ...told('bids/window-out-of-range', 'bids/window-out-of-range', 'yes'),
    ],
  }),
  amountOf('maxAgents', placed, {
    'a person makes the so-manieth agent': [
      async (scene, { buyer: { humanId, call } }, step) => {
        const settings = limiting(scene, 'maxAgents', 2, step)
        const agent = { ownerId: humanId, displayName: 'Another', description: '' }
        return createAgent(scene.tx, { actor: { ...call.actor, agentId: null }, settings }, agent)
      },
      ...upTo('agents/too-many'),
    ],
  }),
]
