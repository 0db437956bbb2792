import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'
import type { Section } from '../../../platform/db/personalDataRule.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { personOf } from '../../person.ts'
import type { ExportRow } from './find.ts'
import { pieces } from './pieces.ts'

const ROWS_AT_ONCE = 200

/** A part of the file: text, followed by a blob in base64. */
interface Piece {
  text: string
  blobId: string | null
}

/** A row of a section, as JSON. */
interface SectionRow {
  id: string
  document: string
  blob_id: string | null
}

/**
 * Builds the next piece of an export: some rows of one section. The same transaction records where the next
 * piece begins, so a worker that dies loses nothing and no piece is built twice. Returns false if no piece is
 * left or another worker is building one.
 */
export async function advanceExport(tx: Tx, exportId: string, sections: readonly Section[]): Promise<boolean> {
  const row = await tx
    .selectFrom('market.exports')
    .selectAll()
    .where('id', '=', exportId)
    .where('state', '=', 'pending')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  const section = row && sections[row.next_section]
  if (!section) return false
  await addRows(tx, row, section, section === sections.at(-1))
  return true
}

/**
 * Marks an export as ready once all its pieces exist: records its length, its SHA-256 and its expiry. Reads
 * the whole file including blobs, and holds no transaction meanwhile. Safe to run twice at once.
 */
export async function finishExport(
  db: Db,
  settings: Pick<Settings, 'blobDirectory' | 'rules' | 's3'>,
  exportId: string,
  sections: readonly Section[],
): Promise<void> {
  const row = await db
    .selectFrom('market.exports')
    .selectAll()
    .where('id', '=', exportId)
    .where('state', '=', 'pending')
    .where('next_section', '=', sections.length)
    .executeTakeFirst()
  if (!row) return
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const bytes of pieces(db, settings, row)) {
    hash.update(bytes)
    sizeBytes += bytes.byteLength
  }
  await sql`
    update market.exports set state = 'ready', sha256 = ${hash.digest('hex')}, size_bytes = ${sizeBytes},
      finished_at = market.now(), expires_at = market.now() + make_interval(secs => ${settings.rules.exportSeconds})
    where id = ${exportId} and state = 'pending'`.execute(db)
}

async function addRows(tx: Tx, row: ExportRow, section: Section, isLastSection: boolean): Promise<void> {
  const { rows } = await sql<SectionRow>`
    select one.id::text as id, one.document::text as document, ${section.hasBlobs ? sql`one.id` : sql`null`} as blob_id
    from (${section.rows(personOf(row.human_id))}) one
    where ${row.after_id === null ? sql`true` : sql`one.id > ${row.after_id}`}
    order by one.id limit ${ROWS_AT_ONCE}`.execute(tx)
  const isLast = rows.length < ROWS_AT_ONCE
  const made = piecesOf(row, section, rows, isLast ? (isLastSection ? ']}\n' : ']') : '')
  const chunks = made.map(({ text, blobId }, index) => ({
    export_id: row.id,
    sequence: row.chunks + index,
    bytes: Buffer.from(text),
    blob_id: blobId,
  }))
  await tx.insertInto('market.export_chunks').values(chunks).execute()
  await tx
    .updateTable('market.exports')
    .set({
      next_section: isLast ? row.next_section + 1 : row.next_section,
      after_id: isLast ? null : (rows.at(-1)?.id ?? null),
      chunks: row.chunks + chunks.length,
    })
    .where('id', '=', row.id)
    .execute()
}

function piecesOf(row: ExportRow, section: Section, rows: readonly SectionRow[], end: string): Piece[] {
  const isFirst = row.after_id === null
  const made: Piece[] = []
  let text = isFirst ? `${row.chunks === 0 ? beginning(row) : ''},\n"${section.name}":[` : ''
  for (const [index, { document, blob_id: blobId }] of rows.entries()) {
    text += `${isFirst && index === 0 ? '' : ','}\n${document}`
    if (blobId === null) continue
    // The blob becomes the object's last member.
    made.push({ text: `${text.slice(0, -1)}, "content_base64": "`, blobId })
    text = '"}'
  }
  return [...made, { text: text + end, blobId: null }]
}

function beginning({ id, human_id, created_at }: ExportRow): string {
  const head = { urn: urnString('export', id), account_urn: urnString('human', human_id), requested_at: created_at }
  return JSON.stringify(head).slice(0, -1)
}
