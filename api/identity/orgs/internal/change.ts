import { sql } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Actor, CallContext } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { requireOrgRoom } from '../../accounts/caps.ts'
import { endEmailInvitations } from '../emailInvitations.ts'
import { lockOrgAs, type OrgRow, readOrg } from '../find.ts'
import { orgProblems } from '../problems.ts'

/** Creates an org that the caller owns. Throws orgs/slug-taken if the slug is taken, and orgs/too-many. */
export async function createOrg(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  { slug, displayName }: { slug: string; displayName: string },
): Promise<OrgRow> {
  await requireOrgRoom(tx, actor.humanId, settings.rules.maxOwnedOrgs)
  const org = await tx
    .insertInto('market.orgs')
    .values({ id: newId(), slug, display_name: displayName })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!org)
    throw new Problem(orgProblems.slugTaken, {
      detail: 'Another org has this slug. Choose another slug.',
      field: 'slug',
    })
  await tx.insertInto('market.org_members').values({ org_id: org.id, human_id: actor.humanId, role: 'owner' }).execute()
  await tell(tx, actor, 'org.create', org.id)
  return readOrg(tx, actor, org.id)
}

/** Renames an org. Throws 404 if the caller is not in it, and 403 for members. */
export async function renameOrg(tx: Tx, actor: Actor, orgId: string, displayName: string): Promise<OrgRow> {
  await lockOrgAs(tx, actor, orgId, ['owner', 'admin'])
  await tx.updateTable('market.orgs').set({ display_name: displayName }).where('id', '=', orgId).execute()
  await tell(tx, actor, 'org.rename', orgId)
  return readOrg(tx, actor, orgId)
}

/**
 * Deletes an org. Throws 404 if the caller is not in it, 403 unless they own it, and orgs/not-empty while
 * others are in it.
 */
export async function deleteOrg(tx: Tx, actor: Actor, orgId: string): Promise<void> {
  await lockOrgAs(tx, actor, orgId, ['owner'])
  const other = await tx
    .selectFrom('market.org_members')
    .select('human_id')
    .where('org_id', '=', orgId)
    .where('human_id', '<>', actor.humanId)
    .limit(1)
    .executeTakeFirst()
  if (other) throw new Problem(orgProblems.notEmpty, { detail: 'The org has other members. Remove them first.' })
  await tx.deleteFrom('market.orgs').where('id', '=', orgId).execute()
  await endEmailInvitations(tx, sql`org_id = ${orgId}`)
  await tell(tx, actor, 'org.delete', orgId)
}

async function tell(tx: Tx, { humanId }: Actor, action: string, orgId: string): Promise<void> {
  await audit(tx, { actor: urnString('human', humanId), action, subject: urnString('org', orgId) })
}
