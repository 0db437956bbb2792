import type { Selectable } from 'kysely'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { findAsk } from './find.ts'

/** What an ask promised at one version. */
export type AskVersionRow = Selectable<Database['market.ask_versions']>

/** The versions of an ask below one of them, newest first. Throws 404 without such an ask. */
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

/** One version of an ask. Throws 404 without it. */
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
