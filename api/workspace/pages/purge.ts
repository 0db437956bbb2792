import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { actOnDue } from '../../platform/jobs/due.ts'
import type { JobServices } from '../../platform/jobs/services.ts'

/**
 * Removes the pages whose time in the trash is over. The attachments of a page go first, by the job that
 * counts the storage of files: the page itself is removed in a later run.
 */
export async function purgePages(services: JobServices): Promise<void> {
  const find = (passedOver: readonly string[], limit: number) =>
    services.db
      .selectFrom('market.pages')
      .select('id')
      .where('purge_at', '<=', sql<Date>`market.now()`)
      .$if(passedOver.length > 0, (query) => query.where('id', 'not in', passedOver))
      .orderBy('purge_at')
      .limit(limit)
      .execute()
  await actOnDue(services, 'purge of pages', find, purgePage)
}

/** Returns false if files are attached to the page, because they must go first. */
async function purgePage(tx: Tx, pageId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('market.attachments')
    .set({
      trashed_at: sql<Date>`coalesce(trashed_at, market.now())`,
      purge_at: sql<Date>`least(purge_at, market.now())`,
    })
    .where('page_id', '=', pageId)
    .where(({ exists, selectFrom }) => exists(selectFrom('market.pages').select('id').where(isDue(pageId))))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return false
  const page = await tx.deleteFrom('market.pages').where(isDue(pageId)).returning('org_id').executeTakeFirst()
  if (!page) return true
  const subject = urnString('org', page.org_id)
  await audit(tx, { actor: 'service', action: 'page.purge', subject, details: { page_id: pageId } })
  return true
}

function isDue(pageId: string) {
  return sql<boolean>`market.pages.id = ${pageId} and market.pages.purge_at <= market.now()`
}
