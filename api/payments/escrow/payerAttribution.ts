import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'
import type { Payable } from './payable.ts'
import { findPayableId, lockPayable } from './queries.ts'

/**
 * Whose payment carries the nonce of a payable. `unclaimed`: no known account's; the buyer may still claim it by
 * presenting the authorization.
 */
export type PayerAttribution = 'buyer' | 'unclaimed' | 'stranger'

/** The token's identity of a payment: it accepts each pair once. */
export interface PaymentIdentity {
  payer: string
  nonce: string
}

/**
 * Returns whose a payment is. It is the buyer's if its authorization is on file for the payable, or its payer is a
 * wallet of the buyer's owner. Anyone can copy a nonce, so a payment from an unknown wallet stays unclaimed until the
 * buyer presents what the wallet signed; it is a stranger's once another authorization is on file or the buyer has
 * verified a wallet.
 */
export async function attributePayer(tx: Tx, payable: Payable, payment: PaymentIdentity): Promise<PayerAttribution> {
  const { rows } = await sql<{ is_on_file: boolean; has_filed: boolean; has_wallets: boolean; owned_by: Ownership }>`
    select
      exists (select from market.authorizations
        where order_id = ${payable.id} and payer = ${payment.payer} and nonce = ${payment.nonce}) as is_on_file,
      exists (select from market.authorizations where order_id = ${payable.id}) as has_filed,
      exists (select from market.wallets where account_id in (agent.id, agent.owner_id)) as has_wallets,
      case owned.owner_id when agent.owner_id then 'buyer' else case when owned is null then 'nobody' else 'other' end end
        as owned_by
    from market.agents agent
    left join market.wallet_owners owned on owned.address = ${payment.payer}
    where agent.id = ${payable.buyerId}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`payable ${payable.id} has no buyer`)
  if (row.is_on_file || row.owned_by === 'buyer') return 'buyer'
  return row.owned_by === 'nobody' && !row.has_filed && !row.has_wallets ? 'unclaimed' : 'stranger'
}

type Ownership = 'buyer' | 'nobody' | 'other'

/**
 * Returns what a payment is for, locked: the payable that its authorization is on file for, or else the one with its
 * nonce.
 */
export async function lockPaidFor(tx: Tx, { payer, nonce }: PaymentIdentity): Promise<Payable | undefined> {
  const filed = await tx
    .selectFrom('market.authorizations')
    .select('order_id')
    .where('payer', '=', payer)
    .where('nonce', '=', nonce)
    .executeTakeFirst()
  const id = filed?.order_id ?? (await findPayableId(tx, nonce))
  return id === undefined ? undefined : lockPayable(tx, id)
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
