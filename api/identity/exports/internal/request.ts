import { sql } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Actor } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { anyOf } from '../../../platform/db/lists.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { exportProblems } from '../problems.ts'
import type { ExportRow } from './find.ts'

/**
 * Requests a copy of everything a human has; the worker builds it. Deletes an earlier copy, so that each
 * human has at most one. Returns the export. Throws exports/in-progress while one is being built.
 */
export async function requestExport(tx: Tx, { humanId }: Actor): Promise<ExportRow> {
  const { rows } = await sql<ExportRow>`
    insert into market.exports (id, human_id, state) values (${newId()}, ${humanId}, 'pending')
    on conflict (human_id) where state = 'pending' do nothing returning *`.execute(tx)
  const [row] = rows
  if (!row) {
    throw new Problem(exportProblems.inProgress, {
      detail: 'An export is in progress. GET /v1/me/exports shows its state.',
    })
  }
  await expire(tx, sql`human_id = ${humanId} and state = 'ready'`)
  const subject = urnString('export', row.id)
  await audit(tx, { actor: urnString('human', humanId), action: 'export.request', subject })
  return row
}

/** Deletes the files of exports and marks the exports as expired. Returns how many there were. */
export async function expire(tx: Tx, which: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update market.exports set state = 'expired' where ${which} returning id`.execute(tx)
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await tx.deleteFrom('market.export_chunks').where('export_id', '=', anyOf(ids)).execute()
  return ids.length
}
