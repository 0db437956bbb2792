import type { Selectable } from 'kysely'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { copiedInput, INPUT_COLUMNS } from '../inputs/ask.ts'

/** The columns to read of an ask. The search column is left out because it is as long as the text again. */
export const ASK_COLUMNS = [
  'id',
  'seller_id',
  'version',
  'title',
  'description',
  'price_micros',
  'sla_seconds',
  'auto_accept_seconds',
  'criteria',
  'criteria_complete',
  ...INPUT_COLUMNS,
  'max_open_orders',
  'active',
  'created_at',
  'updated_at',
] as const

/** An ask as stored. */
export type AskRow = Pick<Selectable<Database['market.asks']>, (typeof ASK_COLUMNS)[number]>

/** Returns an ask. Throws 404 if there is none. */
export async function findAsk(tx: Tx, askId: string): Promise<AskRow> {
  const ask = await tx.selectFrom('market.asks').select(ASK_COLUMNS).where('id', '=', askId).executeTakeFirst()
  if (ask) return ask
  throw notFound('ask')
}

/** Stores the terms of the ask at its present version, for the orders placed on it. */
export async function recordVersion(tx: Tx, ask: AskRow): Promise<void> {
  const { id, version, title, description, price_micros, sla_seconds, auto_accept_seconds, criteria_complete } = ask
  const criteria = JSON.stringify(ask.criteria)
  await tx
    .insertInto('market.ask_versions')
    .values({
      ...{ ask_id: id, version, title, description, price_micros, sla_seconds, auto_accept_seconds },
      ...{ criteria, criteria_complete },
      ...copiedInput(ask),
    })
    .execute()
}
