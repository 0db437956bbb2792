import { type Selectable, sql } from 'kysely'
import { urn } from '../../../../protocol/encoding/urn.ts'
import type { Actor, Settings } from '../../../context.ts'
import { notFound, Problem } from '../../../errors.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { exportProblems } from '../problems.ts'
import type { ExportBody } from '../routes.ts'
import { exportLink, isOurLink } from './link.ts'

/** An export as stored. */
export type ExportRow = Selectable<Database['market.exports']>

/** Lists a human's exports, newest first, starting below an id. */
export async function listExportRows(
  tx: Tx,
  { humanId }: Actor,
  page: { before: string | undefined; limit: number },
): Promise<ExportRow[]> {
  const all = tx.selectFrom('market.exports').selectAll().where('human_id', '=', humanId)
  const below = page.before ? all.where('id', '<', page.before) : all
  return below.orderBy('id', 'desc').limit(page.limit).execute()
}

/** Returns one of a human's exports. Throws the uniform 404. */
export async function findExport(tx: Tx, { humanId }: Actor, exportId: string): Promise<ExportRow> {
  const query = tx.selectFrom('market.exports').selectAll().where('id', '=', exportId).where('human_id', '=', humanId)
  return query.executeTakeFirstOrThrow(() => notFound('export'))
}

/**
 * Returns a link to the file of one of a human's exports. Throws 404, and exports/not-ready if there is no
 * file.
 */
export async function linkExport(
  tx: Tx,
  settings: Pick<Settings, 'rules' | 'secretKey'>,
  actor: Actor,
  exportId: string,
): Promise<string> {
  const row = await findExport(tx, actor, exportId)
  const now = await readClock(tx)
  if (row.state !== 'ready' || (row.expires_at && row.expires_at <= now)) {
    throw new Problem(exportProblems.notReady, {
      detail:
        row.state === 'pending' ? 'The export is still in progress.' : 'The export was deleted. Request a new one.',
    })
  }
  return exportLink(settings, row.id, Math.floor(now.getTime() / 1000) + settings.rules.linkSeconds)
}

/**
 * Returns the export of a signed link, for any caller. The signature must be ours, the link unexpired, and
 * the file and its owner must still exist. Throws the uniform 404 otherwise.
 */
export async function openLink(
  db: Db,
  settings: Pick<Settings, 'secretKey'>,
  exportId: string,
  link: { expires: string; signature: string },
): Promise<ExportRow> {
  const { rows } = isOurLink(settings, exportId, link)
    ? await sql<ExportRow>`
        select taken.* from market.exports taken join market.humans human on human.id = taken.human_id
        where taken.id = ${exportId} and taken.state = 'ready' and taken.expires_at > market.now()
          and to_timestamp(${link.expires}::bigint) > market.now() and human.erased_at is null`.execute(db)
    : { rows: [] }
  const [row] = rows
  if (row) return row
  throw notFound('file')
}

/** Returns an export in its wire form. `sections` is the number of sections that it has. */
export function toExport(row: ExportRow, sections: number): ExportBody {
  const isReady = row.state === 'ready'
  return {
    urn: urn('export', row.id),
    state: row.state,
    progress: { done: row.next_section, total: sections },
    size_bytes: isReady ? Number(row.size_bytes) : null,
    sha256: row.sha256,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
  }
}
