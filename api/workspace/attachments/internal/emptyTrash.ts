import type { Selectable } from 'kysely'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Member, requireAdmin } from '../../membership.ts'
import { pageEvents } from '../../pages/module.ts'
import { lockTree } from '../../pages/tree.ts'
import { recordChange } from '../../recordChange.ts'
import { attachmentEvents } from '../module.ts'
import { lockStorage } from '../storage.ts'
import { isHeld, removeAttachments } from './remove.ts'

// The most attachments, and the most pages, that one transaction removes.
const AT_ONCE = 200

/** How many things were removed from the trash, and whether more are left. */
export interface Emptied {
  attachments: number
  pages: number
  hasMore: boolean
}

/**
 * Empties the trash of an org for good, with the files on its pages, and gives back their storage. Things in
 * an archived space stay, and so do files of a task whose order runs, with their pages. Throws 403 unless the
 * caller is an owner or admin of the org.
 */
export async function emptyTrash(tx: Tx, member: Member): Promise<Emptied> {
  requireAdmin(member)
  await lockTree(tx, member.orgId)
  await lockStorage(tx, member.orgId)
  const found = await lockTrashed(tx, member.orgId)
  const ids = found.map(({ id }) => id)
  const removed = await removeAttachments(tx, member.orgId, ids)
  for (const { page_id, space_id, ...entity } of found.filter(({ id }) => removed.has(id))) {
    const change = { entity, spaceId: space_id, data: { page_id } }
    await recordChange(tx, member.orgId, member, { type: attachmentEvents['attachment.purged'], ...change })
  }
  const pages = await removePages(tx, member.orgId)
  for (const page of pages) {
    const change = { entity: page, spaceId: page.space_id }
    await recordChange(tx, member.orgId, member, { type: pageEvents['page.purged'], ...change })
  }
  const hasMore = found.length === AT_ONCE || pages.length === AT_ONCE
  return { attachments: removed.size, pages: pages.length, hasMore }
}

function lockTrashed(tx: Tx, orgId: string) {
  return tx
    .selectFrom('market.attachments as attachment')
    .innerJoin('market.pages as page', 'page.id', 'attachment.page_id')
    .innerJoin('market.spaces as space', 'space.id', 'page.space_id')
    .select(['attachment.id', 'attachment.short_id', 'attachment.page_id', 'page.space_id'])
    .where('attachment.org_id', '=', orgId)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('attachment.trashed_at', 'is not', null),
        eb(
          'attachment.page_id',
          'in',
          selectFrom('market.pages').select('id').where('org_id', '=', orgId).where('trashed_at', 'is not', null),
        ),
      ]),
    )
    .where('space.archived_at', 'is', null)
    .where(({ not }) => not(isHeld('attachment.id')))
    .orderBy('attachment.id')
    .limit(AT_ONCE)
    .forUpdate('attachment')
    .execute()
}

type PageRow = Selectable<Database['market.pages']>

async function removePages(tx: Tx, orgId: string): Promise<Pick<PageRow, 'id' | 'short_id' | 'space_id'>[]> {
  return tx
    .deleteFrom('market.pages')
    .where('id', 'in', (query) =>
      query
        .selectFrom('market.pages as page')
        .innerJoin('market.spaces as space', 'space.id', 'page.space_id')
        .select('page.id')
        .where('page.org_id', '=', orgId)
        .where('page.trashed_at', 'is not', null)
        .where('space.archived_at', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('market.attachments').select('id').whereRef('page_id', '=', 'page.id'))),
        )
        .orderBy('page.id')
        .limit(AT_ONCE),
    )
    .where('trashed_at', 'is not', null)
    .returning(['id', 'short_id', 'space_id'])
    .execute()
}
