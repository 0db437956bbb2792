import { type Selectable, sql } from 'kysely'
import { accountUrn } from '../../../actor.ts'
import type { Actor } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { requireMember } from '../../membership.ts'

/** An upload as stored. The store knows how many of its bytes have arrived. */
export type UploadRow = Selectable<Database['market.uploads']>

/**
 * Returns an upload of an account, given by its URN. Throws the uniform 404, also for one whose time is over.
 */
export async function findUpload(db: Db | Tx, createdBy: string, id: string): Promise<UploadRow> {
  const row = await db
    .selectFrom('market.uploads')
    .selectAll()
    .where('id', '=', id)
    .where('created_by', '=', createdBy)
    .where('is_direct', '=', false)
    .where('expires_at', '>', sql<Date>`market.now()`)
    .executeTakeFirst()
  if (row) return row
  throw notFound('upload')
}

/**
 * Throws the uniform 404 unless the caller has this upload and is in its org, and 403 for an agent that the
 * org has shut out: we accept no further part from them.
 */
export async function requireUploader(db: Db, actor: Actor, id: string): Promise<void> {
  const { org_id: orgId } = await findUpload(db, accountUrn(actor), id)
  const { slug } = await db.selectFrom('market.orgs').select('slug').where('id', '=', orgId).executeTakeFirstOrThrow()
  await requireMember(db, actor, slug)
}
