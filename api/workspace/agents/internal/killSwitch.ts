import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Member, requireAdmin } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { agentEvents } from '../module.ts'

/** Whether all agents are shut out of an org, and since when. */
export interface KillSwitch {
  engaged: boolean
  engaged_at: string | null
}

/** Returns the state of an org's kill switch. */
export async function readKillSwitch(tx: Tx, orgId: string): Promise<KillSwitch> {
  const { agents_stopped_at: since } = await tx
    .selectFrom('market.orgs')
    .select('agents_stopped_at')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow()
  return { engaged: since !== null, engaged_at: since?.toISOString() ?? null }
}

/**
 * Shuts every agent out of an org, those of later members too, or lets them in again. Agents that are paused
 * or revoked stay so. Throws 403 for members.
 */
export async function setKillSwitch(tx: Tx, member: Member, engaged: boolean): Promise<KillSwitch> {
  requireAdmin(member)
  const { orgId } = member
  const { numUpdatedRows } = await tx
    .updateTable('market.orgs')
    .set({ agents_stopped_at: engaged ? sql<Date>`market.now()` : null })
    .where('id', '=', orgId)
    .where('agents_stopped_at', engaged ? 'is' : 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) {
    const entity = { id: orgId, short_id: null }
    const data = { engaged }
    await recordChange(tx, orgId, member, {
      type: agentEvents['agent.kill_switch'],
      entity,
      entityType: 'org',
      spaceId: null,
      data,
    })
  }
  return readKillSwitch(tx, orgId)
}
