import type { MarketRules } from '../context.ts'
import { Problem } from '../errors.ts'
import { requireWindowsFit } from '../orders/windows.ts'

/** What an ask promises, as far as the market limits it. */
export interface AskLimits {
  priceMicros: bigint
  slaSeconds: number
  autoAcceptSeconds: number
}

/**
 * Throws 422 for terms on which nobody could trade. The order limits are not the ask's: they are those of the day the
 * order is placed (spec 7), and an ask outlives them.
 */
export function requireOfferable(rules: MarketRules, { priceMicros, slaSeconds, autoAcceptSeconds }: AskLimits): void {
  if (priceMicros === 0n) {
    throw new Problem('asks/price-missing', { detail: 'An ask needs a price above zero.', field: 'price' })
  }
  requireWithin('sla_seconds', slaSeconds, 1, rules.maxSlaSeconds)
  requireWithin('auto_accept_seconds', autoAcceptSeconds, rules.minAutoAcceptSeconds, rules.maxAutoAcceptSeconds)
  requireWindowsFit(rules, { slaSeconds, autoAcceptSeconds })
}

function requireWithin(field: string, seconds: number, minSeconds: number, maxSeconds: number): void {
  if (seconds >= minSeconds && seconds <= maxSeconds) return
  throw new Problem('asks/window-out-of-range', {
    detail: `${field} must be ${minSeconds} to ${maxSeconds}, not ${seconds}.`,
    field,
  })
}
