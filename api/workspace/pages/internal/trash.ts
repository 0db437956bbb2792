import { sql } from 'kysely'
import type { MarketRules } from '../../../context.ts'
import { notFound, Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Member, mayRead } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { refColumn } from '../../schemas.ts'
import { openSpace } from '../../spaces/find.ts'
import { findPage, lockPage, type PageRow } from '../find.ts'
import { pageEvents } from '../module.ts'
import { pageProblems } from '../problems.ts'
import { isAmong, lockSubtree, lockTree } from '../tree.ts'
import { requireCurrent } from './etag.ts'

/**
 * Puts a page and the pages below it in the trash for rules.trashDays. Throws the uniform 404, also for a
 * page that is in the trash, and 412 unless If-Match has the page's version.
 */
export async function trashPage(
  tx: Tx,
  { trashDays }: MarketRules,
  member: Member,
  { ref, ifMatch }: { ref: string; ifMatch: string | undefined },
): Promise<PageRow> {
  await lockTree(tx, member.orgId)
  const { id: pageId } = await findPage(tx, member, ref)
  const ids = await lockSubtree(tx, pageId)
  const { id, version } = await lockPage(tx, member, pageId)
  requireCurrent(ifMatch, version)
  const trashed = await tx
    .updateTable('market.pages')
    .set({
      trashed_at: sql<Date>`market.now()`,
      purge_at: sql<Date>`market.now() + make_interval(days => ${trashDays})`,
      trashed_with: id,
    })
    .where(isAmong(ids))
    .returningAll()
    .execute()
  return recordAll(tx, member, id, trashed, 'page.deleted')
}

/**
 * Restores a page from the trash, with the pages that were trashed with it. If the page above it is in the
 * trash or now in another space, it is restored at the top of its space. Throws the uniform 404, and 409 if
 * it is not in the trash or was trashed with a page above it.
 */
export async function restorePage(tx: Tx, member: Member, ref: string): Promise<PageRow> {
  await lockTree(tx, member.orgId)
  const { column, value } = refColumn(ref)
  const page = await tx
    .selectFrom('market.pages')
    .selectAll()
    .where(column, '=', value)
    .where('org_id', '=', member.orgId)
    .where(mayRead(member, 'market.pages.space_id'))
    .executeTakeFirst()
  if (!page) throw notFound('page')
  await openSpace(tx, member, page.space_id)
  const restored = await tx
    .updateTable('market.pages')
    .set({
      ...{ trashed_at: null, purge_at: null, trashed_with: null },
      parent_id: sql<string | null>`(select above.id from market.pages above where above.id = market.pages.parent_id
        and above.space_id = market.pages.space_id
        and (above.trashed_at is null or above.trashed_with = ${page.id}))`,
    })
    .where('trashed_with', '=', page.id)
    .where('purge_at', '>', sql<Date>`market.now()`)
    .returningAll()
    .execute()
  if (restored.length === 0) {
    throw new Problem(pageProblems.pageNotTrashed, {
      detail: 'The page is not in the trash, went there with the page above it, or its time there is over.',
    })
  }
  return recordAll(tx, member, page.id, restored, 'page.restored')
}

async function recordAll(
  tx: Tx,
  member: Member,
  id: string,
  pages: readonly PageRow[],
  type: keyof typeof pageEvents,
): Promise<PageRow> {
  for (const page of pages) {
    const change = { entity: page, spaceId: page.space_id, data: { with: id } }
    await recordChange(tx, member.orgId, member, { type: pageEvents[type], ...change })
  }
  const page = pages.find((one) => one.id === id)
  if (page) return page
  throw new Error('a page was lost in the transaction that locked it')
}
