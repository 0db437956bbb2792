import { type Selectable, sql } from 'kysely'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import { anyOf } from '../../platform/db/lists.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { isTaskSeller, mayRead, type Reader, type TaskSeller } from '../membership.ts'
import { refColumn } from '../schemas.ts'
import { openSpace } from '../spaces/find.ts'
import { ledNames, namesIn, renderReferences } from './references.ts'

/** A page and an entry as stored. */
export type PageRow = Selectable<Database['market.pages']>
export type EntryRow = Selectable<Database['market.entries']>

/** The position where a list begins, and how many items it returns. */
interface ListPage {
  from: string | undefined
  limit: number
}

/** Returns a page that a reader sees, by its short id or UUID. Throws the uniform 404. */
export async function findPage(tx: Db | Tx, reader: Reader, ref: string): Promise<PageRow> {
  const row = await selectPage(tx, reader, ref).executeTakeFirst()
  if (row) return row
  throw notFound('page')
}

/**
 * Returns a page and locks it, before a change to it or to its attachments. Throws the uniform 404, and 409
 * for a page in an archived space.
 */
export async function lockPage(tx: Tx, reader: Reader, ref: string): Promise<PageRow> {
  const row = await selectPage(tx, reader, ref).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw notFound('page')
  await openSpace(tx, reader, row.space_id)
  return row
}

function selectPage(tx: Db | Tx, reader: Reader, ref: string) {
  const { column, value } = refColumn(ref)
  return tx
    .selectFrom('market.pages')
    .selectAll()
    .where(column, '=', value)
    .where('org_id', '=', reader.orgId)
    .where('trashed_at', 'is', null)
    .where(mayRead(reader, 'market.pages.space_id'))
}

/** Which pages a list has: those of a space, below a page, or in the trash. */
export interface PageFilter {
  spaceId: string | undefined
  /** Null for pages that are below no other page. */
  parentId: string | null | undefined
  isTrash: boolean
}

/** A page of a list, with its former titles. */
type ListedRow = Omit<PageRow, 'text'> & { former_titles: { title: string; until: string }[] }

/** Lists the pages that a reader sees, newest first, starting below an id. */
export async function listPageRows(
  tx: Tx,
  reader: Reader,
  { spaceId, parentId, isTrash }: PageFilter,
  { from, limit }: ListPage,
): Promise<ListedRow[]> {
  let query = tx
    .selectFrom('market.pages')
    .select(['id', 'short_id', 'org_id', 'space_id', 'parent_id', 'title', 'version', 'published_version'])
    .select([
      'published_at',
      'created_by',
      'created_at',
      'updated_at',
      'trashed_at',
      'purge_at',
      'trashed_with',
      'import_id',
    ])
    .select(formerTitles.as('former_titles'))
    .where('org_id', '=', reader.orgId)
    .where('trashed_at', isTrash ? 'is not' : 'is', null)
    .where(mayRead(reader, 'market.pages.space_id'))
  if (spaceId !== undefined) query = query.where('space_id', '=', spaceId)
  if (parentId !== undefined) query = query.where('parent_id', parentId === null ? 'is' : '=', parentId)
  if (from !== undefined) query = query.where('id', '<', from)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

const formerTitles = sql<ListedRow['former_titles']>`(
  select coalesce(jsonb_agg(jsonb_build_object('title', title, 'until', until) order by until desc), '[]')
  from (select title, until from market.page_aliases where page_id = market.pages.id order by until desc limit 20) newest)`

/** Returns an entry of a page that a reader sees, by its short id or UUID. Throws the uniform 404. */
export async function findEntry(tx: Db | Tx, reader: Reader, ref: string): Promise<EntryRow> {
  const { column, value } = refColumn(ref)
  const row = await tx
    .selectFrom('market.entries as entry')
    .innerJoin('market.pages as page', 'page.id', 'entry.page_id')
    .selectAll('entry')
    .where(`entry.${column}`, '=', value)
    .where('entry.org_id', '=', reader.orgId)
    .where('page.trashed_at', 'is', null)
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

/** Returns a page in its wire form, with its text as a reader sees it. */
export async function toPage(tx: Tx, reader: Reader, row: PageRow) {
  const names = namesIn(row.text)
  const files = await findFileNames(tx, row.id, names)
  const pages = await findNamedPages(tx, reader, names)
  const present = new Set([...files, ...pages.map(({ name }) => name)])
  const led = ledNames(row.text, present)
  return {
    ...toPageItem(row),
    text: row.text,
    rendered_text: renderReferences(row.text, present),
    references: pages.filter(({ name }) => led.has(name) && !files.has(name)),
  }
}

/**
 * Returns the names in the text of a page that begin with a title and a #, and lead to a page or file of
 * their own.
 */
export async function longerNames(tx: Tx, reader: Reader, page: PageRow, title: string): Promise<ReadonlySet<string>> {
  const longer = namesIn(page.text).filter((name) => name.startsWith(title) && name.includes('#', title.length))
  if (longer.length === 0) return new Set()
  const pages = await findNamedPages(tx, reader, longer)
  return new Set([...(await findFileNames(tx, page.id, longer)), ...pages.map(({ name }) => name)])
}

async function findFileNames(tx: Tx, pageId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set()
  const files = await tx
    .selectFrom('market.attachments')
    .select('filename')
    .where('page_id', '=', pageId)
    .where('filename', '=', anyOf(names))
    .where('trashed_at', 'is', null)
    .execute()
  return new Set(files.map(({ filename }) => filename))
}

/** Returns a page in its wire form, without its text. */
function toPageItem(row: Omit<PageRow, 'text'>) {
  const { id, short_id, space_id, parent_id, title, version, published_version, created_by } = row
  return {
    ...{ id, short_id, space_id, parent_id, title, version, published_version, created_by },
    published_at: row.published_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    trashed_at: row.trashed_at?.toISOString() ?? null,
    restorable_until: row.purge_at?.toISOString() ?? null,
  }
}

/** Returns a page as a list of pages shows it. */
export function toListedPage({ former_titles, ...row }: ListedRow) {
  const formerTitles = former_titles.map(({ title, until }) => ({ title, until: new Date(until).toISOString() }))
  return { ...toPageItem(row), former_titles: formerTitles }
}

/** Returns an entry in its wire form. */
export function toEntry({ id, short_id, page_id, text, created_by, created_at, updated_at }: EntryRow) {
  const times = { created_at: created_at.toISOString(), updated_at: updated_at.toISOString() }
  return { id, short_id, page_id, text, created_by, ...times }
}

/**
 * Returns the pages, of those with these ids, that a reader may see, also in the trash. Answers from other
 * spaces leave out the ids of the rest.
 */
export async function findSeenPages(
  tx: Tx,
  reader: Reader | TaskSeller,
  ids: readonly (string | null)[],
): Promise<ReadonlySet<string>> {
  const wanted = ids.filter((id) => id !== null)
  if (isTaskSeller(reader) || wanted.length === 0) return new Set()
  const rows = await tx
    .selectFrom('market.pages')
    .select('id')
    .where('id', '=', anyOf(wanted))
    .where(mayRead(reader, 'market.pages.space_id'))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Returns the id of a thing for the event of something in a space: null if the thing is in another, private
 * space.
 */
export async function idForEvent(
  tx: Tx,
  thing: { id: string; space_id: string } | undefined,
  spaceId: string,
): Promise<string | null> {
  if (!thing || thing.space_id === spaceId) return thing?.id ?? null
  const { visibility } = await tx
    .selectFrom('market.spaces')
    .select('visibility')
    .where('id', '=', thing.space_id)
    .executeTakeFirstOrThrow()
  return visibility === 'open' ? thing.id : null
}

/** A name in a text, and the page that it leads to. */
interface NamedPage {
  name: string
  id: string
  short_id: string
}

/**
 * Returns the pages that names lead to, of the pages that a reader sees: the oldest page with the title, or,
 * if no page has it, the page that had it last. A name that leads to no page is left out.
 */
async function findNamedPages(tx: Tx, reader: Reader, names: readonly string[]): Promise<NamedPage[]> {
  if (names.length === 0) return []
  const { rows } = await sql<NamedPage>`
    select distinct on (name) name, id, short_id from (
      select title as name, id, short_id, null::timestamptz as until
      from market.pages page
      where org_id = ${reader.orgId} and title = any(${names}) and trashed_at is null and ${mayRead(reader, 'page.space_id')}
      union all
      select alias.title, page.id, page.short_id, alias.until
      from market.page_aliases alias join market.pages page on page.id = alias.page_id
      where alias.org_id = ${reader.orgId} and alias.title = any(${names}) and page.trashed_at is null
        and ${mayRead(reader, 'page.space_id')}) led
    order by name, until desc nulls first, id`.execute(tx)
  return rows
}
