import { type Address, getAddress, type Hex } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urn } from '../../../../protocol/encoding/urn.ts'
import { accountColumn, accountOf } from '../../../actor.ts'
import type { Actor } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { PayoutBody } from '../routes.ts'
import type { PayoutState } from '../states.ts'
import type { PayoutRow } from '../transition.ts'

/** Returns payouts to an agent, or to a human and all their agents, newest first, below a cursor id. */
export async function listPayoutRows(
  tx: Tx,
  actor: Actor,
  page: { from: string | undefined; limit: number },
): Promise<PayoutRow[]> {
  let query = tx
    .selectFrom('market.payouts')
    .selectAll()
    .where(accountColumn(actor), '=', accountOf(actor))
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.from) query = query.where('id', '<', page.from)
  return query.execute()
}

/** Lists the payouts of every owner, or those in one state, newest first, below a cursor id. */
export async function listAllPayoutRows(
  tx: Tx,
  { state, from, limit }: { state: PayoutState | undefined; from: string | undefined; limit: number },
): Promise<PayoutRow[]> {
  let query = tx.selectFrom('market.payouts').selectAll().orderBy('id', 'desc').limit(limit)
  if (state) query = query.where('state', '=', state)
  if (from) query = query.where('id', '<', from)
  return query.execute()
}

/** Returns one payout to an agent, or to a human or any of their agents. Throws 404 for any other. */
export async function findPayout(tx: Tx, actor: Actor, payoutId: string): Promise<PayoutRow> {
  return tx
    .selectFrom('market.payouts')
    .selectAll()
    .where('id', '=', payoutId)
    .where(accountColumn(actor), '=', accountOf(actor))
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

/** Returns a payout in wire form, with its owner. */
export function toOwnedPayout(row: PayoutRow) {
  return { ...toPayout(row), owner_urn: row.human_id ? urn('human', row.human_id) : null }
}
