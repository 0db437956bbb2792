import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import type { PageRow } from './find.ts'
import { isReferable, rewriteReferences } from './references.ts'
import { writePage } from './write.ts'

/**
 * Writes the new title of a page into the text of every page that refers to the old one, and returns the page as it is then.
 * A title leads to the oldest page that has it, and a file of the referring page comes first. What refers to a page of a
 * private space from outside stays as it is: its readers may not see the new title. The tree must be locked.
 */
export async function renameLinks(tx: Tx, member: Member, before: PageRow, renamed: PageRow): Promise<PageRow> {
  if (!isReferable(renamed.title)) return renamed
  let page = renamed
  for (const from of await findReferring(tx, before)) {
    const text = rewriteReferences(from.text, before.title, renamed.title)
    const written = await writePage(tx, member, from, { text })
    if (written.id === page.id) page = written
  }
  return page
}

/** Finds and locks the pages whose references to a title lead to this page. */
function findReferring(tx: Tx, { id, org_id, space_id, title }: PageRow): Promise<PageRow[]> {
  return tx
    .selectFrom('market.page_links as link')
    .innerJoin('market.pages as from', 'from.id', 'link.page_id')
    .innerJoin('market.spaces as own', (join) => join.on('own.id', '=', space_id))
    .selectAll('from')
    .where('link.org_id', '=', org_id)
    .where('link.name', '=', title)
    .where((where) => where.or([where('own.visibility', '=', 'open'), where('from.space_id', '=', space_id)]))
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
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('market.pages as older')
            .innerJoin('market.spaces as place', 'place.id', 'older.space_id')
            .select('older.id')
            .where('older.org_id', '=', org_id)
            .whereRef('older.title', '=', 'link.name')
            .where('older.trashed_at', 'is', null)
            .where('older.id', '<', id)
            // One of a private space is there for those alone who see that.
            .where((where) =>
              where.or([
                where('place.visibility', '=', 'open'),
                where('older.space_id', '=', where.ref('from.space_id')),
              ]),
            ),
        ),
      ),
    )
    .orderBy('from.id')
    .forNoKeyUpdate('from')
    .execute()
}
