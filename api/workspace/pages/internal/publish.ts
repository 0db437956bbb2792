import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { lockPage, type PageRow } from '../find.ts'
import { pageEvents } from '../module.ts'
import { requireCurrent } from './etag.ts'

/**
 * Publishes the current version of a page; does nothing if it is published already. Throws the uniform 404,
 * and 412 unless If-Match has that version.
 */
export async function publishPage(
  tx: Tx,
  member: Member,
  { ref, ifMatch }: { ref: string; ifMatch: string | undefined },
): Promise<PageRow> {
  const page = await lockPage(tx, member, ref)
  const { version } = page
  requireCurrent(ifMatch, version)
  if (page.published_version === version) return page
  const published = await tx
    .updateTable('market.pages')
    .set({ published_version: version, published_at: sql<Date>`market.now()` })
    .where('id', '=', page.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = { entity: page, spaceId: page.space_id, data: { version } }
  await recordChange(tx, member.orgId, member, { type: pageEvents['page.published'], ...change })
  return published
}
