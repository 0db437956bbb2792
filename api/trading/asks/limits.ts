import type { MarketRules } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { requireAmount, requireWindowsFit } from '../terms/limits.ts'
import { askProblems } from './problems.ts'

/** The terms of an ask that the market limits. */
export interface AskLimits {
  priceMicros: bigint
  slaSeconds: number
  autoAcceptSeconds: number
}

/**
 * Throws 422 for terms outside the limits: an ask that nobody could order is not offered. The limits of the
 * day an order is placed apply to it again (spec 7).
 */
export function requireOfferable(rules: MarketRules, { priceMicros, slaSeconds, autoAcceptSeconds }: AskLimits): void {
  if (priceMicros === 0n) {
    throw new Problem(askProblems.priceMissing, { detail: 'An ask needs a price above zero.', field: 'price' })
  }
  requireAmount(rules, priceMicros, 'price')
  requireWithin('sla_seconds', slaSeconds, 1, rules.maxSlaSeconds)
  requireWithin('auto_accept_seconds', autoAcceptSeconds, rules.minAutoAcceptSeconds, rules.maxAutoAcceptSeconds)
  requireWindowsFit(rules, { slaSeconds, autoAcceptSeconds }, 'auto_accept_seconds')
}

function requireWithin(field: string, seconds: number, minSeconds: number, maxSeconds: number): void {
  if (seconds >= minSeconds && seconds <= maxSeconds) return
  throw new Problem(askProblems.windowOutOfRange, {
    detail: `${field} must be ${minSeconds} to ${maxSeconds}, not ${seconds}.`,
    field,
  })
}
