import { sql } from 'kysely'
import type { Actor, Settings } from '../../context.ts'
import type { Db } from '../../platform/db/pool.ts'

/**
 * Returns those of some callers who could not call now as they did: their token or session has ended, their account was
 * erased, or they are no operator any more, or have become one. One query, however many they are.
 */
export async function findEnded(
  db: Db,
  { rules }: Pick<Settings, 'rules'>,
  actors: readonly Actor[],
): Promise<ReadonlySet<Actor>> {
  const ids = [...new Set(actors.map(({ tokenId }) => tokenId))]
  const { rows } = await sql<{ id: string; is_operator: boolean }>`
    select token.id, human.role = 'operator' and token.agent_id is null as is_operator
    from market.tokens token join market.humans human on human.id = token.human_id
    where token.id = any(${ids}::uuid[]) and human.erased_at is null and token.revoked_at is null
      and (token.expires_at is null or token.expires_at > market.now())
    union all
    select session.id, human.role = 'operator'
    from market.sessions session join market.humans human on human.id = session.human_id
    where session.id = any(${ids}::uuid[]) and human.erased_at is null and session.revoked_at is null
      and session.expires_at > market.now()
      and session.seen_at > market.now() - make_interval(secs => ${rules.sessionIdleSeconds})`.execute(db)
  const operators = new Map(rows.map(({ id, is_operator }) => [id, is_operator]))
  return new Set(actors.filter(({ tokenId, isOperator }) => operators.get(tokenId) !== isOperator))
}
