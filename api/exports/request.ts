import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { urnString } from '../../protocol/urn.ts'
import type { Actor } from '../context.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import type { ExportRow } from './find.ts'

/**
 * Asks for a copy of everything a human has; the worker makes it. An earlier copy goes, so that there is never more than
 * one of each human's. Throws exports/in-progress while one is being made.
 */
export async function requestExport(tx: Tx, { humanId }: Actor): Promise<ExportRow> {
  const { rows } = await sql<ExportRow>`
    insert into market.exports (id, human_id, state) values (${uuidv7()}, ${humanId}, 'pending')
    on conflict (human_id) where state = 'pending' do nothing returning *`.execute(tx)
  const [row] = rows
  if (!row) {
    throw new Problem('exports/in-progress', {
      detail: 'A copy is being made: GET /v1/me/exports says how far it has come.',
    })
  }
  await expire(tx, sql`human_id = ${humanId} and state = 'ready'`)
  const subject = urnString('export', row.id)
  await audit(tx, { actor: urnString('human', humanId), action: 'export.request', subject })
  return row
}

/** Deletes the files of exports, and says so on them. Answers how many there were. */
export async function expire(tx: Tx, which: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update market.exports set state = 'expired' where ${which} returning id`.execute(tx)
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await tx.deleteFrom('market.export_chunks').where('export_id', 'in', ids).execute()
  return ids.length
}
