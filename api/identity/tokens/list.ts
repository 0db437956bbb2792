import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import { urn } from '../../../protocol/encoding/urn.ts'
import { accountColumn, accountOf } from '../../actor.ts'
import type { Actor } from '../../context.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { listTokens } from './routes.ts'
import { readLimit, spentToday, wireLimit } from './spendLimit.ts'

type WireToken = z.input<(typeof listTokens)['answers'][200]['schema']>['tokens'][number]
type TokenRow = Selectable<Database['market.tokens']> & { spent_micros: bigint }

/** Lists the live tokens of an agent, or of a human and their agents, newest first, starting below an id. */
export async function listTokenRows(
  tx: Tx,
  actor: Actor,
  page: { from: string | undefined; limit: number },
): Promise<TokenRow[]> {
  let query = tx
    .selectFrom('market.tokens')
    .selectAll()
    .select(spentToday())
    .where(accountColumn(actor), '=', accountOf(actor))
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`(expires_at is null or expires_at > market.now())`)
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.from) query = query.where('id', '<', page.from)
  return query.execute()
}

/** Returns a token in its wire form, without its secret, which is not stored. */
export function toToken(row: TokenRow, actor: Actor): WireToken {
  return {
    urn: urn('token', row.id),
    owner_urn: row.agent_id ? urn('agent', row.agent_id) : urn('human', row.human_id),
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    spend_limit: wireLimit(readLimit(row)),
    spent_today: formatAmount(row.spent_micros),
    is_current: row.id === actor.tokenId,
  }
}
