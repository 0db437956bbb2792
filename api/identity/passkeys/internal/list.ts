import type { Selectable } from 'kysely'
import { urn } from '../../../../protocol/encoding/urn.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/** The columns of a passkey that its owner sees. */
export const passkeyColumns = [
  'id',
  'name',
  'transports',
  'is_backed_up',
  'created_at',
  'last_used_at',
  'flagged_at',
] as const

export type PasskeyRow = Pick<Selectable<Database['market.passkeys']>, (typeof passkeyColumns)[number]>

/** Lists a human's passkeys, newest first, starting below an id. */
export async function listPasskeyRows(
  tx: Tx,
  humanId: string,
  page: { from: string | undefined; limit: number },
): Promise<PasskeyRow[]> {
  let query = tx
    .selectFrom('market.passkeys')
    .select(passkeyColumns)
    .where('human_id', '=', humanId)
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.from) query = query.where('id', '<', page.from)
  return query.execute()
}

/** Returns a passkey in its wire form. */
export function toPasskey(row: PasskeyRow) {
  return {
    urn: urn('passkey', row.id),
    name: row.name,
    transports: row.transports,
    is_backed_up: row.is_backed_up,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    flagged_at: row.flagged_at?.toISOString() ?? null,
  }
}
