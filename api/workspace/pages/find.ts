import type { Selectable } from 'kysely'
import { notFound } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Database } from '../../platform/db/schema.ts'
import { mayRead, type Reader } from '../membership.ts'
import { refColumn } from '../shortId.ts'
import { openSpace } from '../spaces/find.ts'
import { namesIn, renderReferences } from './references.ts'

/** A page and an entry as stored. */
export type PageRow = Selectable<Database['market.pages']>
export type EntryRow = Selectable<Database['market.entries']>

/** Where a list begins, and how many it returns. */
interface ListPage {
  from: string | undefined
  limit: number
}

/** Returns a page that a reader sees, by its short id or UUID. Throws the uniform 404. */
export async function findPage(tx: Tx, reader: Reader, ref: string): Promise<PageRow> {
  const row = await selectPage(tx, reader, ref).executeTakeFirst()
  if (row) return row
  throw notFound('page')
}

/**
 * Returns a page and locks it, before a change to it or to what is attached to it. Throws the uniform 404, and 409 for one of
 * an archived space.
 */
export async function lockPage(tx: Tx, reader: Reader, ref: string): Promise<PageRow> {
  const row = await selectPage(tx, reader, ref).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw notFound('page')
  await openSpace(tx, reader, row.space_id)
  return row
}

function selectPage(tx: Tx, reader: Reader, ref: string) {
  const { column, value } = refColumn(ref)
  return tx
    .selectFrom('market.pages')
    .selectAll()
    .where(column, '=', value)
    .where('org_id', '=', reader.orgId)
    .where(mayRead(reader, 'market.pages.space_id'))
}

/** Lists the pages that a reader sees, of the org or of one space, newest first, starting below an id. */
export async function listPageRows(
  tx: Tx,
  reader: Reader,
  spaceId: string | undefined,
  { from, limit }: ListPage,
): Promise<Omit<PageRow, 'text'>[]> {
  let query = tx
    .selectFrom('market.pages')
    .select(['id', 'short_id', 'org_id', 'space_id', 'title', 'created_by', 'created_at', 'updated_at'])
    .where('org_id', '=', reader.orgId)
    .where(mayRead(reader, 'market.pages.space_id'))
  if (spaceId !== undefined) query = query.where('space_id', '=', spaceId)
  if (from !== undefined) query = query.where('id', '<', from)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/** Returns an entry of a page that a reader sees, by its short id or UUID. Throws the uniform 404. */
export async function findEntry(tx: Tx, reader: Reader, ref: string): Promise<EntryRow> {
  const { column, value } = refColumn(ref)
  const row = await tx
    .selectFrom('market.entries as entry')
    .innerJoin('market.pages as page', 'page.id', 'entry.page_id')
    .selectAll('entry')
    .where(`entry.${column}`, '=', value)
    .where('entry.org_id', '=', reader.orgId)
    .where(mayRead(reader, 'page.space_id'))
    .executeTakeFirst()
  if (row) return row
  throw notFound('entry')
}

/** Lists the entries of a page, newest first, starting below an id. */
export async function listEntryRows(tx: Tx, pageId: string, { from, limit }: ListPage): Promise<EntryRow[]> {
  let query = tx.selectFrom('market.entries').selectAll().where('page_id', '=', pageId)
  if (from !== undefined) query = query.where('id', '<', from)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/** Returns a page in its wire form, with its text as readers see it. */
export async function toPage(tx: Tx, row: PageRow) {
  const names = namesIn(row.text)
  const present =
    names.length === 0
      ? []
      : await tx
          .selectFrom('market.attachments')
          .select('filename')
          .where('page_id', '=', row.id)
          .where('filename', 'in', names)
          .where('trashed_at', 'is', null)
          .execute()
  const rendered = renderReferences(row.text, new Set(present.map(({ filename }) => filename)))
  return { ...toPageItem(row), text: row.text, rendered_text: rendered }
}

/** Returns a page as lists show it. */
export function toPageItem({ id, short_id, space_id, title, created_by, ...row }: Omit<PageRow, 'text'>) {
  const times = { created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }
  return { id, short_id, space_id, title, created_by, ...times }
}

/** Returns an entry in its wire form. */
export function toEntry({ id, short_id, page_id, text, created_by, created_at }: EntryRow) {
  return { id, short_id, page_id, text, created_by, created_at: created_at.toISOString() }
}
