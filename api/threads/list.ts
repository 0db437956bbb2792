import type { Tx } from '../db/pool.ts'
import type { MessageRow } from './insert.ts'

/** A thread's messages after one of them, oldest first. */
export async function listMessages(
  tx: Tx,
  threadId: string,
  page: { from: string | undefined; limit: number },
): Promise<MessageRow[]> {
  let query = tx.selectFrom('market.messages').selectAll().where('thread_id', '=', threadId)
  if (page.from) query = query.where('id', '>', page.from)
  return query.orderBy('id').limit(page.limit).execute()
}
