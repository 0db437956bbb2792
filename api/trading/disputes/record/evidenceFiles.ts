import type { Selectable } from 'kysely'
import { notFound } from '../../../errors.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { isReviewing } from '../../orders/record/find.ts'

/** A file that a party handed in to a dispute, as stored. */
export type EvidenceFileRow = Selectable<Database['market.evidence_files']>

/** Returns the files that both sides handed in to a dispute, the oldest first. */
export async function filesOf(db: Db | Tx, disputeId: string): Promise<EvidenceFileRow[]> {
  return db.selectFrom('market.evidence_files').selectAll().where('dispute_id', '=', disputeId).orderBy('id').execute()
}

/** Returns a file of a dispute that the agent is a party of. Throws the uniform 404 for anyone else. */
export async function findFile(tx: Tx, agentId: string, fileId: string): Promise<EvidenceFileRow> {
  const found = await readWithOrder(tx, fileId)
  if (!found || !isParty(found, agentId)) throw notFound('evidence')
  return found
}

/**
 * Returns the file of a link, if the account that it was issued to may still read its bytes: as a party, or
 * as the reviewer of the dispute. Throws the uniform 404 otherwise.
 */
export async function findLinkedFile(tx: Tx, account: string, fileId: string): Promise<EvidenceFileRow> {
  const found = await readWithOrder(tx, fileId)
  const mayRead = found && (isParty(found, account) || (await isReviewing(tx, account, found.dispute_id)))
  if (!mayRead) throw notFound('evidence')
  return found
}

async function readWithOrder(tx: Tx, fileId: string) {
  return tx
    .selectFrom('market.evidence_files as file')
    .innerJoin('market.disputes as dispute', 'dispute.id', 'file.dispute_id')
    .innerJoin('market.orders as order', 'order.id', 'dispute.order_id')
    .selectAll('file')
    .select(['order.buyer_id', 'order.seller_id'])
    .where('file.id', '=', fileId)
    .executeTakeFirst()
}

function isParty({ buyer_id, seller_id }: { buyer_id: string; seller_id: string }, agentId: string): boolean {
  return agentId === buyer_id || agentId === seller_id
}
