import { sql } from 'kysely'
import type { MarketRules } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { catchingUp } from '../../../payments/chain/progress.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { orderProblems } from './problems.ts'

const ALIVE_SECONDS = 10

/**
 * Checks that a payment of this agent can be submitted, and returns the database's time. It runs before a 402
 * is returned: a payer who has signed might sign a second time on a retry. Throws facilitator/unavailable
 * (503) without a facilitator, service/catching-up (503) until the chain's events since the database's start
 * are processed, and orders/gas-budget-spent (429) if submitting the payments of the agent's owner has cost
 * the limit of 24 hours. The facilitator checks the budget again, including payments in progress.
 */
export async function requireFundable(tx: Tx, rules: MarketRules, agentId: string): Promise<Date> {
  const funding = await readFunding(tx, rules, agentId)
  if (!funding?.is_alive) {
    throw new Problem(orderProblems.facilitatorUnavailable, {
      detail: 'The facilitator that submits payments is not running. Nothing was changed: try again later.',
    })
  }
  if (!funding.is_known) throw catchingUp()
  if (!funding.is_spent) return funding.now
  throw new Problem(orderProblems.gasBudgetSpent, {
    detail:
      `Submitting the payments of this account has cost ${funding.limit_wei} wei in the last 24 hours, which is the limit. ` +
      'Nothing was changed: pay again when the first of them is a day old.',
    retryAfterSeconds: Math.max(1, funding.frees_seconds ?? 1),
  })
}

interface Funding {
  now: Date
  is_alive: boolean | null
  is_known: boolean
  is_spent: boolean
  limit_wei: string
  frees_seconds: number | null
}

async function readFunding(tx: Tx, rules: MarketRules, agentId: string): Promise<Funding | undefined> {
  const { rows } = await sql<Funding>`
    select market.now() as now, spent.charged_wei >= allowed.wei as is_spent, allowed.wei::text as limit_wei,
      (select beat_at > clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS}) from facilitator.heartbeat) as is_alive,
      exists (select from market.chain_progress where database_epoch = market.database_epoch()) as is_known,
      ceil(extract(epoch from spent.first_at + interval '24 hours' - clock_timestamp()))::integer as frees_seconds
    from market.agents agent, facilitator.owner_funding(agent.owner_id) spent,
      lateral (select case when spent.is_established then ${rules.dailyFundingWei}::numeric
                      else ${rules.newOwnerFundingWei}::numeric end as wei) allowed
    where agent.id = ${agentId}`.execute(tx)
  return rows[0]
}
