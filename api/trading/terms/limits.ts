import { type RawBuilder, sql } from 'kysely'
import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import type { MarketRules } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { orderProblems } from '../orders/record/problems.ts'

/** Throws orders/amount-out-of-range, naming the field, unless the limits allow an order of this amount. */
export function requireAmount(rules: MarketRules, amountMicros: bigint, field: string): void {
  if (amountMicros >= rules.minOrderMicros && amountMicros <= rules.maxOrderMicros) return
  throw new Problem(orderProblems.amountOutOfRange, {
    detail:
      `${formatAmount(amountMicros)} is outside the limits: ` +
      `${formatAmount(rules.minOrderMicros)} to ${formatAmount(rules.maxOrderMicros)}.`,
    field,
  })
}

/** How long the seller may work, and how long the buyer may decide, in seconds. */
export interface OrderWindows {
  slaSeconds: number
  autoAcceptSeconds: number
}

const DAY_SECONDS = 86_400

/**
 * Returns when the parties are reminded of a window that begins now: when a quarter of it is left, at most a
 * day. Null for windows of less than a day: the event at their beginning is enough.
 */
export function reminderAt(windowSeconds: number): RawBuilder<Date> | null {
  if (windowSeconds < DAY_SECONDS) return null
  const leadSeconds = Math.min(DAY_SECONDS, Math.floor(windowSeconds / 4))
  return sql<Date>`market.now() + make_interval(secs => ${windowSeconds - leadSeconds})`
}

/**
 * Returns the longest a dispute can take, in seconds: each state until its deadline, the appeal paid at the
 * last moment.
 */
function longestDisputeSeconds(rules: MarketRules): number {
  return (
    rules.disputeEvidenceSeconds +
    rules.preReviewSeconds +
    rules.arbitrationSeconds +
    rules.appealWindowSeconds +
    rules.appealPaymentSeconds +
    rules.humanReviewSeconds
  )
}

/**
 * Returns the longest an order can take, in seconds: paid at the last moment, each delivery decided and then
 * replaced at the last moment, then disputed.
 */
export function longestOrderSeconds(rules: MarketRules, windows: OrderWindows): number {
  const perDelivery = windows.autoAcceptSeconds + rules.rejectionWindowSeconds
  const work = rules.paymentWindowSeconds + windows.slaSeconds + rules.maxDeliveries * perDelivery
  return work + longestDisputeSeconds(rules)
}

/**
 * Throws orders/windows-too-long, naming the field, unless the order, its dispute included, always ends a
 * safe margin before its payer could reclaim the hold.
 */
export function requireWindowsFit(rules: MarketRules, windows: OrderWindows, field: string): void {
  const longestSeconds = longestOrderSeconds(rules, windows)
  const allowedSeconds = rules.holdSeconds - rules.settlementMarginSeconds
  if (longestSeconds <= allowedSeconds) return
  throw new Problem(orderProblems.windowsTooLong, {
    detail:
      `With this ask's windows an order can take ${longestSeconds} seconds, and its hold is safe for ${allowedSeconds}. ` +
      'Ask the seller for shorter windows.',
    field,
  })
}
