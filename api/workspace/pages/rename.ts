import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import type { PageRow } from './find.ts'
import { isReferable, rewriteReferences } from './references.ts'
import { writePage } from './write.ts'

/**
 * Writes the new title of a page into the text of every page that refers to the old one, whoever may read those. A title
 * leads to the oldest page that has it, and a file of the page itself comes first. The tree must be locked.
 */
export async function renameLinks(tx: Tx, member: Member, page: PageRow, title: string): Promise<void> {
  if (!isReferable(title) || (await isNamedBefore(tx, page))) return
  const linking = await tx
    .selectFrom('market.page_links as link')
    .innerJoin('market.pages as from', 'from.id', 'link.page_id')
    .selectAll('from')
    .where('link.org_id', '=', page.org_id)
    .where('link.name', '=', page.title)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('market.attachments as file')
            .select('file.id')
            .whereRef('file.page_id', '=', 'from.id')
            .whereRef('file.filename', '=', 'link.name'),
        ),
      ),
    )
    .orderBy('from.id')
    .forNoKeyUpdate('from')
    .execute()
  for (const from of linking)
    await writePage(tx, member, from, { text: rewriteReferences(from.text, page.title, title) })
}

/** Whether an older page has the title that a page had. */
async function isNamedBefore(tx: Tx, { id, org_id, title }: PageRow): Promise<boolean> {
  const older = await tx
    .selectFrom('market.pages')
    .select('id')
    .where('org_id', '=', org_id)
    .where('title', '=', title)
    .where('trashed_at', 'is', null)
    .where('id', '<', id)
    .limit(1)
    .executeTakeFirst()
  return older !== undefined
}
