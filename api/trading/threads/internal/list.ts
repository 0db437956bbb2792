import type { Tx } from '../../../platform/db/pool.ts'
import type { MessageRow } from '../insert.ts'

/** Lists a thread's messages after a given one, oldest first. */
export async function listMessages(
  tx: Tx,
  threadId: string,
  page: { from: string | undefined; limit: number },
): Promise<MessageRow[]> {
  let query = tx.selectFrom('market.messages').selectAll().where('thread_id', '=', threadId)
  if (page.from) query = query.where('id', '>', page.from)
  return query.orderBy('id').limit(page.limit).execute()
}
