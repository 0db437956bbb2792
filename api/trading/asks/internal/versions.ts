import type { Selectable } from 'kysely'
import { notFound } from '../../../errors.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { findAsk } from '../find.ts'

/** The terms of an ask at one version. */
export type AskVersionRow = Selectable<Database['market.ask_versions']>

/** Lists the versions of an ask below a given one, newest first. Throws 404 if there is no such ask. */
export async function listVersions(
  tx: Tx,
  askId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<AskVersionRow[]> {
  await findAsk(tx, askId)
  let query = tx.selectFrom('market.ask_versions').selectAll().where('ask_id', '=', askId)
  if (before) query = query.where('version', '<', Number(before))
  return query.orderBy('version', 'desc').limit(limit).execute()
}

/** Returns one version of an ask. Throws 404 if it does not exist. */
export async function findVersion(tx: Tx, askId: string, version: number): Promise<AskVersionRow> {
  const found = await tx
    .selectFrom('market.ask_versions')
    .selectAll()
    .where('ask_id', '=', askId)
    .where('version', '=', version)
    .executeTakeFirst()
  if (found) return found
  throw notFound('version of this ask')
}
