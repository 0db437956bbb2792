import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import { record } from '../record.ts'
import { lockPage, type PageRow } from './find.ts'
import { MAX_PAGE_CHARACTERS } from './limits.ts'

/** Changes the title or the text of a page and returns it. Throws the uniform 404. */
export async function editPage(
  tx: Tx,
  member: Member,
  ref: string,
  { title, text }: { title?: string | undefined; text?: string | undefined },
): Promise<PageRow> {
  const page = await lockPage(tx, member, ref)
  return writePage(tx, member, page, { title: title ?? page.title, text: text ?? page.text })
}

/**
 * Writes the text or the title of a locked page; does nothing where both stay as they are. Throws 422 if the text would
 * be too long.
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
    throw new Problem('workspace/text-too-long', { detail: `A page has at most ${MAX_PAGE_CHARACTERS} characters.` })
  }
  const written = await tx
    .updateTable('market.pages')
    .set({ title, text, updated_at: sql<Date>`market.now()` })
    .where('id', '=', page.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await record(tx, member.orgId, member, { type: 'page.updated', entity: page, spaceId: page.space_id })
  return written
}
