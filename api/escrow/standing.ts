import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import { lockOrderRow, type OrderRow } from '../orders/find.ts'

/**
 * Whose a payment is that carries what an order's payer signs. `unclaimed`: nobody has yet said so, and its buyer still
 * may, by presenting the authorization.
 */
export type PayerStanding = 'buyer' | 'unclaimed' | 'stranger'

/** A payment as the token names it. */
export interface PaymentIdentity {
  payer: string
  nonce: string
}

/**
 * A payment is its order's when its authorization is on file for it, or its payer is a wallet of the buyer's owner.
 * Anybody may copy an order's nonce, so a wallet we know nothing of counts only once the buyer presents what it signed:
 * it can wait for that while no authorization is on file and the buyer has verified no wallet.
 */
export async function payerStanding(tx: Tx, order: OrderRow, payment: PaymentIdentity): Promise<PayerStanding> {
  const { rows } = await sql<{ is_on_file: boolean; has_filed: boolean; has_wallets: boolean; owned_by: Ownership }>`
    select
      exists (select from market.authorizations
        where order_id = ${order.id} and payer = ${payment.payer} and nonce = ${payment.nonce}) as is_on_file,
      exists (select from market.authorizations where order_id = ${order.id}) as has_filed,
      exists (select from market.wallets where account_id in (agent.id, agent.owner_id)) as has_wallets,
      case owned.owner_id when agent.owner_id then 'buyer' else case when owned is null then 'nobody' else 'other' end end
        as owned_by
    from market.agents agent
    left join market.wallet_owners owned on owned.address = ${payment.payer}
    where agent.id = ${order.buyer_id}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`order ${order.id} has no buyer`)
  if (row.is_on_file || row.owned_by === 'buyer') return 'buyer'
  return row.owned_by === 'nobody' && !row.has_filed && !row.has_wallets ? 'unclaimed' : 'stranger'
}

type Ownership = 'buyer' | 'nobody' | 'other'

/** The order that claimed a payment when its authorization was presented, or else the one its nonce names. Locked. */
export async function orderOfPayment(tx: Tx, { payer, nonce }: PaymentIdentity): Promise<OrderRow | undefined> {
  const claimed = await tx
    .selectFrom('market.authorizations')
    .select('order_id as id')
    .where('payer', '=', payer)
    .where('nonce', '=', nonce)
    .executeTakeFirst()
  const named =
    claimed ?? (await tx.selectFrom('market.orders').select('id').where('nonce', '=', nonce).executeTakeFirst())
  return named && lockOrderRow(tx, named.id)
}

/** Whether a payment has reached us, and all that follows from it was done. */
export async function hasArrived(tx: Tx, { payer, nonce }: PaymentIdentity): Promise<boolean> {
  const settled = await tx
    .selectFrom('market.settled_events')
    .select('key')
    .where('key', '=', `payment:${payer}:${nonce}`)
    .executeTakeFirst()
  return settled !== undefined
}
