import { urnString } from '../../../protocol/encoding/urn.ts'
import { audit } from '../../platform/audit/audit.ts'
import { openOwnerPool } from '../../platform/db/searchPath.ts'
import { inTransaction } from '../../platform/db/transaction.ts'

/**
 * Has the facilitator skip a wallet that does not belong to the account that it was bound to, so that the
 * owner's other wallets prove payouts again. Only the database's owner can do this. Returns whether the
 * facilitator had seen the wallet.
 */
export async function rejectWallet(databaseUrl: string, ownerId: string, address: string): Promise<boolean> {
  const db = await openOwnerPool(databaseUrl)
  const rejected = { owner_id: ownerId, wallet: address.toLowerCase() }
  try {
    return await inTransaction(db, 'read write', async (tx) => {
      const seen = tx.selectFrom('facilitator.wallet_sights').select('id').limit(1)
      const isSeen = await seen.where('owner_id', '=', ownerId).where('wallet', '=', rejected.wallet).executeTakeFirst()
      const added = await tx
        .insertInto('facilitator.rejected_wallets')
        .values(rejected)
        .onConflict((conflict) => conflict.doNothing())
        .returning('wallet')
        .executeTakeFirst()
      const entry = { actor: 'service', action: 'wallet.reject', subject: urnString('human', ownerId) }
      if (added) await audit(tx, { ...entry, details: { address } })
      return isSeen !== undefined
    })
  } finally {
    await db.destroy()
  }
}
