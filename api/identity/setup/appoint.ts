import { urnString } from '../../../protocol/encoding/urn.ts'
import { audit } from '../../platform/audit/audit.ts'
import { openOwnerPool } from '../../platform/db/searchPath.ts'

/**
 * Makes a human an operator and, if requested, a reviewer of disputes. No API call can do this: it needs the
 * database's owner. Throws an Error for a human who does not exist or was erased.
 */
export async function appointOperator(
  databaseUrl: string,
  humanId: string,
  { isReviewer }: { isReviewer: boolean },
): Promise<void> {
  const db = await openOwnerPool(databaseUrl)
  try {
    await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('market.humans')
        .set({ role: 'operator', ...(isReviewer ? { is_reviewer: true } : {}) })
        .where('id', '=', humanId)
        .where('erased_at', 'is', null)
        .returning('id')
        .executeTakeFirstOrThrow(() => new Error('there is no such human'))
      const details = { is_reviewer: isReviewer }
      await audit(tx, { actor: 'service', action: 'operator.add', subject: urnString('human', humanId), details })
    })
  } finally {
    await db.destroy()
  }
}

/**
 * Makes an operator a member again, from the next call on, also in sessions and tokens that exist. Others
 * decide the cases that they reviewed and did not decide. Needs the database's owner, as above. Throws an
 * Error for somebody who is no operator.
 */
export async function dismissOperator(databaseUrl: string, humanId: string): Promise<void> {
  const db = await openOwnerPool(databaseUrl)
  try {
    await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('market.humans')
        .set({ role: 'member', is_reviewer: false })
        .where('id', '=', humanId)
        .where('role', '=', 'operator')
        .returning('id')
        .executeTakeFirstOrThrow(() => new Error('there is no such operator'))
      await audit(tx, { actor: 'service', action: 'operator.remove', subject: urnString('human', humanId) })
    })
  } finally {
    await db.destroy()
  }
}
