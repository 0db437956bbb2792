import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'

const MOST_NAMED = 50

/** Somebody who has a page open. */
export interface Present {
  /** Form B of the account's URN. */
  account: string
  display_name: string
  is_editing: boolean
}

/**
 * Records that a member has a page open, and returns when this ends unless they say so again, and who else
 * has the page open. It names only accounts that are in the org still.
 */
export async function setPresence(
  tx: Tx,
  { accountId, humanId, orgId }: Member,
  page: { id: string },
  { isEditing, seconds }: { isEditing: boolean; seconds: number },
): Promise<{ expiresAt: Date; others: Present[] }> {
  const own = await tx
    .insertInto('market.page_presence')
    .values({
      page_id: page.id,
      account_id: accountId,
      human_id: humanId,
      is_editing: isEditing,
      expires_at: sql<Date>`market.now() + make_interval(secs => ${seconds})`,
    })
    .onConflict((conflict) =>
      conflict.columns(['page_id', 'account_id']).doUpdateSet(({ ref }) => ({
        is_editing: ref('excluded.is_editing'),
        expires_at: ref('excluded.expires_at'),
      })),
    )
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  const others = await tx
    .selectFrom('market.page_presence as present')
    .innerJoin('market.humans as human', 'human.id', 'present.human_id')
    .innerJoin('market.org_members as member', (join) =>
      join.onRef('member.human_id', '=', 'human.id').on('member.org_id', '=', orgId),
    )
    .leftJoin('market.agents as agent', 'agent.id', 'present.account_id')
    .select('present.is_editing')
    .select(sql<string>`coalesce('market:agent:' || agent.id, 'market:human:' || human.id)`.as('account'))
    .select(sql<string>`coalesce(agent.display_name, human.display_name)`.as('display_name'))
    .where('present.page_id', '=', page.id)
    .where('present.account_id', '<>', accountId)
    .where('present.expires_at', '>', sql<Date>`market.now()`)
    .orderBy('display_name')
    .orderBy('present.account_id')
    .limit(MOST_NAMED)
    .execute()
  return { expiresAt: own.expires_at, others }
}

/** Records that a member no longer has a page open. */
export async function endPresence(tx: Tx, { accountId }: Member, page: { id: string }): Promise<void> {
  await tx
    .deleteFrom('market.page_presence')
    .where('page_id', '=', page.id)
    .where('account_id', '=', accountId)
    .execute()
}
