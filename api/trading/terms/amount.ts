import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import type { MarketRules } from '../../context.ts'
import { Problem } from '../../errors.ts'

/** Throws orders/amount-out-of-range, naming the field, unless the limits allow an order of this amount. */
export function requireAmount(rules: MarketRules, amountMicros: bigint, field: string): void {
  if (amountMicros >= rules.minOrderMicros && amountMicros <= rules.maxOrderMicros) return
  throw new Problem('orders/amount-out-of-range', {
    detail:
      `${formatAmount(amountMicros)} is outside the limits: ` +
      `${formatAmount(rules.minOrderMicros)} to ${formatAmount(rules.maxOrderMicros)}.`,
    field,
  })
}
