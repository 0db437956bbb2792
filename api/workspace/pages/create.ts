import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import { record } from '../record.ts'
import { newShortId } from '../shortId.ts'
import { openSpace } from '../spaces/find.ts'
import type { EntryRow, PageRow } from './find.ts'

/** Writes a page in a space, which is named by short id or UUID, and returns it. Throws the uniform 404, and 409 if it is archived. */
export async function createPage(
  tx: Tx,
  member: Member,
  { space: ref, title, text }: { space: string; title: string; text: string },
): Promise<PageRow> {
  const space = await openSpace(tx, member, ref)
  const page = await tx
    .insertInto('market.pages')
    .values({ ...fresh(member), space_id: space.id, title, text })
    .returningAll()
    .executeTakeFirstOrThrow()
  await record(tx, member.orgId, member, { type: 'page.created', entity: page, spaceId: space.id })
  return page
}

/** Adds an entry to a page and returns it. */
export async function createEntry(tx: Tx, member: Member, page: PageRow, text: string): Promise<EntryRow> {
  const entry = await tx
    .insertInto('market.entries')
    .values({ ...fresh(member), page_id: page.id, text })
    .returningAll()
    .executeTakeFirstOrThrow()
  const data = { entry_id: entry.id }
  await record(tx, member.orgId, member, { type: 'page.updated', entity: page, spaceId: page.space_id, data })
  return entry
}

function fresh({ orgId, urn }: Member) {
  return { id: uuidv7(), short_id: newShortId(), org_id: orgId, created_by: urn }
}
