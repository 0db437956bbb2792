import { sql } from 'kysely'
import type { MarketRules } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'

/**
 * Throws orders/gas-budget-spent (429) when the payments of an agent's owner have used their gas of the last 24 hours:
 * asked before a 402 is offered. The facilitator, which counts what is on its way too, has the last word.
 */
export async function requireFundingGas(tx: Tx, rules: MarketRules, agentId: string): Promise<void> {
  const { rows } = await sql<{ is_spent: boolean; frees_seconds: number }>`
    select coalesce(sum(charged_gas), 0) >= ${rules.dailyFundingGas} as is_spent,
      ceil(extract(epoch from min(created_at) + interval '24 hours' - clock_timestamp()))::integer as frees_seconds
    from facilitator.transactions
    where owner_id = (select owner_id from market.agents where id = ${agentId})
      and created_at > clock_timestamp() - interval '24 hours'`.execute(tx)
  if (!rows[0]?.is_spent) return
  throw new Problem('orders/gas-budget-spent', {
    detail:
      `The payments of this account have used ${rules.dailyFundingGas} gas in the last 24 hours, which is the limit. ` +
      'Nothing was changed: pay again when the first of them is a day old.',
    retryAfterSeconds: Math.max(1, rows[0].frees_seconds),
  })
}
