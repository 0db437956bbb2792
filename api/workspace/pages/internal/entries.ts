import { sql } from 'kysely'
import { groundProblems, notFound, Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Member, requireAdmin } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { fresh } from '../create.ts'
import { type EntryRow, findEntry, lockPage, type PageRow } from '../find.ts'
import { tellMentioned } from '../mentions.ts'
import { pageEvents } from '../module.ts'

/**
 * Adds an entry to a page and returns it. Throws the uniform 404, and 409 for a page in an archived space.
 */
export async function createEntry(tx: Tx, member: Member, pageRef: string, text: string): Promise<EntryRow> {
  const page = await lockPage(tx, member, pageRef)
  const entry = await tx
    .insertInto('market.entries')
    .values({ ...fresh(member), page_id: page.id, text })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordEntry(tx, member, page, { entry_id: entry.id })
  await tellMentioned(tx, member, page, { text, before: '' })
  return entry
}

/**
 * Changes the text of an entry of the caller's, and returns it; does nothing if it has that text. Throws the
 * uniform 404, 403 for somebody else's entry, 409 for a page in an archived space.
 */
export async function editEntry(tx: Tx, member: Member, ref: string, text: string): Promise<EntryRow> {
  const { id, page_id } = await findEntry(tx, member, ref)
  const page = await lockPage(tx, member, page_id)
  const before = await findEntry(tx, member, id)
  if (before.created_by !== member.urn) {
    throw new Problem(groundProblems.forbidden, { detail: 'Somebody else wrote this entry.' })
  }
  if (before.text === text) return before
  const entry = await tx
    .updateTable('market.entries')
    .set({ text, updated_at: sql<Date>`market.now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound('entry'))
  await recordEntry(tx, member, page, { entry_id: id })
  await tellMentioned(tx, member, page, { text, before: before.text })
  return entry
}

/**
 * Deletes an entry; its files stay on the page. Throws the uniform 404, 403 unless the caller wrote it or is
 * an owner or admin of the org, 409 for a page in an archived space.
 */
export async function deleteEntry(tx: Tx, member: Member, ref: string): Promise<void> {
  const { id, page_id, created_by } = await findEntry(tx, member, ref)
  if (created_by !== member.urn) requireAdmin(member)
  const page = await lockPage(tx, member, page_id)
  const { numDeletedRows } = await tx.deleteFrom('market.entries').where('id', '=', id).executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('entry')
  await recordEntry(tx, member, page, { entry_id: id, is_deleted: true })
}

async function recordEntry(tx: Tx, member: Member, page: PageRow, data: { entry_id: string; is_deleted?: true }) {
  const change = { entity: page, spaceId: page.space_id, data }
  await recordChange(tx, member.orgId, member, { type: pageEvents['page.updated'], ...change })
}
