import type { MarketRules } from '../context.ts'
import { Problem } from '../errors.ts'

/** How long the seller may work, and the buyer decide, in seconds. */
export interface OrderWindows {
  slaSeconds: number
  autoAcceptSeconds: number
}

/** The longest an order can take: paid at the last moment, each delivery decided and then replaced at the last moment. */
function longestLifeSeconds(rules: MarketRules, windows: OrderWindows): number {
  const perDelivery = windows.autoAcceptSeconds + rules.rejectionWindowSeconds
  return rules.paymentWindowSeconds + windows.slaSeconds + rules.maxDeliveries * perDelivery
}

/** Throws orders/windows-too-long unless the order surely ends a safe margin before its payer could reclaim the hold. */
export function requireWindowsFit(rules: MarketRules, windows: OrderWindows): void {
  const longestSeconds = longestLifeSeconds(rules, windows)
  const allowedSeconds = rules.holdSeconds - rules.settlementMarginSeconds
  if (longestSeconds <= allowedSeconds) return
  throw new Problem('orders/windows-too-long', {
    detail:
      `With this ask's windows an order can take ${longestSeconds} seconds, and its hold is safe for ${allowedSeconds}. ` +
      'Ask the seller for shorter windows.',
  })
}
