import { newId } from '../../../protocol/encoding/ids.ts'
import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import { recordChange } from '../recordChange.ts'
import { newShortId } from '../schemas.ts'
import { openSpace } from '../spaces/find.ts'
import { findPage, type PageRow } from './find.ts'
import { tellMentioned } from './mentions.ts'
import { pageEvents } from './module.ts'
import { pageProblems } from './problems.ts'
import { lockTree } from './tree.ts'
import { keepVersion, linkNames } from './write.ts'

/** A new page: its place, by short ids or UUIDs, and its title and text. */
export interface NewPage {
  space: string
  parent?: string | undefined
  title: string
  text: string
}

/**
 * Creates a page in a space, below another page if one is named, and returns it. Throws the uniform 404, 409
 * if the space is archived, 422 if the other page is in another space.
 */
export async function createPage(tx: Tx, member: Member, { space: ref, parent, title, text }: NewPage) {
  if (parent !== undefined) await lockTree(tx, member.orgId)
  const above = parent === undefined ? undefined : await findPage(tx, member, parent)
  const space = await openSpace(tx, member, ref)
  if (above && above.space_id !== space.id) {
    throw new Problem(pageProblems.pageTree, { detail: 'The page above it is in another space.', field: 'parent' })
  }
  const page = await insertPage(tx, member, { space_id: space.id, parent_id: above?.id ?? null, title, text })
  await tellMentioned(tx, member, page, { text, before: '' })
  return page
}

/** Creates a page at a place where the caller is known to be allowed to write, and returns it. */
export async function insertPage(
  tx: Tx,
  member: Member,
  written: Pick<PageRow, 'space_id' | 'parent_id' | 'title' | 'text'> & { import_id?: string },
): Promise<PageRow> {
  const page: PageRow = await tx
    .insertInto('market.pages')
    .values({ ...fresh(member), ...written })
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepVersion(tx, member, page)
  await linkNames(tx, page)
  await recordChange(tx, member.orgId, member, {
    type: pageEvents['page.created'],
    entity: page,
    spaceId: page.space_id,
  })
  return page
}

/** Returns the fields that each new page and entry of a member has. */
export function fresh({ orgId, urn }: Member) {
  return { id: newId(), short_id: newShortId(), org_id: orgId, created_by: urn }
}
