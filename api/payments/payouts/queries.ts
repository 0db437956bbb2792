import { type Address, getAddress, type Hex } from 'viem'
import { formatAmount } from '../../../protocol/amounts.ts'
import { urn } from '../../../protocol/urn.ts'
import type { Actor } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { PayoutBody } from './routes.ts'
import type { PayoutRow } from './transition.ts'

/** Returns payouts to an agent, or to a human and all their agents, newest first, below a cursor id. */
export async function listPayoutRows(
  tx: Tx,
  { agentId, humanId }: Actor,
  page: { from: string | undefined; limit: number },
): Promise<PayoutRow[]> {
  let query = tx
    .selectFrom('market.payouts')
    .selectAll()
    .where(agentId ? 'agent_id' : 'human_id', '=', agentId ?? humanId)
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.from) query = query.where('id', '<', page.from)
  return query.execute()
}

/** Returns one payout to an agent, or to a human or any of their agents. Throws 404 for any other. */
export async function findPayout(tx: Tx, { agentId, humanId }: Actor, payoutId: string): Promise<PayoutRow> {
  return tx
    .selectFrom('market.payouts')
    .selectAll()
    .where('id', '=', payoutId)
    .where(agentId ? 'agent_id' : 'human_id', '=', agentId ?? humanId)
    .executeTakeFirstOrThrow(() => notFound('payout'))
}

/** Returns a payout in wire form. */
export function toPayout(row: PayoutRow): PayoutBody {
  return {
    urn: urn('payout', row.id),
    order_urn: row.order_id ? urn('order', row.order_id) : null,
    agent_urn: row.agent_id ? urn('agent', row.agent_id) : null,
    leg: row.leg,
    state: row.state,
    amount: formatAmount(row.amount_micros),
    to: row.to_address ? getAddress(row.to_address as Address) : null,
    nonce: row.nonce as Hex,
    tx_hash: row.tx_hash as Hex | null,
    reason: row.reason,
    created_at: row.created_at.toISOString(),
    parked_at: row.parked_at?.toISOString() ?? null,
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
  }
}
