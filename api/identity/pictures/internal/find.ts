import { sql } from 'kysely'
import type { Actor } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/** A picture, and the id of whom it shows. */
export interface PictureRow {
  of: string
  id: string
  created_at: Date
}

/**
 * Returns the pictures of those among these ids whose names the caller sees: agents; and for a person also
 * themselves, who is in an org with them, and the orgs that they are in or invited to.
 */
export async function findPictures(tx: Tx, { humanId, agentId }: Actor, ids: readonly string[]): Promise<PictureRow[]> {
  const ofAgents = sql`select agent_id as of, id, created_at from market.pictures where agent_id = any(${ids}::uuid[])`
  const ofPeople = sql`
    select human_id, id, created_at from market.pictures picture
    where human_id = any(${ids}::uuid[]) and (human_id = ${humanId} or exists (
      select from market.org_members own join market.org_members other on other.org_id = own.org_id
      where own.human_id = ${humanId} and other.human_id = picture.human_id))`
  const ofOrgs = sql`
    select org_id, id, created_at from market.pictures picture
    where org_id = any(${ids}::uuid[]) and (
      exists (select from market.org_members own where own.org_id = picture.org_id and own.human_id = ${humanId})
      or exists (select from market.org_invitations asked
        where asked.org_id = picture.org_id and asked.human_id = ${humanId} and asked.expires_at > market.now()))`
  const others = agentId === null ? sql`union all ${ofPeople} union all ${ofOrgs}` : sql``
  return (await sql<PictureRow>`${ofAgents} ${others}`.execute(tx)).rows
}

/** Returns the bytes of a picture. Throws the uniform 404. */
export async function readPicture(tx: Tx, id: string): Promise<{ id: string; webp: Buffer }> {
  const found = tx.selectFrom('market.pictures').select(['id', 'webp']).where('id', '=', id)
  return found.executeTakeFirstOrThrow(() => notFound('picture'))
}
