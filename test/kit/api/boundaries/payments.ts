import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { failPayout } from '../../../../api/payments/payouts/fail.ts'
import { submitPayout } from '../../../../api/payments/payouts/internal/submit.ts'
import { observeHotWallet } from '../../../../api/payments/reserve/internal/observe.ts'
import { recordRefill, recordSweep, recordSweepVanished } from '../../../../api/payments/reserve/record.ts'
import { requestSweep, surplusMicros } from '../../../../api/payments/reserve/sweep.ts'
import { readClock } from '../../../../api/platform/db/clock.ts'
import { requireForOffer, requireValidNow } from '../../../../api/trading/orders/payment/paymentChecks.ts'
import { requireFundable } from '../../../../api/trading/orders/record/fundable.ts'
import { sweepNonce } from '../../../../protocol/payments/nonces.ts'
import { paymentEvent, place } from '../payments/escrow/chainEvents.ts'
import { accepted, onlyPayout } from '../payments/escrow/custody/trades.ts'
import { orderOf, strayOf } from '../payments/escrow/read.ts'
import { newAddress, newHash, type Trade } from '../payments/escrow/world.ts'
import { nothing, placed } from './beginnings.ts'
import {
  amountOf,
  type Boundary,
  exactly,
  limiting,
  micros,
  nowSeconds,
  type Scene,
  startingAt,
  told,
  until,
  upTo,
} from './scene.ts'

const DAY = 86_400

const swept = async (scene: Scene) => {
  const reserve = { coldWallet: newAddress(), ceilingMicros: 1_000n }
  const settings = { ...scene.settings, reserve }
  const nonce = sweepNonce(settings.chain, 1n)
  const outflow = { kind: 'outflow', place: place(), to: reserve.coldWallet, amountMicros: 500n, nonce } as const
  await recordSweep(scene.tx, settings, outflow)
  return { settings, nonce }
}

const chargeOf = async ({ db }: Scene, { buyer }: Trade, wei: bigint, sentAt = sql<Date>`clock_timestamp()`) => {
  const intent = randomUUID()
  await sql`insert into facilitator.transactions (hash, intent_id, signer, nonce, raw, owner_id, charged_wei, created_at)
    values (${newHash()}, ${intent}, '0x' || repeat('0', 40), 0, '0x02f8', ${buyer.humanId}, ${wei}, ${sentAt})`.execute(
    db,
  )
  return intent
}
const fundable = ({ tx, settings }: Scene, { buyer }: Trade) => requireFundable(tx, settings.rules, buyer.agentId)
/** An order's authorization, as its buyer signs it. */
const authorized = (
  { order, payer }: Trade,
  changes: { validAfter?: bigint; validBefore?: bigint; value?: bigint },
) => {
  const unix = (time: Date) => BigInt(time.getTime() / 1_000)
  const authorization = {
    ...{
      from: payer,
      to: order.recipient as Address,
      value: order.price_micros,
      nonce: newHash(),
      signature: newHash(),
    },
    ...{ validAfter: unix(order.valid_after), validBefore: unix(order.valid_before), ...changes },
  }
  return { lane: 'x402' as const, orderId: order.id, authorization, isSigned: true }
}

/**
 * Every amount that is paid, held or spent: what is tried with one less than it, with exactly it, and with
 * one more.
 */
export const PAYMENTS: readonly Boundary[] = [
  amountOf('paymentWindowSeconds', placed, {
    'an authorization ends with the offer': [
      async (scene, trade, step) => {
        const validBefore = (await nowSeconds(scene)) + micros(scene, 'paymentWindowSeconds', step)
        requireValidNow(trade.order, authorized(trade, { validBefore }), await readClock(scene.tx))
      },
      ...upTo('authorization/mismatch'),
    ],
    'an authorization ends in ten seconds': [
      async (scene, trade, step) => {
        const validBefore = (await nowSeconds(scene)) + BigInt(10 + step)
        requireValidNow(trade.order, authorized(trade, { validBefore }), await readClock(scene.tx))
      },
      ...startingAt('authorization/expired'),
    ],
    'an authorization begins now': [
      async (scene, trade, step) => {
        const validAfter = (await nowSeconds(scene)) + BigInt(step)
        requireValidNow(trade.order, authorized(trade, { validAfter }), await readClock(scene.tx))
      },
      ...upTo('authorization/expired'),
    ],
  }),
  amountOf(['the price'], placed, {
    'an authorization is of it': [
      async ({ settings }, trade, step) => {
        const value = trade.order.price_micros + BigInt(step)
        requireForOffer(settings.rules, trade.order, authorized(trade, { value }))
      },
      ...exactly('authorization/mismatch', 'yes'),
    ],
    'a payment of it arrives': [
      async (scene, trade, step) => {
        await scene.settle(paymentEvent(trade, { amountMicros: trade.order.price_micros + BigInt(step) }))
        return (await orderOf(scene, trade)).state
      },
      ...exactly('placed', 'funded'),
    ],
  }),
  amountOf('newOwnerFundingWei', placed, {
    'so much was spent in a day': [
      async (scene, trade, step) => {
        await chargeOf(scene, trade, micros(scene, 'newOwnerFundingWei', step))
        return fundable(scene, trade)
      },
      ...until('orders/gas-budget-spent'),
    ],
  }),
  amountOf('dailyFundingWei', placed, {
    'so much was spent in a day by an owner whose payment was confirmed a day ago': [
      async (scene, trade, step) => {
        const first = await chargeOf(scene, trade, 1n, sql<Date>`clock_timestamp() - interval '24 hours'`)
        await sql`insert into facilitator.outcomes (intent_id, status) values (${first}, 'confirmed')`.execute(scene.db)
        await chargeOf(scene, trade, micros(scene, 'dailyFundingWei', step))
        return fundable(scene, trade)
      },
      ...until('orders/gas-budget-spent'),
    ],
  }),
  amountOf('dailyPayoutMicros', accepted, {
    'a seller is paid so much in a day': [
      async (scene, { trade }, step) => {
        const { id, amount_micros: amount } = await onlyPayout(scene, trade.payer)
        return submitPayout(scene.tx, limiting(scene, 'dailyPayoutMicros', amount, step), id)
      },
      ...upTo('no'),
    ],
    'a seller is paid so much after a payer was refunded, and after an attempt of its own that failed': [
      async (scene, { trade }, step) => {
        const { id, amount_micros: amount } = await onlyPayout(scene, trade.payer)
        const [from, nonce] = [newAddress(), newHash()]
        await scene.settle(paymentEvent(trade, { from, nonce }))
        await submitPayout(scene.tx, scene.settings, (await onlyPayout(scene, from)).id)
        await submitPayout(scene.tx, scene.settings, id)
        await failPayout(scene.tx, scene.settings, id, 'refused')
        return submitPayout(scene.tx, limiting(scene, 'dailyPayoutMicros', amount, step), id)
      },
      ...upTo('no'),
    ],
  }),
  amountOf('minStrayReturnMicros', nothing, {
    'so much arrives that nobody asked for': [
      async (scene, _given, step) => {
        const { hotWallet } = scene.settings.chain
        const [from, nonce, amountMicros] = [newAddress(), newHash(), micros(scene, 'minStrayReturnMicros', step)]
        const to = hotWallet.toLowerCase() as Address
        await scene.settle({ kind: 'payment', place: place(), from, to, amountMicros, nonce, holdId: null })
        return (await strayOf(scene, `payment:${from}:${nonce}`))?.status
      },
      ...told('suspense', 'returning', 'returning'),
    ],
  }),
  amountOf('hotWalletFloorMicros', nothing, {
    'the hot wallet holds so much: is it below?': [
      async (scene, _given, step) => {
        const settings = limiting(scene, 'hotWalletFloorMicros', 5n, 0)
        const seen = { blockNumber: 1n, balanceMicros: 5n + BigInt(step) }
        return (await observeHotWallet(scene.tx, settings, seen)).isBelowFloor
      },
      ...told('yes', 'no', 'no'),
    ],
  }),
  amountOf(['the ceiling of the hot wallet'], nothing, {
    'a tenth of it is beyond it': [
      async (_scene, _given, step) =>
        `${surplusMicros({ coldWallet: newAddress(), ceilingMicros: 1_000n }, 1_100n + BigInt(step), 0n)}`,
      ...told('0', '100', '101'),
    ],
    'as much is due': [
      async (_scene, _given, step) =>
        `${surplusMicros({ coldWallet: newAddress(), ceilingMicros: 1_000n }, 1_200n, 1_000n + BigInt(step))}`,
      ...told('200', '200', '199'),
    ],
  }),
  amountOf(['what was swept'], swept, {
    'so much comes back from the cold wallet': [
      async ({ tx }, { settings }, step) => {
        const { coldWallet: from } = settings.reserve
        const to = settings.chain.hotWallet.toLowerCase() as Address
        const amountMicros = 500n + BigInt(step)
        return recordRefill(tx, settings, { kind: 'transfer', place: place(), from, to, amountMicros })
      },
      ...upTo('no'),
    ],
    'so much is beyond the ceiling after a reorganisation removed the sweep': [
      async ({ tx, moveTo }, { settings, nonce }, step) => {
        await recordSweepVanished(tx, nonce)
        await moveTo(DAY)
        return requestSweep(tx, settings, 500n + BigInt(step))
      },
      ...startingAt('no'),
    ],
  }),
]
