import { sql } from 'kysely'
import type { Address } from 'viem'
import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/** The paying wallet, the buyer it pays for, and the request field that names it. */
export interface PayerClaim {
  buyerId: string
  from: Address
  field: string
  /** True if the wallet must be verified even for a buyer who has verified none. */
  mustBeVerified: boolean
}

/**
 * Throws unless this wallet may pay for the buyer: the buyer or its owner has verified it, or, if they have verified
 * none, it belongs to no account. A wallet of another owner is a 409.
 */
export async function requirePayer(tx: Tx, claim: PayerClaim): Promise<void> {
  const standing = await readStanding(tx, claim)
  if (standing.is_strangers) throw payerConflict(claim.field)
  if (standing.is_verified) return
  if (!standing.has_wallets && !standing.is_owned && !claim.mustBeVerified) return
  throw new Problem('orders/payer-wallet-required', {
    detail:
      `${claim.from} is not a verified wallet of the buyer or its owner. ` +
      'Verify it with POST /v1/me/wallets, or pay from one that is.',
    field: claim.field,
  })
}

interface Standing {
  has_wallets: boolean
  is_verified: boolean
  is_owned: boolean
  is_strangers: boolean
}

async function readStanding(tx: Tx, { buyerId, from }: PayerClaim): Promise<Standing> {
  const address = from.toLowerCase()
  const { rows } = await sql<Standing>`
    select count(wallet.id) > 0 as has_wallets,
      coalesce(bool_or(wallet.address = ${address}), false) as is_verified,
      owned.owner_id is not null as is_owned,
      coalesce(owned.owner_id <> agent.owner_id, false) as is_strangers
    from market.agents agent
    left join market.wallet_owners owned on owned.address = ${address}
    left join market.wallets wallet on wallet.account_id in (agent.id, agent.owner_id)
    where agent.id = ${buyerId}
    group by agent.owner_id, owned.owner_id`.execute(tx)
  const [standing] = rows
  if (!standing) throw new Error(`agent ${buyerId} has an order and no row`)
  return standing
}

/** The 409 for a wallet or a payment of another account. */
export function payerConflict(field: string): Problem {
  return new Problem('orders/payer-conflict', {
    detail: 'This wallet, or this very payment, belongs to another account or order.',
    field,
  })
}
