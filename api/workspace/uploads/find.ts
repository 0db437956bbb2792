import { type Selectable, sql } from 'kysely'
import { notFound } from '../../errors.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import type { Database } from '../../platform/db/schema.ts'

/** An upload as stored. How much of it has arrived is what the store says. */
export type UploadRow = Selectable<Database['market.uploads']>

/** Returns an upload of an account, given by its URN. Throws the uniform 404, also for one whose time is over. */
export async function findUpload(db: Db | Tx, createdBy: string, id: string): Promise<UploadRow> {
  const row = await db
    .selectFrom('market.uploads')
    .selectAll()
    .where('id', '=', id)
    .where('created_by', '=', createdBy)
    .where('expires_at', '>', sql<Date>`market.now()`)
    .executeTakeFirst()
  if (row) return row
  throw notFound('upload')
}
