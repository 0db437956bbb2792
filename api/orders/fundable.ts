import { catchingUp } from '../chain/progress.ts'
import type { MarketRules } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { statement } from '../db/statement.ts'
import { Problem } from '../errors.ts'

const ALIVE_SECONDS = 10

interface Standing {
  now: Date
  is_alive: boolean | null
  is_known: boolean
  is_spent: boolean
  frees_seconds: number | null
}

const selectStanding = statement<Standing>(`
  select market.now() as now, coalesce(sum(sent.charged_gas), 0) >= $1 as is_spent,
    (select beat_at > clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS}) from facilitator.heartbeat) as is_alive,
    exists (select from market.chain_progress where incarnation = market.incarnation()) as is_known,
    ceil(extract(epoch from min(sent.created_at) + interval '24 hours' - clock_timestamp()))::integer as frees_seconds
  from facilitator.transactions sent
  where sent.owner_id = (select owner_id from market.agents where id = $2)
    and sent.created_at > clock_timestamp() - interval '24 hours'`)

/**
 * The time, if a payment of this agent's could be brought to the chain: asked before a 402 is offered, because a payer who
 * has signed may sign a second time when told to retry. Throws facilitator/unavailable (503) without a facilitator,
 * service/catching-up (503) while it is not known what the chain did before the database started, and
 * orders/gas-budget-spent (429) when the payments of the agent's owner have used their gas of the last 24 hours. The
 * facilitator, which counts what is on its way too, has the last word.
 */
export async function requireFundable(tx: Tx, rules: MarketRules, agentId: string): Promise<Date> {
  const [standing] = await selectStanding(tx, [rules.dailyFundingGas, agentId])
  if (!standing?.is_alive) {
    throw new Problem('facilitator/unavailable', {
      detail: 'The facilitator that submits payments is not running. Nothing was changed: try again later.',
    })
  }
  if (!standing.is_known) throw catchingUp()
  if (!standing.is_spent) return standing.now
  throw new Problem('orders/gas-budget-spent', {
    detail:
      `The payments of this account have used ${rules.dailyFundingGas} gas in the last 24 hours, which is the limit. ` +
      'Nothing was changed: pay again when the first of them is a day old.',
    retryAfterSeconds: Math.max(1, standing.frees_seconds ?? 1),
  })
}
