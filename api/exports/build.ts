import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import type { Settings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import type { ExportRow } from './find.ts'
import { type Section, sections } from './sections.ts'

const ROWS_AT_ONCE = 200

/**
 * Makes the next piece of an export: some rows of one section, in a transaction that also says where the next begins. So
 * a worker that dies loses nothing, and two of them make no piece twice. False when there is no further piece to make, or
 * somebody else is at it.
 */
export async function advanceExport(tx: Tx, settings: Settings, exportId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('market.exports')
    .selectAll()
    .where('id', '=', exportId)
    .where('state', '=', 'pending')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!row) return false
  const section = sections[row.next_section]
  if (section) await addRows(tx, row, section)
  else await finish(tx, settings, row)
  return section !== undefined
}

async function addRows(tx: Tx, row: ExportRow, section: Section): Promise<void> {
  const { rows } = await sql<{ id: string; document: string }>`
    select one.id::text as id, one.document::text as document from (${section.rows(row.human_id)}) one
    where ${row.after_id === null ? sql`true` : sql`one.id > ${row.after_id}`}
    order by one.id limit ${ROWS_AT_ONCE}`.execute(tx)
  const isFirst = row.after_id === null
  const isLast = rows.length < ROWS_AT_ONCE
  const opening = isFirst ? `${row.chunks === 0 ? beginning(row) : ''},\n"${section.name}":[` : ''
  const lines = rows.map(({ document }, index) => `${isFirst && index === 0 ? '' : ','}\n${document}`)
  await append(tx, row, `${opening}${lines.join('')}${isLast ? ']' : ''}`, {
    next_section: isLast ? row.next_section + 1 : row.next_section,
    after_id: isLast ? null : (rows.at(-1)?.id ?? null),
  })
}

function beginning({ id, human_id, created_at }: ExportRow): string {
  const head = { urn: urnString('export', id), account_urn: urnString('human', human_id), requested_at: created_at }
  return JSON.stringify(head).slice(0, -1)
}

async function finish(tx: Tx, settings: Settings, row: ExportRow): Promise<void> {
  await append(tx, row, '}\n', {})
  const hash = createHash('sha256')
  for (let sequence = 0; sequence <= row.chunks; sequence++) {
    const { bytes } = await readChunk(tx, row.id, sequence).executeTakeFirstOrThrow()
    hash.update(bytes)
  }
  await sql`
    update market.exports set state = 'ready', sha256 = ${hash.digest('hex')}, finished_at = market.now(),
      expires_at = market.now() + make_interval(secs => ${settings.rules.exportSeconds})
    where id = ${row.id}`.execute(tx)
}

async function append(
  tx: Tx,
  row: ExportRow,
  text: string,
  place: { next_section?: number; after_id?: string | null },
): Promise<void> {
  const bytes = Buffer.from(text)
  await tx.insertInto('market.export_chunks').values({ export_id: row.id, sequence: row.chunks, bytes }).execute()
  await tx
    .updateTable('market.exports')
    .set({ ...place, chunks: row.chunks + 1, size_bytes: row.size_bytes + BigInt(bytes.length) })
    .where('id', '=', row.id)
    .execute()
}

/** One piece of an export's file. */
export function readChunk(tx: Pick<Tx, 'selectFrom'>, exportId: string, sequence: number) {
  return tx
    .selectFrom('market.export_chunks')
    .select('bytes')
    .where('export_id', '=', exportId)
    .where('sequence', '=', sequence)
}
