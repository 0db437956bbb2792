import type { Selectable } from 'kysely'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import { notFound } from '../errors.ts'

/** What is read of an ask. Not what it is searched by: that is as long again as its text. */
export const ASK_COLUMNS = [
  'id',
  'seller_id',
  'version',
  'title',
  'description',
  'price_micros',
  'sla_seconds',
  'auto_accept_seconds',
  'active',
  'created_at',
  'updated_at',
] as const

/** An ask as its row holds it. */
export type AskRow = Pick<Selectable<Database['market.asks']>, (typeof ASK_COLUMNS)[number]>

/** An ask as it stands. Throws 404 when there is none. */
export async function findAsk(tx: Tx, askId: string): Promise<AskRow> {
  const ask = await tx.selectFrom('market.asks').select(ASK_COLUMNS).where('id', '=', askId).executeTakeFirst()
  if (ask) return ask
  throw notFound('ask')
}

/** Keeps what the ask promises at its present version, for the orders that will be placed on it. */
export async function recordVersion(tx: Tx, ask: AskRow): Promise<void> {
  const { id, version, title, description, price_micros, sla_seconds, auto_accept_seconds } = ask
  await tx
    .insertInto('market.ask_versions')
    .values({ ask_id: id, version, title, description, price_micros, sla_seconds, auto_accept_seconds })
    .execute()
}
