import { sql } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Actor, CallContext } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { skeletonOf } from '../../../platform/http/route/lookAlikes.ts'
import { requireOrgRoom } from '../../accounts/caps.ts'
import { endEmailInvitations } from '../emailInvitations.ts'
import { lockOrgAs, type OrgRow, readOrg } from '../find.ts'
import { orgProblems } from '../problems.ts'

/**
 * Creates an org that the caller owns. Throws orgs/slug-taken if the slug is taken, or another looks like it,
 * and orgs/too-many.
 */
export async function createOrg(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  { slug, displayName }: { slug: string; displayName: string },
): Promise<OrgRow> {
  await requireOrgRoom(tx, actor.humanId, settings.rules.maxOwnedOrgs)
  await refuseLookAlike(tx, slug)
  const org = await tx
    .insertInto('market.orgs')
    .values({ id: newId(), slug, display_name: displayName })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!org) throw slugTaken('Another org has this slug.')
  await tx.insertInto('market.org_members').values({ org_id: org.id, human_id: actor.humanId, role: 'owner' }).execute()
  await tell(tx, actor, 'org.create', org.id)
  return readOrg(tx, actor, org.id)
}

/** Two at once wait for each other: the second sees the first. */
async function refuseLookAlike(tx: Tx, slug: string): Promise<void> {
  const skeleton = skeletonOf(slug)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`slug ${skeleton}`}, 0))`.execute(tx)
  const other = await tx
    .selectFrom('market.orgs')
    .select('slug')
    .where(sql`replace(translate(slug, '01', 'ol'), 'm', 'rn')`, '=', skeleton)
    .where('slug', '<>', slug)
    .limit(1)
    .executeTakeFirst()
  if (other) throw slugTaken(`The slug of another org looks like this one: ${other.slug}.`)
}

function slugTaken(detail: string): Problem {
  return new Problem(orgProblems.slugTaken, { detail: `${detail} Choose another slug.`, field: 'slug' })
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
