import type { Settings } from '../../context.ts'
import { announce } from '../../platform/announcements/announce.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { MembershipChanged } from '../announcements.ts'

/** Announces, before a human is erased, that they leave the orgs they are in. */
export async function announceDepartures(tx: Tx, settings: Settings, humanId: string): Promise<void> {
  const rows = await tx
    .selectFrom('market.org_members')
    .select(['org_id', 'role'])
    .where('human_id', '=', humanId)
    .orderBy('org_id')
    .execute()
  for (const { org_id: orgId, role } of rows)
    await announce(tx, settings, MembershipChanged, { change: 'removed', orgId, humanId, role, actor: null })
}
