import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'
import { findOrderId, lockOrderRow, type OrderRow } from './queries.ts'

/**
 * Whose payment carries the nonce of an order. `unknown`: no known account's; the buyer may still file it by
 * presenting the authorization.
 */
export type PayerAttribution = 'buyer' | 'unknown' | 'stranger'

/** The token's identity of a payment: it accepts each pair once. */
export interface PaymentIdentity {
  payer: string
  nonce: string
}

/**
 * The purpose of a payment: the agent that must pay, called the buyer here, and the record that its
 * authorizations are filed for.
 */
export interface PaidFor {
  agentId: string
  filed: { order_id: string } | { appeal_fee_id: string }
}

/** Returns an order as the purpose of a payment. */
export function paidForOrder({ id, buyer_id: agentId }: OrderRow): PaidFor {
  return { agentId, filed: { order_id: id } }
}

/**
 * Returns who made a payment. It is the buyer's if its authorization is on file for this purpose, or if its
 * payer is a wallet of the buyer's owner. Anyone can copy a nonce, so a payment from an unknown wallet stays
 * unknown until the buyer presents the wallet's signature. It is a stranger's once another authorization is
 * on file or the buyer has verified a wallet.
 */
export async function attributePayer(
  tx: Tx,
  { agentId, filed }: PaidFor,
  payment: PaymentIdentity,
): Promise<PayerAttribution> {
  const isFiled = 'order_id' in filed ? sql`order_id = ${filed.order_id}` : sql`appeal_fee_id = ${filed.appeal_fee_id}`
  const { rows } = await sql<{ is_on_file: boolean; has_filed: boolean; has_wallets: boolean; owned_by: Ownership }>`
    select
      exists (select from market.authorizations
        where ${isFiled} and payer = ${payment.payer} and nonce = ${payment.nonce}) as is_on_file,
      exists (select from market.authorizations where ${isFiled}) as has_filed,
      exists (select from market.wallets where account_id in (agent.id, agent.owner_id)) as has_wallets,
      case owned.owner_id when agent.owner_id then 'buyer' else case when owned is null then 'nobody' else 'other' end end
        as owned_by
    from market.agents agent
    left join market.wallet_owners owned on owned.address = ${payment.payer}
    where agent.id = ${agentId}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`there is no agent ${agentId}`)
  if (row.is_on_file || row.owned_by === 'buyer') return 'buyer'
  return row.owned_by === 'nobody' && !row.has_filed && !row.has_wallets ? 'unknown' : 'stranger'
}

type Ownership = 'buyer' | 'nobody' | 'other'

/**
 * Returns the purpose of a payment, locked: the order that its authorization is on file for, or else the
 * order with its nonce. Undefined for an appeal's fee.
 */
export async function lockPaidFor(tx: Tx, { payer, nonce }: PaymentIdentity): Promise<OrderRow | undefined> {
  const filed = await tx
    .selectFrom('market.authorizations')
    .select('order_id')
    .where('payer', '=', payer)
    .where('nonce', '=', nonce)
    .executeTakeFirst()
  const id = filed ? filed.order_id : await findOrderId(tx, nonce)
  return id ? lockOrderRow(tx, id) : undefined
}

/** Returns whether a payment has arrived and was processed. */
export async function hasArrived(tx: Tx, { payer, nonce }: PaymentIdentity): Promise<boolean> {
  const processed = await tx
    .selectFrom('market.processed_chain_events')
    .select('key')
    .where('key', '=', `payment:${payer}:${nonce}`)
    .executeTakeFirst()
  return processed !== undefined
}
