import type { Selectable } from 'kysely'
import { notFound } from '../../../errors.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { lockPage, type PageRow } from '../find.ts'
import { lockTree } from '../tree.ts'
import { writePage } from '../write.ts'
import { requireCurrent } from './etag.ts'
import { diffTexts } from './merge.ts'
import { renameLinks } from './rename.ts'

type VersionRow = Selectable<Database['market.page_versions']>
type VersionItem = Omit<VersionRow, 'text' | 'org_id'>

/** Returns a version of a page. Throws the uniform 404. */
export async function findVersion(tx: Tx, pageId: string, number: number): Promise<VersionRow> {
  const row = await tx
    .selectFrom('market.page_versions')
    .selectAll()
    .where('page_id', '=', pageId)
    .where('number', '=', number)
    .executeTakeFirst()
  if (row) return row
  throw notFound('version')
}

/** Lists the versions of a page, newest first, starting below a number. The id is the number. */
export async function listVersionRows(
  tx: Tx,
  pageId: string,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<(VersionItem & { id: string })[]> {
  let query = tx
    .selectFrom('market.page_versions')
    .select(['page_id', 'number', 'title', 'created_by', 'created_at'])
    .where('page_id', '=', pageId)
  if (from !== undefined) query = query.where('number', '<', Number(from))
  const rows = await query.orderBy('number', 'desc').limit(limit).execute()
  return rows.map((row) => ({ ...row, id: String(row.number) }))
}

/**
 * Restores a version as the page's next one, and writes its title into the pages that refer to the present
 * title. Throws the uniform 404, and 412 unless If-Match has the page's version.
 */
export async function restorePageVersion(
  tx: Tx,
  member: Member,
  { ref, number, ifMatch }: { ref: string; number: number; ifMatch: string | undefined },
): Promise<PageRow> {
  await lockTree(tx, member.orgId)
  const page = await lockPage(tx, member, ref)
  requireCurrent(ifMatch, page.version)
  const { title, text } = await findVersion(tx, page.id, number)
  const written = await writePage(tx, member, page, { title, text })
  return title === page.title ? written : renameLinks(tx, member, page, written)
}

/**
 * Returns the changes from one version of a page to another; by default from the version before. Throws the
 * uniform 404.
 */
export async function diffVersions(tx: Tx, pageId: string, to: number, from = to - 1) {
  const after = await findVersion(tx, pageId, to)
  const before = from === 0 ? { title: '', text: '' } : await findVersion(tx, pageId, from)
  return {
    ...{ from, to, old_title: before.title, new_title: after.title },
    hunks: diffTexts(before.text, after.text),
  }
}

/** Returns a version as lists show it. */
export function toVersionItem({ number, title, created_by, created_at }: VersionItem) {
  return { number, title, created_by, created_at: created_at.toISOString() }
}
