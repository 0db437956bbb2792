import type { Address } from 'viem'
import type { WalletSight } from '../context/records.ts'
import type { Session } from './session.ts'

/** Nobody has as many wallets. More rows of one owner were added by somebody else, and are not read. */
export const MAX_WALLET_ROWS = 100

/** Queries for the wallets that the facilitator saw bound to owners. */
export function walletSightStore(session: Session) {
  return {
    /**
     * Returns the rows of an owner, oldest first, without the wallets that the database's owner rejected. At
     * most one more than MAX_WALLET_ROWS. They are not verified.
     */
    async walletSights(ownerId: string): Promise<WalletSight[]> {
      const { rows } = await session.query<WalletSightRow>(
        `select ${WALLET_SIGHT} from facilitator.wallet_sights sight
         where sight.owner_id = $1 and not exists (select from facilitator.rejected_wallets rejected
           where rejected.owner_id = sight.owner_id and rejected.wallet = sight.wallet)
         order by sight.id limit $2`,
        [ownerId, MAX_WALLET_ROWS + 1],
      )
      return rows.map(toWalletSight)
    },

    /** Records a sight of a wallet. */
    async recordWalletSight({ ownerId, wallet, from, seenAt, dueAt, signature }: WalletSight): Promise<void> {
      await session.write(
        `insert into facilitator.wallet_sights (owner_id, wallet, from_wallet, seen_at, due_at, signature)
         select $1::uuid, $2, $3, $4::bigint, $5::bigint, $6 where (select is_held from lease)`,
        [ownerId, wallet, from, seenAt, dueAt, signature],
        'insert into facilitator.wallet_sights',
      )
    },
  }
}

/** The columns of a row. */
export const WALLET_SIGHT = 'owner_id, wallet, from_wallet, seen_at, due_at, signature'

/** Returns a row as a sight. */
export function toWalletSight(row: WalletSightRow): WalletSight {
  return {
    ...{ ownerId: row.owner_id, wallet: row.wallet, from: row.from_wallet, signature: row.signature },
    ...{ seenAt: BigInt(row.seen_at), dueAt: BigInt(row.due_at) },
  }
}

export interface WalletSightRow {
  owner_id: string
  wallet: Address
  from_wallet: Address | null
  seen_at: string
  due_at: string
  signature: WalletSight['signature']
}
