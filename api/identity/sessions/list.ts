import { type Selectable, sql } from 'kysely'
import { urn } from '../../../protocol/encoding/urn.ts'
import type { Actor, Settings } from '../../context.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'

type SessionRow = Omit<Selectable<Database['market.sessions']>, 'secret_hash' | 'revoked_at' | 'human_id'>

/** Lists a human's live sessions, newest first, starting below an id. */
export async function listSessionRows(
  tx: Tx,
  { rules }: Pick<Settings, 'rules'>,
  humanId: string,
  page: { from: string | undefined; limit: number },
): Promise<SessionRow[]> {
  let query = tx
    .selectFrom('market.sessions')
    .select(['id', 'passkey_id', 'created_at', 'seen_at', 'expires_at'])
    .where('human_id', '=', humanId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`market.now()`)
    .where('seen_at', '>', sql<Date>`market.now() - make_interval(secs => ${rules.sessionIdleSeconds})`)
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.from) query = query.where('id', '<', page.from)
  return query.execute()
}

/** Returns a session in its wire form. */
export function toSession(row: SessionRow, actor: Actor) {
  return {
    urn: urn('session', row.id),
    passkey_urn: urn('passkey', row.passkey_id),
    created_at: row.created_at.toISOString(),
    seen_at: row.seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    is_current: actor.session !== null && row.id === actor.tokenId,
  }
}
