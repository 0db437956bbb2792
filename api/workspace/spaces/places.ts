import { sql } from 'kysely'
import type { Actor } from '../../context.ts'
import type { Db } from '../../platform/db/pool.ts'

/**
 * Returns, by account, the orgs that callers are in and the private spaces that they see, in a fixed order. A
 * caller who is in no org is left out, and an agent is not in an org that has shut it out.
 */
export async function findPlaces(
  db: Db,
  actors: readonly Pick<Actor, 'humanId' | 'agentId'>[],
): Promise<Map<string, string[]>> {
  if (actors.length === 0) return new Map()
  const { rows } = await sql<{ account_id: string; place: string }>`
    with own as (
      select distinct coalesce(asked.agent_id, asked.human_id) as account_id, member.human_id, member.org_id, member.role
      from unnest(${actors.map(({ humanId }) => humanId)}::uuid[], ${actors.map(({ agentId }) => agentId)}::uuid[])
        asked(human_id, agent_id)
      join market.org_members member on member.human_id = asked.human_id
      join market.orgs org on org.id = member.org_id
      where asked.agent_id is null or (org.agents_stopped_at is null and not exists (
        select from market.org_agents shut
        where shut.org_id = org.id and shut.agent_id = asked.agent_id and shut.state <> 'active')))
    select account_id, org_id as place from own
    union all
    select own.account_id, space.id from own join market.spaces space on space.org_id = own.org_id
    where space.visibility = 'private' and (own.role <> 'member' or exists (
      select from market.space_members seen where seen.space_id = space.id and seen.human_id = own.human_id))
    order by account_id, place`.execute(db)
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id)
  return new Map([...byAccount].map(([id, own]) => [id, own.map(({ place }) => place)]))
}
