import { z } from '@hono/zod-openapi'
import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { asName } from '../../platform/http/route/schemas.ts'
import type { Member } from '../membership.ts'
import { recordChange } from '../recordChange.ts'
import type { PageRow } from './find.ts'
import { tellMentioned } from './mentions.ts'
import { pageEvents } from './module.ts'
import { pageProblems } from './problems.ts'
import { namesIn } from './references.ts'

/** The longest text of a page or an entry, in UTF-16 code units. */
export const MAX_PAGE_CHARACTERS = 200_000
/** The longest title of a page, in UTF-16 code units. */
export const MAX_TITLE_CHARACTERS = 200

/** The title of a page, in a request or in an archive. */
export const title = asName(z.string().trim().normalize('NFC').min(1).max(MAX_TITLE_CHARACTERS)).openapi({
  pattern: '\\S',
  example: 'Plan',
  description: 'Kept in NFC, without spaces around it.',
})

/**
 * Writes the text or the title of a locked page, as its next version; does nothing if neither changes. The
 * former title still leads to the page. Throws 422 if the text would be too long.
 */
export async function writePage(
  tx: Tx,
  member: Member,
  page: PageRow,
  changed: { title?: string; text: string },
): Promise<PageRow> {
  const { title = page.title, text } = changed
  if (title === page.title && text === page.text) return page
  if (text.length > MAX_PAGE_CHARACTERS) {
    throw new Problem(pageProblems.textTooLong, { detail: `A page has at most ${MAX_PAGE_CHARACTERS} characters.` })
  }
  const written = await tx
    .updateTable('market.pages')
    .set({ title, text, version: sql<number>`version + 1`, updated_at: sql<Date>`market.now()` })
    .where('id', '=', page.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepVersion(tx, member, written)
  if (title !== page.title) await keepTitle(tx, page)
  if (text !== page.text) await linkNames(tx, written)
  const data = { version: written.version, renamed: title !== page.title }
  await recordChange(tx, member.orgId, member, {
    type: pageEvents['page.updated'],
    entity: page,
    spaceId: page.space_id,
    data,
  })
  await tellMentioned(tx, member, page, { text, before: page.text, isPage: true })
  return written
}

/** Stores the current title and text of a page in its history. */
export async function keepVersion(tx: Tx, { urn }: Member, page: PageRow): Promise<void> {
  const { id, version, org_id, title, text } = page
  await tx
    .insertInto('market.page_versions')
    .values({ page_id: id, number: version, org_id, title, text, created_by: urn })
    .execute()
}

/** Stores the previous title of a page as a name that leads to it. */
async function keepTitle(tx: Tx, { id, org_id, title }: PageRow): Promise<void> {
  await tx
    .insertInto('market.page_aliases')
    .values({ page_id: id, org_id, title })
    .onConflict((conflict) => conflict.columns(['page_id', 'title']).doUpdateSet({ until: sql<Date>`market.now()` }))
    .execute()
}

/** Stores the names that the text of a page refers to. */
export async function linkNames(tx: Tx, { id, org_id, text }: PageRow): Promise<void> {
  await tx.deleteFrom('market.page_links').where('page_id', '=', id).execute()
  await sql`insert into market.page_links (page_id, org_id, name)
    select ${id}, ${org_id}, name from unnest(${namesIn(text)}::text[]) name`.execute(tx)
}
