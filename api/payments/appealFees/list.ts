import type { Hex } from 'viem'
import { appealKey } from '../../../protocol/payments/nonces.ts'
import type { Tx } from '../../platform/db/pool.ts'

/** Returns the keys of the appeals whose fee was paid, in the order in which they were offered, after one of them. */
export async function listAppealKeys(
  tx: Tx,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<{ id: string; appeal: Hex }[]> {
  const fees = await tx
    .selectFrom('market.appeal_fees')
    .select(['id', 'dispute_id', 'agent_id'])
    .where('payer', 'is not', null)
    .$if(from !== undefined, (query) => query.where('id', '>', from ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute()
  return fees.map(({ id, dispute_id: disputeId, agent_id: appellantId }) => ({
    id,
    appeal: appealKey({ disputeId, appellantId }),
  }))
}
