import { type Selectable, sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { mayRead, type Reader } from '../../membership.ts'
import { refColumn } from '../../schemas.ts'
import type { ReportLine } from './report.ts'

/** An import as stored. */
export type ImportRow = Selectable<Database['market.imports']>

/**
 * Returns an import into a space that a reader sees, by its short id or UUID. Leaves out the archive and the
 * page above if the reader does not see them. Throws the uniform 404.
 */
export async function findImport(tx: Tx, reader: Reader, ref: string): Promise<ImportRow> {
  const { column, value } = refColumn(ref)
  const row = await selectImports(tx, reader).where(column, '=', value).executeTakeFirst()
  if (row) return row
  throw notFound('import')
}

/** Lists the imports into spaces that a reader sees, newest first, starting below an id. */
export async function listImportRows(
  tx: Tx,
  reader: Reader,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<ImportRow[]> {
  let query = selectImports(tx, reader)
  if (from !== undefined) query = query.where('id', '<', from)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

function selectImports(tx: Tx, reader: Reader) {
  return tx
    .selectFrom('market.imports')
    .select([
      'id',
      'short_id',
      'org_id',
      'space_id',
      'state',
      'failure',
      'pages',
      'files',
      'report',
      'report_total',
      'attempts',
    ])
    .select(['created_by', 'via', 'created_at', 'ended_at', 'undone_at'])
    .select([
      sql<string | null>`(select page.id from market.pages page
        where page.id = imports.parent_id and ${mayRead(reader, 'page.space_id')})`.as('parent_id'),
      sql<string | null>`(select archive.id from market.attachments archive
        join market.pages page on page.id = archive.page_id
        where archive.id = imports.attachment_id and ${mayRead(reader, 'page.space_id')})`.as('attachment_id'),
    ])
    .where('org_id', '=', reader.orgId)
    .where(mayRead(reader, 'market.imports.space_id'))
}

/** Returns an import in its wire form, as lists have it: without the lines of its report. */
export function toListedImport(row: ImportRow) {
  const { id, short_id, space_id, parent_id, attachment_id, state, failure, pages, files, report_total, created_by } =
    row
  return {
    ...{ id, short_id, space_id, parent_id, attachment_id, state, failure, pages, files, report_total, created_by },
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    undone_at: row.undone_at?.toISOString() ?? null,
  }
}

/** Returns an import in its wire form. */
export function toImport(row: ImportRow) {
  return { ...toListedImport(row), report: row.report as unknown as ReportLine[] }
}
