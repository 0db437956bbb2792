import { sql } from 'kysely'
import { accountOf } from '../../../actor.ts'
import type { Actor } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/** The most that are counted of an account. */
const MOST_COUNTED = 1_000

/**
 * Returns how many notifications of the caller are unread: of trades, and of each org that has some, where
 * the caller is a member. Counts the newest MOST_COUNTED alone.
 */
export async function countUnread(tx: Tx, actor: Actor) {
  const { humanId, agentId } = actor
  const { rows } = await sql<{ slug: string | null; unread: number }>`
    select org.slug, count(*)::int as unread
    from (select org_id, space_id, confirmation_id from market.notifications
      where account_id = ${accountOf(actor)} and is_in_app and read_at is null and due_at <= market.now()
      order by due_at desc limit ${MOST_COUNTED}) told
    left join market.orgs org on org.id = told.org_id
    where market.is_open(told.confirmation_id) and (told.org_id is null or exists (
        select from market.org_members own where own.org_id = told.org_id and own.human_id = ${humanId})
      and market.sees_space(told.org_id, ${humanId}, told.space_id)
      and (${agentId}::uuid is null or org.agents_stopped_at is null and not exists (
        select from market.org_agents shut
        where shut.org_id = told.org_id and shut.agent_id = ${agentId} and shut.state <> 'active')))
    group by org.slug order by org.slug`.execute(tx)
  return {
    unread: rows.reduce((sum, { unread }) => sum + unread, 0),
    trades: rows.find(({ slug }) => slug === null)?.unread ?? 0,
    orgs: rows.flatMap(({ slug, unread }) => (slug === null ? [] : [{ org: slug, unread }])),
  }
}
