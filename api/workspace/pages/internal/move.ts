import { sql } from 'kysely'
import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { invalid } from '../../../platform/http/serve/input.ts'
import type { Member } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { openSpace } from '../../spaces/find.ts'
import { findPage, idForEvent, lockPage, type PageRow } from '../find.ts'
import { pageEvents } from '../module.ts'
import { pageProblems } from '../problems.ts'
import { isAmong, lockSubtree, lockTree } from '../tree.ts'
import { requireCurrent } from './etag.ts'

/** The destination of a page: below a page, or at the top of a space. */
export interface Destination {
  /** Short id or UUID; undefined for the page's own space, or that of its new parent. */
  space?: string | undefined
  /** Null for the top of the space. */
  parent?: string | null | undefined
}

/**
 * Moves a page, and the pages below it, below another page or into another space; does nothing if it is there
 * already. References to it still work, because they use its title. Throws the uniform 404, 412 unless
 * If-Match has the page's version, 422 for a place below itself or outside the parent's space, 409 for an
 * archived space.
 */
export async function movePage(
  tx: Tx,
  member: Member,
  { ref, ifMatch }: { ref: string; ifMatch: string | undefined },
  { space, parent }: Destination,
): Promise<PageRow> {
  if (space === undefined && parent === undefined)
    throw invalid('parent', 'say where the page goes: a parent, or a space')
  await lockTree(tx, member.orgId)
  const { id: pageId } = await findPage(tx, member, ref)
  const ids = await lockSubtree(tx, pageId)
  const page = await lockPage(tx, member, pageId)
  requireCurrent(ifMatch, page.version)
  const above = parent == null ? null : await findPage(tx, member, parent)
  const to = await openSpace(tx, member, space ?? above?.space_id ?? page.space_id)
  if (above && above.space_id !== to.id) throw outside('The page above must be in the same space.')
  if (above && ids.includes(above.id)) throw outside('The page would be below itself.')
  if (to.id === page.space_id && (above?.id ?? null) === page.parent_id) return page
  await tx.updateTable('market.pages').set({ space_id: to.id }).where(isAmong(ids)).execute()
  const moved = await tx
    .updateTable('market.pages')
    .set({ parent_id: above?.id ?? null, updated_at: sql<Date>`market.now()` })
    .where('id', '=', page.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const from = await idForEvent(tx, { id: page.space_id, space_id: page.space_id }, to.id)
  const data = { parent_id: moved.parent_id, from_space_id: from, pages: ids.length }
  await recordChange(tx, member.orgId, member, { type: pageEvents['page.moved'], entity: page, spaceId: to.id, data })
  return moved
}

function outside(detail: string): Problem {
  return new Problem(pageProblems.pageTree, { detail, field: 'parent' })
}
